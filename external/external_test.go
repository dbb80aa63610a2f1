//go:build unix

package external

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

func TestLaws(t *testing.T) {
	for mode := range sketchers {
		t.Run(mode, func(t *testing.T) { similaritytest.Run(t, open(t, mode, 0)) })
	}
}

// jaccard is what every helper of kind set or scores comes to.
func jaccard(a, b string) float64 {
	in := map[string]int{}
	for _, w := range words(a) {
		in[w] |= 1
	}
	for _, w := range words(b) {
		in[w] |= 2
	}
	both := 0
	for _, k := range in {
		if k == 3 {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(in))
}

func texts(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("w%d w%d w%d common", i%7, i%5, i%3)
		if i%11 == 10 {
			out[i] = ""
		}
	}
	return out
}

// A set that alike scores and one that the process scores come to the same as counting
// words, in every way to ask.
func TestScoresAreThoseOfWords(t *testing.T) {
	all := texts(200)
	for _, mode := range []string{"set", "packed", "score"} {
		t.Run(mode, func(t *testing.T) {
			c := open(t, mode, 0).NewCollection().(similarity.Remote)
			for _, text := range all {
				c.Add(text)
			}
			row := make([]float32, len(all))
			var pairs [][2]int
			for i := range all {
				if i%10 == 0 {
					c.Scores(i, 0, row)
				}
				for j := range all {
					want := jaccard(all[i], all[j])
					if i%10 == 0 && row[j] != float32(want) {
						t.Fatalf("Scores(%d)[%d] is %v, want %v", i, j, row[j], want)
					}
					if i%50 == 0 && j%50 == 1 {
						if got := c.Score(i, j); got != want {
							t.Fatalf("Score(%d, %d) is %v, want %v", i, j, got, want)
						}
					}
					pairs = append(pairs, [2]int{i, j})
				}
			}
			got := make([]float32, len(pairs))
			c.ScorePairs(pairs, got) // more than a batch of them
			for k, p := range pairs {
				if want := float32(jaccard(all[p[0]], all[p[1]])); got[k] != want {
					t.Fatalf("pair %v scores %v, want %v", p, got[k], want)
				}
			}
			found := 0
			_, err := c.Join(context.Background(), nil, similarity.JoinOptions{Threshold: 0.6}, func(p similarity.Pair) error {
				if want := jaccard(all[p.A], all[p.B]); p.Score != want || want < 0.6 {
					t.Errorf("join emits %v, want the score %v", p, want)
				}
				found++
				return nil
			})
			for i := range all {
				for j := range i {
					if jaccard(all[i], all[j]) >= 0.6 {
						found--
					}
				}
			}
			if err != nil || found != 0 {
				t.Errorf("join finds %d pairs too many, error %v", found, err)
			}
			if err := c.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Several goroutines with collections of their own, appended in order, come to what
// one makes.
func TestAppendFromWorkers(t *testing.T) {
	all := texts(500)
	for _, mode := range []string{"minhash", "packed", "score"} {
		m := open(t, mode, 0)
		parts := make([]similarity.Collection, 10)
		var wg sync.WaitGroup
		for w := range parts {
			parts[w] = m.NewCollection()
			wg.Go(func() {
				for _, text := range all[w*50 : (w+1)*50] {
					parts[w].Add(text)
				}
			})
		}
		wg.Wait()
		c, one := m.NewCollection(), m.NewCollection()
		for _, p := range parts {
			c.Append(p)
		}
		for _, text := range all {
			one.Add(text)
		}
		if c.Len() != len(all) {
			t.Fatalf("%s: %d documents, want %d", mode, c.Len(), len(all))
		}
		for i := range all {
			if c.Empty(i) != one.Empty(i) || c.Bytes(i) != one.Bytes(i) || i%50 == 0 && c.Score(i, 7) != one.Score(i, 7) {
				t.Fatalf("%s: document %d differs", mode, i)
			}
		}
		if err := c.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// What goes wrong is an error that names the command, the document and the last words
// of the process; nothing hangs, and scores are 0.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		mode    string
		timeout time.Duration
		want    []string
	}{
		{"hello-none", 0, []string{"first line", "ended", "exit status 3"}},
		{"hello-garbage", 0, []string{"first line", "Loading model...", "want JSON"}},
		{"hello-version", 0, []string{`"alike": 1`}},
		{"hello-kind", 0, []string{"embedding", "minhash, set, simhash, vector, scores"}},
		{"hello-hang", 5 * time.Second, []string{"first line", "no answer for 5s"}},
		{"crash", 0, []string{`document "d39"`, "exit status 1", "no more memory"}},
		{"hang", 5 * time.Second, []string{`document "d39"`, "no answer for 5s"}},
		{"deaf", 5 * time.Second, []string{`document "d39"`, "no answer for 5s"}},
		{"garbage", 0, []string{`document "d39"`, "DeprecationWarning", "want JSON"}},
		{"null", 0, []string{`document "d39"`, "want the answer to"}},
		{"few", 0, []string{`document "d39"`, "want the answer to"}},
		{"wide", 0, []string{`document "d39"`, "18446744073709551616"}},
		{"refuse", 0, []string{`document "d39"`, "no such language"}},
		{"half", 0, []string{`document "d39"`, "half a line", "ended"}},
		{"score-nan", 0, []string{"scores of", "finite"}},
		{"score-high", 0, []string{"is 1.5", "want 0 to 1"}},
		{"score-few", 0, []string{"scores for"}},
		{"score-asymmetric", 0, []string{"one way and", "symmetric"}},
		{"score-self", 0, []string{"equal texts", "0.5"}},
		{"score-crash", 0, []string{"scores of", "exit status 4"}},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			m := open(t, c.mode, c.timeout)
			col := m.NewCollection()
			long := strings.Repeat("x", 100_000) // more than a pipe holds
			for i := range 300 {
				col.AddNamed(fmt.Sprintf("d%d", i), fmt.Sprintf("w%d %s", i%9, long[:i*i]))
			}
			row := make([]float32, col.Len())
			col.Scores(3, 0, row)
			err := col.Err()
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range append(c.want, helperEnv+"="+c.mode) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, want it to contain %q", err, want)
				}
			}
			if s := col.Score(0, 1); s != 0 {
				t.Errorf("score %v after the failure", s)
			}
			if m.Sketch("a") == nil || !m.Empty(m.Sketch("a")) {
				t.Error("a sketch after the failure")
			}
			select {
			case <-m.p.exited:
			case <-time.After(10 * time.Second):
				t.Error("the process is still there")
			}
		})
	}
}

