package extsort

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// cursor goes through a sorted slice, and fails instead of reaching an element.
type cursor struct {
	at, fail int
	left     []int
}

var errCursor = errors.New("bad cursor")

func (c *cursor) next() (bool, error) {
	if len(c.left) == 0 {
		return false, nil
	}
	if c.at, c.left = c.left[0], c.left[1:]; c.at == c.fail {
		return false, errCursor
	}
	return true, nil
}

func merge(runs [][]int, fail int, do func(int) error) error {
	var cursors []*cursor
	for _, run := range runs {
		cursors = append(cursors, &cursor{fail: fail, left: run})
	}
	return Merge(cursors, (*cursor).next, func(a, b *cursor) int { return a.at - b.at }, func(c *cursor) error { return do(c.at) })
}

// The outcome is what sorting all elements gives.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 300 {
		runs := make([][]int, r.IntN(12))
		var want []int
		for i := range runs {
			for range r.IntN(9) {
				runs[i] = append(runs[i], r.IntN(20))
			}
			slices.Sort(runs[i])
			want = append(want, runs[i]...)
		}
		slices.Sort(want)
		var got []int
		if err := merge(runs, -1, func(n int) error { got = append(got, n); return nil }); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v: merged to %v, %v, want %v", runs, got, err, want)
		}
	}
}

// An error of a cursor, first or later, and one of do end the merge.
func TestMergeFails(t *testing.T) {
	runs := [][]int{{1, 4}, {2, 5}, {3}}
	errDo := errors.New("bad element")
	for _, c := range []struct {
		fail, refuse int
		want         error
		done         []int
	}{
		{2, -1, errCursor, nil},
		{4, -1, errCursor, []int{1}},
		{-1, 3, errDo, []int{1, 2}},
	} {
		var done []int
		err := merge(runs, c.fail, func(n int) error {
			if n == c.refuse {
				return errDo
			}
			done = append(done, n)
			return nil
		})
		if !errors.Is(err, c.want) || !slices.Equal(done, c.done) {
			t.Errorf("%+v: done %v, error %v", c, done, err)
		}
	}
}
