package redis_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/index/redis"
)

// The test binary, run once more under these variables, adds to the index at
// the URL what is new, under ids of the given name.
const (
	adderURL  = "ALIKE_REDIS_ADDER_URL"
	adderName = "ALIKE_REDIS_ADDER_NAME"
	adderDocs = 300
)

// adderIndex opens the index that adders add to.
func adderIndex(ctx context.Context, url string) (*index.Index, error) {
	s, err := redis.Open(ctx, url, redis.Options{Documents: adderDocs})
	if err != nil {
		return nil, err
	}
	return indextest.SimHash(ctx, s)
}

// addInProcess says that it is ready, waits for a line, and adds documents of
// the same texts as every other adder, one by one; it prints those that were
// added.
func addInProcess(url string) error {
	ctx := context.Background()
	x, err := adderIndex(ctx, url)
	if err != nil {
		return err
	}
	defer x.Close()
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	for i := range adderDocs {
		d := index.Doc{ID: fmt.Sprint(os.Getenv(adderName), "-", i), Text: indextest.Text(i)}
		r, err := x.AddIfNew(ctx, []index.Doc{d}, dedup.Limits{})
		if err != nil {
			return err
		}
		switch r[0].State {
		case index.Added:
			fmt.Println("added", i)
		case index.Known:
		default:
			return fmt.Errorf("document %d is %v", i, r[0].State)
		}
	}
	return nil
}

// Of processes that add the same texts at a time, exactly one adds each.
func TestProcessesAdd(t *testing.T) {
	url := fmt.Sprintf("redis://%s?name=processes-%d", single(t).addr(), rand.Uint64())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	type adder struct {
		cmd *exec.Cmd
		in  io.WriteCloser
		out *bufio.Scanner
	}
	var all []adder
	for _, name := range []string{"one", "two", "three"} {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), adderURL+"="+url, adderName+"="+name)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Process.Kill()
		a := adder{cmd, in, bufio.NewScanner(out)}
		if !a.out.Scan() || a.out.Text() != "ready" {
			t.Fatalf("%s says %q, want ready", name, a.out.Text())
		}
		all = append(all, a)
	}
	for _, a := range all {
		if _, err := io.WriteString(a.in, "go\n"); err != nil {
			t.Fatal(err)
		}
	}
	added := map[int]int{}
	for _, a := range all {
		n := 0
		for a.out.Scan() {
			var i int
			if _, err := fmt.Sscanf(a.out.Text(), "added %d", &i); err != nil {
				t.Errorf("an adder says %q", a.out.Text())
			}
			added[i]++
			n++
		}
		if err := a.cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		t.Logf("added %d of %d", n, adderDocs)
	}
	for i := range adderDocs {
		if added[i] != 1 {
			t.Errorf("text %d was added by %d processes, want 1", i, added[i])
		}
	}
	x, err := adderIndex(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if v, err := x.Verify(t.Context()); v.Documents != adderDocs || len(v.Problems) > 0 || err != nil {
		t.Errorf("verify: %+v, %v, want %d documents and nothing wrong", v, err, adderDocs)
	}
}
