package main

// promise is a sentence of a page, and the test that fails if it does not hold.
type promise struct {
	Page string // from the root of the repository
	Says string // word for word, except for line breaks
	File string // of the test, from the root
	Test string
}

// promises are in the order of the pages. TestPromisesHaveTests checks that the
// pages still say so and that the tests are there.
var promises = []promise{
	{"README.md", "Every threshold, and every fit, is chosen on one split and reported on another.", "eval/eval_test.go", "TestRunAgainstPairByPair"},
	{"README.md", "that loads nothing and can be mailed", "eval/report/report_test.go", "TestPageIsSelfContained"},
	{"README.md", "All but MinHash are exact", "cmd/alike/pairs_test.go", "TestPairsAgainstEveryPair"},
	{"README.md", "It never writes to an input", "cmd/alike/dedup_test.go", "TestDedupSurvivesKilling"},
	{"README.md", "its outputs appear when all of them are whole", "cmd/alike/dedup_test.go", "TestDedupSurvivesKilling"},
	{"README.md", "a run that was killed goes on with `--resume` to the same bytes", "dedup/local/resume_test.go", "TestResumeEqualsOneRun"},
	{"README.md", "A document goes only if it is itself alike to one that stays, by its text and not by its sketch", "cmd/alike/promises_test.go", "TestDedupSaysWhyOfEach"},
	{"README.md", "chains of documents, each alike to the next, do not collapse", "dedup/local/local_test.go", "TestChainedDocumentsDoNotCollapse"},
	{"README.md", "Rows pass through as they are", "datasets/raw_test.go", "TestRawRowsAreTheFile"},
	{"README.md", "`why.jsonl` has a line for each that went", "cmd/alike/promises_test.go", "TestDedupSaysWhyOfEach"},
	{"README.md", "a run that would remove more than half stops first", "cmd/alike/promises_test.go", "TestDedupStopsAboveHalf"},
	{"README.md", "which gives what one run over all would", "dedup/local/against_test.go", "TestUpdateEqualsFullRebuild"},
	{"README.md", "the original, byte for byte", "dedup/local/restore_test.go", "TestRestoreGivesTheBytesBack"},
	{"README.md", "the same folder, but that document stays", "dedup/local/undo_test.go", "TestUndoOneByOne"},
	{"README.md", "say by fields which pairs count", "dedup/local/limits_test.go", "TestLimitsEqualOracle"},
	{"README.md", "keeps to what people said of pairs", "dedup/judged_test.go", "TestClusterKeepsToJudgements"},
	{"README.md", "exit code 1 if any of it is in there", "cmd/alike/dedup_test.go", "TestDedupGoldens"},
	{"README.md", "one layout and one conformance suite for all", "index/disk/disk_test.go", "TestSuite"},
	{"README.md", "What is acknowledged is durable.", "index/disk/crash_test.go", "TestKill"},
	{"README.md", "the same documents kept and removed, byte for byte", "beam/pipeline/pipeline_test.go", "TestPrismEqualsLocal"},
	{"README.md", "as SQL over Parquet ([sql](sql/README.md))", "cmd/alike/sketch_test.go", "TestSQLFindsWhatDedupDoes"},
	{"README.md", "gives one recommendation with its interval, the command to run", "cmd/alike/choose_test.go", "TestChooseCommandsRun"},
	{"README.md", "Import one method and get that method: no cgo, no store, no server.", "deps_test.go", "TestAMethodImportsAlone"},
	{"README.md", "states what all methods promise", "catalog/catalog_test.go", "TestLaws"},
	{"README.md", "the bytes count as white space; the rest of the text counts", "cmd/alike/main_test.go", "TestCompareOddInputs"},
	{"README.md", "the words of gojieba on every text we have", "feature/segment/gojieba_test.go", "FuzzGojieba"},

	{"docs/index.md", "whatever it names scores at least the threshold", "index/disk/disk_test.go", "TestSuite"},
	{"docs/index.md", "it names every document that does", "index/disk/disk_test.go", "TestSuite"},
	{"docs/index.md", "the answer does not depend on the backend, nor on what was added, deleted or merged before", "index/redis/redis_test.go", "TestSuite"},
	{"docs/index.md", "the answer does not depend on the backend", "index/hbase/hbase_test.go", "TestSuite"},
	{"docs/index.md", "so that the limits of [alike dedup](dedup.md#which-pairs-count) say which pairs count", "index/disk/disk_test.go", "TestSuite"},
	{"docs/index.md", "A run that was interrupted is therefore simply repeated.", "cmd/alike/dedupindex_test.go", "TestDedupUpdateOfIndexSurvivesKilling"},
	{"docs/index.md", "exactly one is added", "index/redis/process_test.go", "TestProcessesAdd"},
	{"docs/index.md", "the index opens with every acknowledged batch", "index/disk/crash_test.go", "TestKill"},
	{"docs/index.md", "what was added, deleted or merged before", "index/disk/merge_test.go", "TestMergeKeepsDeletions"},
	{"docs/index.md", "never a wrong answer", "index/disk/store_test.go", "TestDamage"},
	{"docs/index.md", "*another writer has the index*", "index/disk/store_test.go", "TestOneWriterManyReaders"},
	{"docs/index.md", "so a master that dies takes nothing acknowledged along", "index/redis/fault_test.go", "TestMasterKilled"},
	{"docs/index.md", "Acknowledged is what a region server has in its write-ahead log", "index/hbase/fault_test.go", "TestRegionServerKilled"},
	{"docs/index.md", "With `ttl=` Redis and HBase drop documents that are older", "index/redis/redis_test.go", "TestTimeToLive"},
	{"docs/index.md", "2 bad usage or failed I/O", "cmd/alike/index_test.go", "TestIndexGoldens"},

	{"docs/dedup.md", "Both days together are what one run over `monday.jsonl tuesday.jsonl` keeps", "dedup/local/known_test.go", "TestIndexEqualsFullRebuild"},
	{"docs/dedup.md", "`--verify text` is refused", "cmd/alike/dedupindex_test.go", "TestDedupIndexRefusals"},
	{"docs/dedup.md", "the run ends before it writes or adds anything", "dedup/local/known_test.go", "TestIndexUpdateWantsIDs"},
	{"docs/dedup.md", "it does not ask again", "dedup/local/known_test.go", "TestIndexIsAskedOnce"},
	{"docs/dedup.md", "A run without `--resume` says so and changes nothing.", "dedup/local/known_test.go", "TestIndexUpdateGoesOn"},
	{"docs/dedup.md", "to the same rows kept and removed", "dedup/steps/local_test.go", "TestStepsEqualLocal"},
	{"docs/dedup.md", "OUT is not made and the exit status", "cmd/alike/dedupwarranty_test.go", "TestDedupAtMostWrong"},
	{"docs/dedup.md", "the bound holds all the same", "internal/proportion/proportion_test.go", "TestSequenceByEnumeration"},

	{"docs/service.md", "nothing it serves asks anything of another machine", "serve/browsertest/looks_test.go", "TestFirstLoad"},
	{"docs/service.md", "equal the output of `alike compare --format jsonl`", "cmd/alike/serve_test.go", "TestServeComparesAsTheCommand"},
	{"docs/service.md", "`DELETE /v1/jobs/ID` cancels it", "serve/api_test.go", "TestCancelJob"},
	{"docs/service.md", "length of a request | 8 MiB", "serve/guard_test.go", "TestLimits"},
	{"docs/service.md", "time for an answer | 10 s", "serve/guard_test.go", "TestTime"},
	{"docs/service.md", "to send a request | as long", "serve/guard_test.go", "TestUnfinishedRequests"},
	{"docs/service.md", "requests of a client, working on texts | 200 a second", "serve/guard_test.go", "TestRate"},
	{"docs/service.md", "time until a request comes over a new connection", "serve/guard_test.go", "TestConnectionsRest"},
	{"docs/service.md", "must have a token", "serve/guard_test.go", "TestToken"},
	{"docs/service.md", "Without a token only requests for a loopback name are answered", "serve/guard_test.go", "TestOthersAreKeptOut"},
	{"docs/service.md", "none reaches the file system", "serve/api_test.go", "TestNamesStayOffTheFileSystem"},
	{"docs/service.md", "draws a secret seed", "catalog/seeded_test.go", "TestSeeded"},
	{"docs/service.md", "An addition that was answered is as durable as its store makes it", "cmd/alike/serve_test.go", "TestServeEndsWithoutLoss"},
	{"docs/service.md", "On SIGINT or SIGTERM it takes no new connections", "serve/guard_test.go", "TestServeEnds"},
	{"docs/passages.md", "It misses no common text of the given length", "passages/passages_test.go", "TestAsNaive"},
	{"docs/passages.md", "Spans are always those of the text as it was read.", "passages/passages_test.go", "TestFolding"},
	{"docs/passages.md", "The bytes of the output do not depend on `--workers` or `--memory`.", "passages/passages_test.go", "TestWorkers"},
	{"docs/passages.md", "If it is killed, the same command goes on from there, and gives the same bytes.", "cmd/alike/passageskilled_test.go", "TestPassagesKilled"},
	{"docs/passages.md", "Memory is `--memory`, plus about 60 bytes and the id per document, and about 40 bytes per maximal passage, hidden ones included.", "cmd/alike/passagesmemory_test.go", "TestPassagesMemory"},
	{"docs/passages.md", "More than `--max-rows` passages and occurrences, or ten times as many with hidden ones, are an error, before anything is written.", "passages/passages_test.go", "TestLimits"},
}
