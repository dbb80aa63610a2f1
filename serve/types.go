package serve

import (
	"time"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/surrogate"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/verdict"
)

// What follows is the shapes of the API: every request and answer is one of them as JSON.
// Spans are half-open ranges [start, end): of bytes of the text in UTF-8 where nothing
// else is said, and of UTF-16 code units, as a browser counts, in the fields whose names
// end in _utf16.

// CompareRequest asks how alike two texts are.
type CompareRequest struct {
	A string `json:"a" doc:"the first text"`
	B string `json:"b" doc:"the second text"`

	// Methods are specs; none means the methods that run where none is named.
	Methods []string `json:"methods,omitempty" maxItems:"32" doc:"specs, name or name:key=value,...; none means all default methods"`

	Features string  `json:"features,omitempty" doc:"feature keys for every method that reads features, such as tokens=rune,width=2"`
	Want     string  `json:"want,omitempty" enum:"copies,versions,excerpts" doc:"what alike means in the verdict; none means copies"`
	Differ   float64 `json:"differ,omitempty" minimum:"0" exclusiveMaximum:"1" doc:"maximum share of words that differ between copies; 0 means 0.1. Where it is given and features are not, features are those for which that share was modelled"`
	Explain  bool    `json:"explain,omitempty" doc:"answer with the evidence for each score"`
	Most     int     `json:"most,omitempty" minimum:"0" maximum:"10000" doc:"greatest number of pieces of evidence a method; 0 means 200"`
	Sketches bool    `json:"sketches,omitempty" doc:"answer with the bits of SimHash fingerprints and Bloom filters"`
}

// CompareResponse is the verdict on two texts, and what every method says of them, in the
// order of the request.
type CompareResponse struct {
	Verdict *verdict.Verdict `json:"verdict"`
	Methods []comparison     `json:"methods"`
	A       textSize         `json:"a"`
	B       textSize         `json:"b"`
	Seconds float64          `json:"seconds" doc:"time that the server took for the scores, evidence apart"`
}

type textSize struct {
	Bytes int `json:"bytes"`
	UTF16 int `json:"utf16" doc:"UTF-16 code units"`
}

// comparison is one method's answer on two texts, with the names of alike
// compare --format jsonl.
type comparison struct {
	Method      string       `json:"method" doc:"canonical spec"`
	Name        string       `json:"name" doc:"the method's name, which stands before the colon"`
	Score       float64      `json:"score" minimum:"0" maximum:"1"`
	BytesA      int          `json:"bytes_a" doc:"bytes of the sketch of a"`
	BytesB      int          `json:"bytes_b" doc:"bytes of the sketch of b"`
	EmptyA      bool         `json:"empty_a" doc:"a has nothing to compare, and scores 0 with everything"`
	EmptyB      bool         `json:"empty_b" doc:"b has nothing to compare, and scores 0 with everything"`
	AInB        *float64     `json:"containment_ab,omitempty" doc:"how much of a lies in b, where the method can tell"`
	BInA        *float64     `json:"containment_ba,omitempty" doc:"how much of b lies in a"`
	Seconds     float64      `json:"seconds" doc:"time of both sketches and the score"`
	Explanation *explanation `json:"explanation,omitempty" doc:"the evidence, where it is asked for and the method has any"`
	Fingerprint *bitPair     `json:"fingerprint,omitempty" doc:"both fingerprints of SimHash"`
	Filter      *bitPair     `json:"filter,omitempty" doc:"both Bloom filters"`
	verdict.Agreement
}

type explanation struct {
	Note     string     `json:"note" doc:"the quantities that the score is made of, in words"`
	Shared   int        `json:"shared" doc:"pieces of evidence in all"`
	Evidence []evidence `json:"evidence" doc:"heaviest first"`
}

// evidence is one thing that two texts share.
type evidence struct {
	Kind   string   `json:"kind" doc:"shingle, term, feature, or passage"`
	Text   string   `json:"text" doc:"as it stands in the first text"`
	Hash   string   `json:"hash" doc:"its feature hash or fingerprint, 16 hexadecimal digits"`
	Weight float64  `json:"weight" minimum:"0"`
	A      [][2]int `json:"a" doc:"places in a, in bytes"`
	B      [][2]int `json:"b" doc:"places in b, in bytes"`
	A16    [][2]int `json:"a_utf16" doc:"places in a, in UTF-16 code units"`
	B16    [][2]int `json:"b_utf16" doc:"places in b, in UTF-16 code units"`
}

