package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
)

// testAttacks are the attacks that are Go tests in the packages they attack.
var testAttacks = []attack{
	{"dedup killed", "`alike dedup` is killed at random moments and goes on with `--resume`: input unchanged, no output before it is whole, the same bytes in the end; with `--update` of an index the same index",
		goTests("./cmd/alike", "SurvivesKilling")},
	{"disk index crashes", "a writer of the index on disk is killed at random moments, in merges too, and its files are cut at every length: every acknowledged batch is there",
		goTests("./index/disk", "Kill|Torn|Damage|OneWriter|Merge")},
	{"Redis Cluster killed", "several processes add, replace, delete, ask, merge and verify while masters, replicas and the processes themselves are killed and stopped: every acknowledged document has its text, equal texts stand once, `verify` finds nothing",
		goTests("./index/redis", "Attack|Killed|ProcessesAdd|ReplyLost|TimeToLive")},
	{"HBase killed", "the same while region servers, all of HBase and the processes are killed",
		goTests("./index/hbase", "Attack|Killed|TimeToLive")},
}

// killed matches how tests log the number of their kills.
var killed = regexp.MustCompile(`killed (?:it )?(\d+) times`)

// goTests returns an attack that runs tests as often as time allows. Tests that
// need a server skip themselves if it is not installed.
func goTests(pkg, pattern string) func(context.Context, *arena) {
	return func(ctx context.Context, a *arena) {
		dir := kit.Must(root())
		timeout := "10m"
		if os.Getenv("ALIKE_LONG") != "" {
			timeout = "1h"
		}
		for round := range a.rounds(ctx) {
			cmd := exec.CommandContext(ctx, "go", "test", "-json", "-count=1", "-timeout", timeout, "-v", "-run", pattern, pkg)
			cmd.Dir = dir
			// Some tests take a given time, such as those of package load.
			cmd.Env = append(os.Environ(), fmt.Sprintf("ALIKE_ATTACK=%v", max(10*time.Second, time.Until(a.until)/2)), fmt.Sprintf("ALIKE_ATTACK_SEED=%d", a.seed+uint64(round)))
			out, err := cmd.Output()
			passed := a.tested(out, err)
			if passed == 0 && !a.isBroken() {
				kit.Check(fmt.Errorf("%w: every test of %s was skipped", errSkipped, pattern))
			}
		}
		kit.Check(ctx.Err())
	}
}

// tested counts the tests in the output of go test -json.
func (a *arena) tested(out []byte, failed error) (passed int) {
	s := bufio.NewScanner(bytes.NewReader(out))
	s.Buffer(nil, 1<<20)
	said := map[string]string{}
	for s.Scan() {
		var e struct{ Action, Test, Output string }
		if err := json.Unmarshal(s.Bytes(), &e); err != nil {
			continue // a line of the go command itself
		}
		if m := killed.FindStringSubmatch(e.Output); m != nil {
			n, _ := strconv.Atoi(m[1])
			a.count("kills", n)
		}
		switch said[e.Test] += e.Output; {
		case e.Test == "":
		case e.Action == "pass":
			passed++
			a.count("tests passed", 1)
		case e.Action == "skip":
			a.count("tests skipped", 1)
		case e.Action == "fail":
			a.broke("%s: %s", e.Test, excerpt([]byte(said[e.Test])))
		}
	}
	if failed != nil && !a.isBroken() {
		kit.Check(fmt.Errorf("go test: %w: %s", failed, excerpt([]byte(said[""]))))
	}
	kit.Check(s.Err())
	return passed
}
