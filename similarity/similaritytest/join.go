package similaritytest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// The thresholds that joins and buckets are checked at.
var thresholds = []float64{0.3, 0.5, 0.8, 0.95, 1}

// joins checks Join against the scores of all pairs: the same pairs where it is
// exact, some of them where it is not.
func joins[S any, M similarity.Sketcher[S]](t *testing.T, m M, sketches []S) {
	c, split := similarity.Hide(m).NewCollection(), len(sketches)/3
	for _, tx := range Texts() {
		c.Add(tx.Text)
	}
	// Repeat some, so that there are equal sketches far apart.
	for _, tx := range Texts() {
		if len(tx.Name)%3 == 0 {
			c.Add(tx.Text)
		}
	}
	var all, head, tail []int
	for i := range c.Len() {
		all = append(all, i)
	}
	head, tail = all[:split], all[split:]
	for _, threshold := range thresholds {
		t.Run(fmt.Sprintf("threshold=%v", threshold), func(t *testing.T) {
			var self, cross []similarity.Pair
			for i := range c.Len() {
				for j := i + 1; j < c.Len(); j++ {
					if s := c.Score(i, j); s >= threshold {
						self = append(self, similarity.Pair{A: i, B: j, Score: s})
						if i < split && j >= split {
							cross = append(cross, similarity.Pair{A: i, B: j - split, Score: s})
						}
					}
				}
			}
			for _, workers := range []int{1, 3} {
				o := similarity.JoinOptions{Threshold: threshold, Workers: workers}
				checkJoin(t, m, "self-join", self, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
					return c.Join(context.Background(), nil, o, emit)
				})
				checkJoin(t, m, "join", cross, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
					return c.Pick(head).Join(context.Background(), c.Pick(tail), o, emit)
				})
			}
			o := similarity.JoinOptions{Threshold: threshold}
			none := func(similarity.Pair) error { t.Errorf("%s: a pair in a join with nothing", m); return nil }
			if _, err := c.Join(context.Background(), c.Pick(nil), o, none); err != nil {
				t.Errorf("%s: join with nothing: %v", m, err)
			}
			if _, err := c.Pick(nil).Join(context.Background(), nil, o, none); err != nil {
				t.Errorf("%s: self-join of nothing: %v", m, err)
			}
			stop := errors.New("stop")
			if _, err := c.Join(context.Background(), nil, o, func(similarity.Pair) error { return stop }); len(self) > 0 && !errors.Is(err, stop) {
				t.Errorf("%s: the error of emit is lost: %v", m, err)
			}
			grouped(t, m, c, o)
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Join(ctx, nil, similarity.JoinOptions{Threshold: 0.5}, func(similarity.Pair) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%s: cancelled join gives %v", m, err)
	}
	if _, err := c.Join(context.Background(), nil, similarity.JoinOptions{}, nil); err == nil {
		t.Errorf("%s: no error for a join at threshold 0", m)
	}
}

func checkJoin[M fmt.Stringer](t *testing.T, m M, what string, want []similarity.Pair, join func(func(similarity.Pair) error) (similarity.JoinStats, error)) {
	t.Helper()
	var got []similarity.Pair
	st, err := join(func(p similarity.Pair) error { got = append(got, p); return nil })
	if err != nil {
		t.Fatalf("%s: %s: %v", m, what, err)
	}
	if st.Pairs != int64(len(got)) || st.Design == "" || st.Recall <= 0 || st.Recall > 1 {
		t.Errorf("%s: %s: statistics %+v for %d pairs", m, what, st, len(got))
	}
	if st.Recall == 1 {
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s by %s finds %v, want %v", m, what, st.Design, got, want)
		}
		return
	}
	k := 0
	for _, p := range got { // a subsequence of all the pairs
		for k < len(want) && want[k] != p {
			k++
		}
		if k == len(want) {
			t.Errorf("%s: %s by %s: pair %v is false, out of order or a repetition", m, what, st.Design, p)
			return
		}
		k++
	}
}