// bitPair is two sketches that are rows of bits.
type bitPair struct {
	BitsA int    `json:"bits_a" doc:"length of a in bits"`
	BitsB int    `json:"bits_b" doc:"length of b in bits"`
	A     []byte `json:"a" doc:"bits of a in base64: bit i is bit i mod 8 of byte i/8"`
	B     []byte `json:"b" doc:"bits of b in base64"`
	OnesA int    `json:"ones_a"`
	OnesB int    `json:"ones_b"`
	Both  int    `json:"both" doc:"bits set in both; of filters of two sizes, the larger folded to the smaller"`
	Apart int    `json:"apart" doc:"bits that differ, likewise"`
}

// Text is a text with the name its sender calls it by.
type Text struct {
	ID   string `json:"id,omitempty" maxLength:"1024" doc:"none means its number, from 0"`
	Text string `json:"text"`
}

type matrixRequest struct {
	Texts     []Text   `json:"texts" minItems:"2"`
	Methods   []string `json:"methods,omitempty" maxItems:"32" doc:"specs; none means all default methods"`
	Features  string   `json:"features,omitempty" doc:"feature keys for every method that reads features"`
	Threshold float64  `json:"threshold,omitempty" minimum:"0" maximum:"1" doc:"least score of the pairs listed"`
}

type matrixResponse struct {
	Methods []matrix `json:"methods"`
	Seconds float64  `json:"seconds"`
}

type matrix struct {
	Method  string      `json:"method"`
	Bytes   []int       `json:"bytes" doc:"bytes of the sketch of each text"`
	Empty   []bool      `json:"empty" doc:"whether a text has nothing to compare"`
	Pairs   []pairScore `json:"pairs" doc:"pairs that score at least the threshold, ascending by number"`
	Seconds float64     `json:"seconds"`
}

type pairScore struct {
	A     int     `json:"a" doc:"number of the first text, from 0"`
	B     int     `json:"b" doc:"number of the second text"`
	Score float64 `json:"score"`
}

type featuresRequest struct {
	Text     string `json:"text"`
	Features string `json:"features,omitempty" doc:"feature keys, such as tokens=jieba,weights=jieba,top=20"`
	Method   string `json:"method,omitempty" doc:"a spec whose features are asked for, instead of keys"`
	Places   bool   `json:"places,omitempty" doc:"answer with all places of each feature"`
	Most     int    `json:"most,omitempty" minimum:"0" maximum:"100000" doc:"greatest number of features; 0 means 10000"`
}

// featuresResponse is the features of a text, heaviest first, ties in the order
// of the text.
type featuresResponse struct {
	Features string        `json:"features" doc:"the canonical keys; empty for the default"`
	Settings string        `json:"settings" doc:"all settings, defaults included"`
	Total    int           `json:"total" doc:"distinct features of weight above 0"`
	Weight   float64       `json:"weight" doc:"their weights together"`
	List     []featureItem `json:"list"`
	Text     textSize      `json:"text"`
	Seconds  float64       `json:"seconds"`
}

// featureItem is a token, or a shingle of tokens, and what it weighs.
type featureItem struct {
	Text   string   `json:"text" doc:"as it first stands in the text"`
	Hash   string   `json:"hash" doc:"16 hexadecimal digits"`
	Weight float64  `json:"weight"`
	Count  int      `json:"count" doc:"occurrences"`
	At     [][2]int `json:"at,omitempty" doc:"places in bytes"`
	At16   [][2]int `json:"at_utf16,omitempty" doc:"places in UTF-16 code units"`
}

type sketchRequest struct {
	Texts    []Text   `json:"texts" minItems:"1"`
	Methods  []string `json:"methods,omitempty" maxItems:"32" doc:"specs; none means all default methods"`
	Features string   `json:"features,omitempty" doc:"feature keys for every method that reads features"`
}

type sketchResponse struct {
	Methods []methodSketches `json:"methods"`
	Seconds float64          `json:"seconds"`
}

type methodSketches struct {
	Method   string       `json:"method"`
	Settings string       `json:"settings" doc:"sketches of equal settings can be compared"`
	Sketches []sketchItem `json:"sketches"`
}

type sketchItem struct {
	ID     string `json:"id"`
	Sketch []byte `json:"sketch" doc:"encoded, in base64: of SimHash the fingerprint, big-endian"`
	Bytes  int    `json:"bytes" doc:"bytes that it takes in memory"`
	Empty  bool   `json:"empty" doc:"the text has nothing to compare"`
}

