package hbase_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alike-go/alike/docs/reliability/load"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/hbase"
	"github.com/alike-go/alike/index/indextest"
)

func openAttacked(ctx context.Context, url string) (index.Store, error) {
	hbase.Quiet()
	s, err := hbase.Open(ctx, url, hbase.Options{Regions: 6, Patience: 4 * time.Minute, Lease: time.Second})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Region servers are killed at random, and all of HBase is killed and stopped,
// while several processes write and read. After all of HBase is killed, it takes
// most of a minute until it is there again.
func TestAttack(t *testing.T) {
	load.AttackTime(t)
	indextest.Need(t, "java", "javac", "mvn")
	dir := t.TempDir()
	quorum, err := script("start", dir, "3")
	if err != nil {
		t.Fatal(err)
	}
	defer (&cluster{dir: dir}).kill()
	_, port, _ := strings.Cut(quorum, ":")
	a := load.StartAttack(t, fmt.Sprintf("hbase://%s?name=attack", quorum), openAttacked)
	for a.Goes() {
		a.Wait(6 * time.Second)
		switch a.Rand.IntN(6) {
		case 0:
			a.KillAdder()
		case 1:
			signal(t, dir, syscall.SIGSTOP)
			a.Wait(8 * time.Second)
			signal(t, dir, syscall.SIGCONT)
			a.Count("stopped for a while")
		case 2:
			signal(t, dir, syscall.SIGKILL)
			a.Count("killed")
			if _, err := script("start", dir, "3", port); err != nil {
				t.Fatal(err)
			}
		default:
			if _, err := script("region", dir); err != nil {
				t.Fatal(err)
			}
			a.Count("killed")
		}
	}
	a.Check()
}

// signal sends a signal to the process of HBase, and waits for its end if that
// is SIGKILL.
func signal(t *testing.T, dir string, s syscall.Signal) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, s); err != nil {
		t.Fatal(err)
	}
	if s == syscall.SIGKILL {
		indextest.Eventually(t, "the process has ended", func() bool { return syscall.Kill(pid, 0) != nil })
	}
}