func TestNoSuchCommand(t *testing.T) {
	m, err := New(Options{Command: "no-such-command-of-alike"})
	if err != nil {
		t.Fatal(err)
	}
	c := m.NewCollection()
	c.Add("a")
	if err := c.Err(); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("error %v, want that of the shell", err)
	}
}

// Closing wakes who waits, and ends a process that does not want to, with its children.
func TestCloseKills(t *testing.T) {
	m := open(t, "stubborn", time.Hour)
	c := m.NewCollection()
	c.Add("a")
	// The child's number comes where the answer is wanted.
	err := c.Err()
	if err == nil {
		t.Fatal("no error")
	}
	var child int
	if _, after, ok := strings.Cut(err.Error(), `\"child\":`); !ok {
		t.Fatalf("error %q tells no child", err)
	} else if _, err := fmt.Sscanf(after, "%d", &child); err != nil {
		t.Fatal(err)
	}
	leader := m.p.cmd.Process.Pid
	m.Close()
	for _, pid := range []int{leader, child} {
		gone := false
		for range 100 {
			if gone = errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombieOfInit(pid); gone {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if !gone {
			t.Errorf("process %d is still there", pid)
		}
	}
}

// zombieOfInit reports whether a process is dead and waits for somebody else to notice.
func zombieOfInit(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(data), ") ")
	return err == nil && strings.HasPrefix(state, "Z") && !strings.Contains(state, fmt.Sprintf("Z %d ", os.Getpid()))
}

func TestCloseWakesWaiters(t *testing.T) {
	m := open(t, "hang", time.Hour)
	c := m.NewCollection()
	for i := range 100 {
		c.Add(fmt.Sprint("w", i))
	}
	time.AfterFunc(100*time.Millisecond, func() { m.Close() })
	start := time.Now()
	if err := c.Err(); !errors.Is(err, errClosed) {
		t.Errorf("error %v, want errClosed", err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("took %v", d)
	}
	c.Add("more")
	if err := c.Err(); !errors.Is(err, errClosed) {
		t.Errorf("error %v of a closed method, want errClosed", err)
	}
	<-m.p.exited
	live.Lock()
	left := live.processes[m.p]
	live.Unlock()
	if left {
		t.Error("a process is left")
	}
}

func TestCloseAll(t *testing.T) {
	CloseAll(grace) // forgets what other tests have left
	good, bad := open(t, "set", 0), open(t, "crash", 0)
	if good.Sketch("a"); good.p == nil {
		t.Fatal("no process")
	}
	c := bad.NewCollection()
	for range 64 {
		c.Add("a")
	}
	c.Score(0, 1)
	if err := CloseAll(grace); err == nil || !strings.Contains(err.Error(), "no more memory") {
		t.Errorf("error %v, want that of the crash", err)
	}
	if err := CloseAll(grace); err != nil || !errors.Is(good.Err(), errClosed) {
		t.Errorf("error %v, and of the good method %v; want none and errClosed", err, good.Err())
	}
}

func TestClosedBeforeUse(t *testing.T) {
	m := open(t, "set", 0)
	m.Close()
	if m.Sketch("a"); m.p != nil || !errors.Is(m.Err(), errClosed) {
		t.Errorf("error %v, want errClosed and no process", m.Err())
	}
}

func TestNewRefuses(t *testing.T) {
	for _, o := range []Options{{}, {Command: " "}, {Command: "a\nb"}, {Command: "a", Timeout: -1}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// What the process keeps cannot be saved, and eval can tell.
func TestKeptSketchesAreNotSaved(t *testing.T) {
	m := open(t, "score", 0)
	if _, err := similarity.NewCoder(m); err == nil || !strings.Contains(err.Error(), "are kept by another process, want a method of alike") {
		t.Errorf("an encoder of sketches that the process keeps: %v, want an error that says so", err)
	}
	c := m.NewCollection()
	c.Add("a b")
	if err := c.Save(new(strings.Builder)); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error %v, want ErrUnsupported", err)
	}
	if got := c.Bytes(0); got != 16 {
		t.Errorf("%d bytes, want the 16 that the process states", got)
	}
}

func TestSaveAndLoad(t *testing.T) {
	for mode := range sketchers {
		m := open(t, mode, 0)
		c := m.NewCollection()
		all := texts(100)
		for _, text := range all {
			c.Add(text)
		}
		var file strings.Builder
		if err := c.Save(&file); err != nil {
			t.Fatal(err)
		}
		other := open(t, mode, 0).NewCollection()
		if err := other.Load(strings.NewReader(file.String())); err != nil {
			t.Fatal(err)
		}
		for i := range all {
			if other.Score(0, i) != c.Score(0, i) || other.Bytes(i) != c.Bytes(i) {
				t.Fatalf("%s: document %d differs", mode, i)
			}
		}
		wrong := open(t, "score", 0).NewCollection()
		if err := wrong.Load(strings.NewReader(file.String())); !errors.Is(err, similarity.ErrSettings) {
			t.Errorf("%s: error %v, want ErrSettings", mode, err)
		}
	}
}

// A vector's size and cosine, by hand: (3, 4) and (4, 3) have 24/25.
func TestVectors(t *testing.T) {
	h := hello{Kind: kindVector, Size: 2, Bits: 64}
	var s [4]Sketch
	for i, answer := range []string{
		`{"id":"0","sketch":[3,4]}`,
		`{"id":"0","sketch":{"indices":[1,0],"values":[3,4]}}`,
		`{"id":"0","sketch":"AAAAAAAACEAAAAAAAAAQQA=="}`, // struct.pack("<2d", 3, 4)
		`{"id":"0","sketch":[-3,-4]}`,
	} {
		if err := s[i].parse([]byte(answer), &h, &asked{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		a, b int
		want float64
	}{{0, 0, 1}, {0, 1, 24. / 25}, {1, 2, 24. / 25}, {0, 2, 1}, {1, 1, 1}, {0, 3, 0}} {
		if got := score(&h, &s[c.a], &s[c.b]); math.Abs(got-c.want) > 1e-15 || c.want == 1 && got != 1 {
			t.Errorf("%d and %d score %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if s[0].bytes != 16 || s[1].bytes != 24 {
		t.Errorf("%d and %d bytes, want 16 and 24", s[0].bytes, s[1].bytes)
	}
}