type methodsResponse struct {
	Methods  []methodEntry `json:"methods"`
	Features []catalog.Key `json:"features" doc:"keys of every method that reads features"`
}

type methodEntry struct {
	catalog.Entry
	Default bool `json:"default" doc:"runs where none is named"`
	Buckets bool `json:"buckets" doc:"an index can be made of it"`
}

type indexResponse struct {
	Header   index.Header `json:"header" doc:"seeds that keep buckets from being flooded are left out"`
	Stats    indexStats   `json:"stats"`
	ReadOnly bool         `json:"read_only"`
}

// indexStats is the size of an index; a number that the store cannot tell is
// -1.
type indexStats struct {
	Documents     int64     `json:"documents"`
	Postings      int64     `json:"postings"`
	Stale         int64     `json:"stale" doc:"postings of documents that are gone"`
	PostingBytes  int64     `json:"posting_bytes"`
	DocumentBytes int64     `json:"document_bytes"`
	Details       []detail  `json:"details"`
	At            time.Time `json:"at" doc:"when this was counted"`
}

// detail is a figure that the store of an index has beside those of all stores.
type detail struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type queryRequest struct {
	Text      string  `json:"text,omitempty"`
	Sketch    []byte  `json:"sketch,omitempty" doc:"an encoded sketch in base64, instead of a text"`
	Threshold float64 `json:"threshold,omitempty" minimum:"0" maximum:"1" doc:"least score, where it is to be more than that of the index"`
	Limit     int     `json:"limit,omitempty" minimum:"0" maximum:"10000" doc:"greatest number of matches; 0 means 100"`

	Fields map[string]string `json:"fields,omitempty" doc:"for across, within and window; the index must keep them"`
	pairLimits
}

// pairLimits say which pairs count, as dedup.Limits.
type pairLimits struct {
	Across string `json:"across,omitempty" doc:"a field that the two documents of a pair must differ in"`
	Within string `json:"within,omitempty" doc:"a field that the two documents of a pair must agree in"`
	Window string `json:"window,omitempty" doc:"a field of times and how far apart those of a pair may be, such as date=72h"`
}

// queryResponse is the documents that are alike, the highest score first, and
// those of equal score by id.
type queryResponse struct {
	Matches []match `json:"matches"`
}

type match struct {
	ID       string  `json:"id"`
	Score    float64 `json:"score"`
	Distance *int    `json:"distance,omitempty" doc:"of methods that have one, such as the bits that differ"`
	Time     int64   `json:"time" doc:"when it was added, in seconds since 1970; 0 is not known"`
}

type addRequest struct {
	Documents []addDocument `json:"documents" minItems:"1"`
}

type addIfNewRequest struct {
	Documents []addDocument `json:"documents" minItems:"1"`
	pairLimits
}

type addDocument struct {
	ID     string `json:"id" minLength:"1" maxLength:"1024"`
	Text   string `json:"text,omitempty"`
	Sketch []byte `json:"sketch,omitempty" doc:"an encoded sketch in base64, instead of a text"`
	Time   int64  `json:"time,omitempty" doc:"when it came, in seconds since 1970; 0 means now"`

	Fields map[string]string `json:"fields,omitempty" doc:"values of the fields that the index keeps"`
}

// addResponse says what became of each document, in the order of the request.
// What it says is as durable as the store makes it.
type addResponse struct {
	Results []addResult `json:"results"`
}

type addResult struct {
	State string `json:"state" enum:"added,same,replaced,known,empty" doc:"added; same: it was there with this text; replaced: it was there with another; known: not added, one alike is there; empty: not added, it has nothing to compare"`
	Match *match `json:"match,omitempty" doc:"the most alike, where the state is known"`
}

type deleteRequest struct {
	IDs []string `json:"ids" minItems:"1"`
}

type deleteResponse struct {
	Deleted int `json:"deleted"`
}

type dataResponse struct {
	Sets  []DataEntry  `json:"sets" doc:"data sets"`
	Dedup []dedupEntry `json:"dedup" doc:"results of alike dedup"`
}

// DataEntry is a data set.
type DataEntry struct {
	Name   string `json:"name"`
	Labels bool   `json:"labels" doc:"judgements of its pairs can be kept"`
}