// grouped checks JoinGrouped by its promise: ascending, and the components of the
// full join of the same collection.
func grouped[M fmt.Stringer](t *testing.T, m M, c similarity.Collection, o similarity.JoinOptions) {
	components := func(join func(func(similarity.Pair) error) (similarity.JoinStats, error)) []int {
		least := make([]int, c.Len())
		for i := range least {
			least[i] = i
		}
		last := similarity.Pair{A: -1}
		st, err := join(func(p similarity.Pair) error {
			if p.A >= p.B || p.A < last.A || p.A == last.A && p.B <= last.B {
				t.Errorf("%s: pair %v comes after %v", m, p, last)
			}
			if p.Score != c.Score(p.A, p.B) {
				t.Errorf("%s: pair %v, score is %v", m, p, c.Score(p.A, p.B))
			}
			last = p
			x, y := least[p.A], least[p.B]
			for i := range least {
				if least[i] == max(x, y) {
					least[i] = min(x, y)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", m, err)
		}
		if st.Recall < 1 {
			return nil
		}
		return least
	}
	want := components(func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
		return c.Join(context.Background(), nil, o, emit)
	})
	got := components(func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
		return similarity.JoinGrouped(context.Background(), c, o, emit)
	})
	if !slices.Equal(got, want) {
		t.Errorf("%s: grouped join gives the components %v, want %v", m, got, want)
	}
}

// buckets checks that alike sketches share a key, that keys are as they should be,
// and that the groups are those of equal sketches.
func buckets[S any, M similarity.Sketcher[S]](t *testing.T, m M, sketches []S) {
	k, ok := any(m).(similarity.Bucketer[S])
	if !ok {
		return
	}
	for _, threshold := range thresholds {
		tried := map[string]bool{}
		for _, documents := range []int64{0, 1e6, 8e9} {
			b, err := k.Buckets(similarity.JoinOptions{Threshold: threshold, Documents: documents})
			if err != nil {
				t.Errorf("%s: buckets at %v for %d documents: %v", m, threshold, documents, err)
				continue
			}
			if !tried[b.Design] {
				bucketsShared(t, m, b, threshold, sketches)
			}
			tried[b.Design] = true
		}
	}
}

func bucketsShared[S any, M similarity.Sketcher[S]](t *testing.T, m M, b similarity.Buckets[S], threshold float64, sketches []S) {
	if b.Tables < 1 || b.Tables > 256 || b.Design == "" {
		t.Errorf("%s: %d tables, design %q", m, b.Tables, b.Design)
	}
	if r := b.Recall(threshold); r < similarity.DefaultRecall || r > 1 {
		t.Errorf("%s: recall %v at the threshold %v of %s", m, r, threshold, b.Design)
	}
	keys := make([]map[similarity.Key]bool, len(sketches))
	for i, s := range sketches {
		list := b.Append(nil, s)
		if m.Empty(s) && len(list) > 0 {
			t.Errorf("%s: an empty sketch has keys", m)
		}
		keys[i] = make(map[similarity.Key]bool)
		for at, key := range list {
			if int(key.Table) >= b.Tables || keys[i][key] {
				t.Errorf("%s: key %v of %d tables, or a repetition", m, key, b.Tables)
			}
			if at > 0 && (key.Table < list[at-1].Table || key.Table == list[at-1].Table && key.Bucket < list[at-1].Bucket) {
				t.Errorf("%s: key %v comes after %v", m, key, list[at-1])
			}
			keys[i][key] = true
		}
	}
	for i := range sketches {
		for j := range i + 1 {
			s := m.Score(sketches[i], sketches[j])
			if s < threshold || b.Recall(s) < 1 {
				continue
			}
			shared := false
			for key := range keys[i] {
				shared = shared || keys[j][key]
			}
			if !shared {
				t.Errorf("%s: texts %d and %d score %v and share no bucket of %s at %v", m, i, j, s, b.Design, threshold)
			}
		}
	}
}

func groups[S any, M similarity.Sketcher[S]](t *testing.T, m M, sketches []S) {
	c := similarity.Hide(m).NewCollection()
	for range 2 {
		for _, tx := range Texts() {
			c.Add(tx.Text)
		}
	}
	n := len(sketches)
	code := func(i int) []byte { return m.AppendSketch(nil, sketches[i%n]) }
	for i, got := range c.Groups() {
		want := i
		for j := 0; j < i && !m.Empty(sketches[i%n]); j++ {
			if !m.Empty(sketches[j%n]) && bytes.Equal(code(i), code(j)) {
				want = j
				break
			}
		}
		if got != want {
			t.Errorf("%s: document %d is in the group of %d, want %d", m, i, got, want)
		}
	}
}
