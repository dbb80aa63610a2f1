package kit

import (
	"errors"
	"maps"
	"math"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
)

func TestPage(t *testing.T) {
	var b strings.Builder
	p := NewPage(&b)
	p.Header("a", "b|c")
	p.Row("1", "2")
	if want := "| a | b\\|c |\n|---|---|\n| 1 | 2 |\n"; b.String() != want || p.Err != nil {
		t.Errorf("%q, %v, want %q", b.String(), p.Err, want)
	}
	p = NewPage(broken{})
	p.Printf("a")
	first := p.Err
	p.Printf("b")
	if first == nil || p.Err != first {
		t.Errorf("errors %v and %v, want the first one to stay", first, p.Err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestNumbers(t *testing.T) {
	nan := math.NaN()
	if got := Median([]float64{3, nan, 1, 2, 4}); got != 3 {
		t.Errorf("median %v, want 3", got)
	}
	if got := Median([]float64{nan}); !math.IsNaN(got) {
		t.Errorf("median %v of nothing, want NaN", got)
	}
	if got := Mean([]float64{1, 2}); got != 1.5 {
		t.Errorf("mean %v, want 1.5", got)
	}
	r := eval.Record{F1: .5, F1Low: .25, F1High: .75}
	if got := F1(r); got != "0.500 [0.250, 0.750]" {
		t.Errorf("F1 %q", got)
	}
	if r.F1Low = eval.Figure(nan); F1(r) != "0.500" || Fixed(r.F1Low, 2) != "-" || Value(r.F1Low) != 0 {
		t.Errorf("undefined figures are %q, %q and %v", F1(r), Fixed(r.F1Low, 2), Value(r.F1Low))
	}
	if got := Machine(eval.Machine{Commit: "0123456789abcdef", Go: "go1", OS: "linux", Arch: "amd64", CPU: "C", CPUs: 2}); got != "commit 0123456789ab, go1, linux/amd64, C, 2 CPUs" {
		t.Errorf("machine %q", got)
	}
}

func TestTry(t *testing.T) {
	bad := errors.New("bad")
	steps := 0
	err := Try(func() {
		steps += Must(1, nil)
		Check(bad)
		steps++
	})
	if err != bad || steps != 1 {
		t.Errorf("%v after %d steps, want the error after the first", err, steps)
	}
	if err := Try(func() {}); err != nil {
		t.Error(err)
	}
	defer func() {
		if recover() != "other" {
			t.Error("another panic did not pass")
		}
	}()
	_ = Try(func() { panic("other") })
}

func TestOutput(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	if out, err := Output(exec.Command("sh", "-c", "echo yes")); err != nil || string(out) != "yes\n" {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := Output(exec.Command("sh", "-c", "echo no >&2; exit 3")); err == nil || !strings.Contains(err.Error(), "exit status 3: no") {
		t.Errorf("error %v, want one with what the command said", err)
	}
}

// A part has its documents in their order, and of the pairs to ignore those within it.
func TestPart(t *testing.T) {
	set := &datasets.Set{Name: "s", Clusters: []int{0, 1, 0, 2}, Ignore: []datasets.Pair{{A: 1, B: 3}, {A: 0, B: 1}}}
	for _, id := range []string{"a", "b", "c", "d"} {
		set.Docs = append(set.Docs, datasets.Doc{ID: id})
	}
	part, number := Part(set, func(i int) bool { return i != 0 })
	want := &datasets.Set{Name: "s", Docs: set.Docs[1:], Clusters: []int{1, 0, 2}, Ignore: []datasets.Pair{{A: 0, B: 2}}}
	if !reflect.DeepEqual(part, want) || !maps.Equal(number, map[int]int{1: 0, 2: 1, 3: 2}) {
		t.Errorf("%+v, %v, want %+v", part, number, want)
	}
}