type dedupEntry struct {
	Name   string `json:"name"`
	Labels bool   `json:"labels" doc:"judgements of its pairs can be kept"`
}

// DataSet describes a data set.
type DataSet struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Licence     string `json:"licence"`
	Documents   int    `json:"documents"`
	Pairs       int    `json:"pairs" doc:"labelled pairs"`
	Alike       int    `json:"alike" doc:"of those, the ones that are alike"`
	Clusters    int    `json:"clusters" doc:"clusters of more than one document; 0 where truth is pairs"`
	Graded      bool   `json:"graded"`
	Checksum    string `json:"checksum"`
}

type document struct {
	ID      string `json:"id"`
	Text    string `json:"text" doc:"cut behind a million bytes"`
	Lang    string `json:"lang,omitempty"`
	Bytes   int    `json:"bytes" doc:"of the whole text"`
	Cluster int    `json:"cluster,omitempty" doc:"number of its cluster, from 1"`
	Removed bool   `json:"removed,omitempty" doc:"dedup removed it"`
}

type documentsResponse struct {
	Total     int        `json:"total" doc:"documents that the filter lets through"`
	Documents []document `json:"documents"`
}

type clustersResponse struct {
	Total    int       `json:"total" doc:"clusters that the filter lets through"`
	Clusters []cluster `json:"clusters" doc:"the largest first, ties by number"`
}

// cluster is documents that belong together.
type cluster struct {
	Number int      `json:"number" doc:"from 1"`
	Size   int      `json:"size"`
	IDs    []string `json:"ids" doc:"the first hundred, the one that is kept first"`
}

type clusterResponse struct {
	Number    int        `json:"number"`
	Size      int        `json:"size"`
	Documents []document `json:"documents" doc:"the first hundred, the one that is kept first"`
	Removals  []removal  `json:"removals,omitempty" doc:"of a dedup's result: why the others were removed"`
}

// PairsResponse is a stretch of the labelled pairs of a set.
type PairsResponse struct {
	Total int        `json:"total" doc:"pairs that the filter lets through"`
	Pairs []pairItem `json:"pairs"`
}

type pairItem struct {
	Number int      `json:"number" doc:"of the pair in the set, from 0"`
	A      document `json:"a"`
	B      document `json:"b"`
	Label  float64  `json:"label" doc:"1 alike, 0 not"`
	Grade  float64  `json:"grade" doc:"as the source states it"`
	Split  string   `json:"split"`
	Kind   string   `json:"kind,omitempty"`
	Score  *float64 `json:"score,omitempty" doc:"by the method that was named"`
	Judged string   `json:"judged,omitempty" enum:"yes,no" doc:"what was judged of it here"`
}

type histogramResponse struct {
	Method string  `json:"method" doc:"whose scores they are"`
	Bins   int     `json:"bins" doc:"equal steps of [0, 1]; a score of 1 is in the last"`
	Alike  []int64 `json:"alike" doc:"pairs labelled alike, or documents removed as alike"`
	Unlike []int64 `json:"unlike" doc:"pairs labelled not alike; none for a dedup's result"`
}

// DedupResponse is the report of a dedup.
type DedupResponse struct {
	Name   string            `json:"name"`
	Report local.Report      `json:"report"`
	Scores histogramResponse `json:"scores" doc:"of the documents removed as alike"`
	Texts  bool              `json:"texts" doc:"the texts of removed documents are there"`
}

// RemovalsResponse is a stretch of the documents that a dedup removed.
type RemovalsResponse struct {
	Total    int       `json:"total" doc:"removals that the filter lets through"`
	Removals []removal `json:"removals"`
}

// removal says why a document was removed, beside the one that stays for it.
type removal struct {
	Number  int       `json:"number" doc:"line of why.jsonl, from 0"`
	ID      string    `json:"id"`
	At      string    `json:"at" doc:"file and line"`
	Reason  string    `json:"reason" enum:"equal,alike,judged,first,unreadable"`
	Score   float64   `json:"score"`
	Method  string    `json:"method,omitempty" doc:"of the score"`
	Cluster int       `json:"cluster,omitempty"`
	KeptID  string    `json:"kept_id,omitempty"`
	KeptAt  string    `json:"kept_at,omitempty"`
	Shared  []string  `json:"shared,omitempty" doc:"the longest passages of both, with alike dedup --explain"`
	Error   string    `json:"error,omitempty" doc:"of a row that is no document"`
	Removed *document `json:"removed,omitempty" doc:"the document, where its text is there and was asked for"`
	Kept    *document `json:"kept,omitempty" doc:"the one that stays, likewise"`
	Judged  string    `json:"judged,omitempty" enum:"yes,no" doc:"what was judged of it here"`
}

