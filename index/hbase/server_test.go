package hbase_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/alike-go/alike/docs/reliability/load"
	"github.com/alike-go/alike/index/hbase"
	"github.com/alike-go/alike/index/indextest"
)

// cluster is HBase in a process that the tests have started.
type cluster struct {
	dir    string
	quorum string
	err    error
}

// running are the clusters of all tests by their number of region servers,
// started when the first test asks.
var running struct {
	sync.Mutex
	clusters map[int]*cluster
	names    int
	short    bool // what -short said, before it was set
}

func TestMain(m *testing.M) {
	if load.AttackMain(openAttacked) {
		return
	}
	hbase.Quiet()
	flag.Parse()
	running.short = testing.Short()
	if os.Getenv("ALIKE_LONG") == "" {
		// A table takes HBase a second to make, a row a millisecond to change:
		// all of the suite would take many minutes.
		if err := flag.Set("test.short", "true"); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	for _, c := range running.clusters {
		c.kill()
	}
	os.Exit(code)
}

// kill ends the process and removes what it wrote.
func (c *cluster) kill() {
	if pid, err := os.ReadFile(filepath.Join(c.dir, "pid")); err == nil {
		if n, err := strconv.Atoi(strings.TrimSpace(string(pid))); err == nil {
			_ = syscall.Kill(n, syscall.SIGKILL)
		}
	}
	// It may still be writing.
	for end := time.Now().Add(10 * time.Second); os.RemoveAll(c.dir) != nil && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
	}
}

// script runs scripts/hbase.
func script(args ...string) (string, error) {
	c := exec.Command("bash", append([]string{"../../scripts/hbase"}, args...)...)
	c.Env = append(os.Environ(), "ALIKE_HBASE_OWNER="+strconv.Itoa(os.Getpid()))
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", &scriptError{err, stderr.String()}
	}
	return strings.TrimSpace(string(out)), nil
}

type scriptError struct {
	error
	stderr string
}

func (e *scriptError) Error() string { return e.error.Error() + ": " + e.stderr }

// start returns the cluster of so many region servers.
func start(t testing.TB, servers int) *cluster {
	t.Helper()
	if running.short {
		t.Skip("-short: no HBase is started")
	}
	indextest.Need(t, "java", "javac", "mvn")
	running.Lock()
	defer running.Unlock()
	if running.clusters == nil {
		running.clusters = map[int]*cluster{}
	}
	c := running.clusters[servers]
	if c == nil {
		dir, err := os.MkdirTemp("", "alike-hbase-")
		if err != nil {
			t.Fatal(err)
		}
		c = &cluster{dir: dir}
		running.clusters[servers] = c
		c.quorum, c.err = script("start", dir, strconv.Itoa(servers))
	}
	if c.err != nil {
		if strings.Contains(c.err.Error(), "maven") && os.Getenv("ALIKE_REQUIRE_SERVICES") == "" {
			t.Skipf("HBase cannot be downloaded: %v", c.err)
		}
		t.Fatal(c.err)
	}
	return c
}

// unused returns a name for an index that no earlier run of the test has used,
// under -count.
func unused(name string) string {
	running.Lock()
	defer running.Unlock()
	running.names++
	return fmt.Sprintf("%s-%d", name, running.names)
}

// open opens a store.
func open(t testing.TB, c *cluster, o hbase.Options) *hbase.Store {
	t.Helper()
	s, err := hbase.Open(context.Background(), "hbase://"+c.quorum, o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return s
}
