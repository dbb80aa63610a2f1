package local

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// Where a join has more pairs than the memory holds, buckets take its place, to the same
// bytes.
func TestJoinOfTooManyPairs(t *testing.T) {
	dir := t.TempDir()
	docs := make([]string, 1600) // more than a million pairs
	for i := range docs {
		docs[i] = strings.Join([]string{"a b c d e f g h i", fmt.Sprint("x", i)}, " ")
	}
	o := Options{Sources: []datasets.Source{{Path: jsonl(t, dir, "a", docs)}}, Method: exact(t), Verify: exact(t), Threshold: .6}
	var want map[string]string
	for _, memory := range []int64{defaultMemory, leastMemory} {
		o.Memory, o.Out = memory, filepath.Join(dir, fmt.Sprint(memory))
		rep, err := Run(context.Background(), o)
		if err != nil || rep.Kept != 1 {
			t.Fatalf("%+v, %v", rep, err)
		}
		got := readTree(t, o.Out)
		delete(got, reportFile)
		if want == nil {
			want = got
		} else if !reflect.DeepEqual(got, want) {
			t.Error("the memory changes the outputs")
		}
	}
}