// Label is somebody's judgement of two documents.
type Label struct {
	A     string `json:"a" minLength:"1" maxLength:"4096" doc:"id of a document"`
	B     string `json:"b" minLength:"1" maxLength:"4096" doc:"id of the other"`
	Alike bool   `json:"alike"`
}

// LabelsResponse is the judgements about a data set, a later one in the place of an
// earlier one about the same documents.
type LabelsResponse struct {
	Labels []Label `json:"labels"`
	File   string  `json:"file" doc:"name of the file in the folder of labels, which alike choose --labels reads"`
}

type recordsResponse struct {
	Files []RecordFile `json:"files"`
}

// RecordFile is a file of records of alike eval.
type RecordFile struct {
	Name     string   `json:"name"`
	Records  int      `json:"records"`
	Datasets []string `json:"datasets"`
	Details  bool     `json:"details" doc:"made with --details, so that differences are tested in pairs"`
	Error    string   `json:"error,omitempty" doc:"why the file cannot be read"`
}

// RecordsOf is the records of a file, without their details.
type RecordsOf struct {
	Name    string       `json:"name"`
	Records []RecordItem `json:"records"`
}

// RecordItem is a record and whether another beats it.
type RecordItem struct {
	eval.Record
	Front bool       `json:"front" doc:"no other record of its data and split is better in F1, bytes and sketching speed at once"`
	Best  bool       `json:"best" doc:"has the highest F1 on the split that thresholds were chosen on; others are compared with it"`
	State eval.State `json:"state,omitempty" doc:"what the F1 of both shows: better, not worse (by more than .03), worse or undecided; none for baselines and where the interval is unusable"`
}

// DiffResponse is the differences of two runs.
type DiffResponse struct {
	Differences []eval.Comparison `json:"differences"`
}

// PlanResponse says what finding fingerprints within a distance costs.
type PlanResponse struct {
	Docs     int64        `json:"docs"`
	Bits     int          `json:"bits"`
	Distance int          `json:"distance"`
	Fits     bool         `json:"fits" doc:"the design taken fits into the memory"`
	Designs  []planDesign `json:"designs"`
	Finds    []planFind   `json:"finds" doc:"what the distance finds, by cosine"`
}

// planDesign is a layout of tables, with the names of alike plan --format jsonl.
type planDesign struct {
	Taken              bool    `json:"taken" doc:"the fastest that fits into the memory"`
	Design             string  `json:"design"`
	Layout             string  `json:"layout"`
	Tables             int     `json:"tables"`
	KeyLeast           int     `json:"key_bits_least"`
	KeyMost            int     `json:"key_bits_most"`
	Probes             float64 `json:"probes"`
	CandidatesPerTable float64 `json:"candidates_per_table"`
	Candidates         float64 `json:"candidates"`
	Copies             float64 `json:"bytes_of_copies"`
	Bytes              float64 `json:"bytes"`
	Query              float64 `json:"query_ns"`
}

type planFind struct {
	Cosine   float64 `json:"cosine"`
	Distance float64 `json:"mean_distance" doc:"expected bits that differ"`
	Found    float64 `json:"found" doc:"probability that the fingerprints are within the distance"`
}

// BackendsResponse says what an index takes on each backend.
type BackendsResponse struct {
	Layout   string        `json:"layout" doc:"the tables that are chosen for so many documents"`
	Backends []backendItem `json:"backends"`
}

type backendItem struct {
	Backend  string  `json:"backend"`
	Bytes    float64 `json:"bytes" doc:"of one copy"`
	Copies   int     `json:"copies"`
	Machines int     `json:"machines" doc:"of 64 GiB of memory and 2 TB of flash"`
	Hot      float64 `json:"hot" doc:"of what a query reads, the share that is in memory"`
	Lookups  float64 `json:"lookups" doc:"of a query"`
	Scanned  float64 `json:"scanned" doc:"postings that a query looks at"`
	Query    float64 `json:"query_seconds" doc:"of a query that finds nothing"`
	Load     float64 `json:"load_seconds" doc:"with one client for each machine"`
}

// BandsResponse is the S-curve of bands of rows.
type BandsResponse struct {
	Bands     int         `json:"bands"`
	Rows      int         `json:"rows"`
	Threshold float64     `json:"threshold" doc:"about where the curve is steepest: (1/bands)^(1/rows)"`
	Curve     []curvePair `json:"curve" doc:"101 points"`
}

type curvePair struct {
	Score float64 `json:"score"`
	Found float64 `json:"found" doc:"probability that a pair of this score shares a band: 1-(1-score^rows)^bands"`
}

// ChooseRequest asks which method suits documents: labelled pairs of texts, or documents
// alone, for which truth is made.
type ChooseRequest struct {
	Name      string      `json:"name,omitempty" maxLength:"100" doc:"what the result calls the documents"`
	Documents []Text      `json:"documents,omitempty" maxItems:"20000" doc:"documents; without pairs, at least 100"`
	Pairs     []labelPair `json:"pairs,omitempty" maxItems:"100000" doc:"what is known about pairs of them, 100 or more"`
	Data      string      `json:"data,omitempty" doc:"the name of a data set that is there, instead of documents"`
	Labels    bool        `json:"labels,omitempty" doc:"learn from what was judged of the data set here"`
	Want      string      `json:"want,omitempty" enum:"copies,versions,excerpts" doc:"without labels: what is alike; without it, copies are looked for, and the outcome says whether versions would be others"`
	Goal      string      `json:"goal,omitempty" doc:"f1, precision>=P or recall>=R"`
	MaxBytes  float64     `json:"max_bytes_per_doc,omitempty" minimum:"0" doc:"greatest mean size of a sketch; 0 means any"`
	Budget    float64     `json:"budget_seconds,omitempty" minimum:"0" maximum:"600" doc:"time to take on two cores; 0 means 60"`
	Methods   []string    `json:"methods,omitempty" maxItems:"300" doc:"try only these specs"`
	Seed      uint64      `json:"seed,omitempty"`
}

type labelPair struct {
	A     int  `json:"a" minimum:"0" doc:"number of a document of the sample, from 0"`
	B     int  `json:"b" minimum:"0" doc:"number of another"`
	Alike bool `json:"alike"`
}

// Job is work in the background.
type Job struct {
	ID       string       `json:"id"`
	Kind     string       `json:"kind" enum:"choose"`
	State    string       `json:"state" enum:"waiting,running,done,failed,cancelled"`
	Share    float64      `json:"share" doc:"of the work that is done, from 0 to 1"`
	Doing    string       `json:"doing" doc:"what is being done"`
	Created  time.Time    `json:"created"`
	Finished *time.Time   `json:"finished,omitempty"`
	Error    string       `json:"error,omitempty"`
	Choice   *choiceFound `json:"choice,omitempty" doc:"the result of a job that is done"`
}

type choiceFound struct {
	Result   choose.Result `json:"result"`
	Commands []string      `json:"commands" doc:"what to run on the documents in a file INPUT"`

	// Where there were no labels.
	Outcome string            `json:"outcome,omitempty" enum:"recommended,recommended after answers,not decidable from the texts" doc:"what can be said without labels"`
	Doubts  []string          `json:"doubts,omitempty" doc:"what speaks against a recommendation, and what misleads"`
	Effect  *surrogate.Effect `json:"effect,omitempty" doc:"what the command removes of these documents"`
}

// jobsResponse lists jobs, the newest first.
type jobsResponse struct {
	Jobs []Job `json:"jobs"`
}

type jobProgress struct {
	ID    string  `json:"id"`
	State string  `json:"state" enum:"waiting,running,done,failed,cancelled"`
	Share float64 `json:"share"`
	Doing string  `json:"doing"`
	Error string  `json:"error,omitempty"`
}

type health struct {
	Status  string `json:"status" enum:"ok,starting,stopping"`
	Version string `json:"version"`
}

type about struct {
	Version string  `json:"version"`
	Index   bool    `json:"index" doc:"there is an index"`
	Writes  bool    `json:"writes" doc:"the index can be added to"`
	Data    int     `json:"data" doc:"number of data sets and dedup results"`
	Records int     `json:"records" doc:"number of files of records"`
	Labels  bool    `json:"labels" doc:"judgements can be kept"`
	Limits  limitsR `json:"limits"`
}

type limitsR struct {
	Text  int `json:"text_bytes" doc:"greatest length of a text"`
	Body  int `json:"body_bytes" doc:"greatest length of a request"`
	Batch int `json:"batch" doc:"greatest number of documents of a request"`
}
