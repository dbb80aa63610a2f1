package local

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// whyFile says of each removed row why it was.
const whyFile = "why.jsonl"

// Removal says of a removed row why it was: a line of why.jsonl.
type Removal struct {
	ID string `json:"id,omitempty"`
	dedup.Ref
	At string `json:"at"` // file and line

	// Reason is equal (the texts are equal after cleaning), alike, judged (a
	// person says that they are the same), first (the first document of a
	// cluster, with the policy none), leaked (a test document occurs in it), or
	// unreadable (the row holds no document). With Options.Below it is cut (the
	// document stays without some of its text) or short (too little was left).
	// With LeakOptions.Cut it may be cut too.
	Reason string `json:"reason"`

	Score   float64 `json:"score,omitempty"`
	Method  string  `json:"method,omitempty"` // of the score
	Cluster int     `json:"cluster,omitempty"`
	Kept    *Kept   `json:"kept,omitempty"` // with the policy none, the first of the cluster

	// Shared is the longest passages of both texts, as the removed one has them.
	Shared []string `json:"shared,omitempty"`

	// Cuts is the text that was cut out, by Options.Below or LeakOptions.Cut.
	Cuts []Cut `json:"cuts,omitempty"`

	// Rule is the rule by which a test document has leaked, if there are two (see
	// Leak), and Words the length of the longest passage.
	Rule  string `json:"rule,omitempty"`
	Words int    `json:"words,omitempty"`

	// Error is the error of a row that holds no document. Raw is its bytes, which
	// could make other rows unreadable if they were in the same file.
	Error string `json:"error,omitempty"`
	Raw   []byte `json:"raw,omitempty"`
}

// Kept names the document that is kept in the place of another.
type Kept struct {
	ID string `json:"id"`
	dedup.Ref
	At string `json:"at"`

	// Against is that of a Place.
	Against bool `json:"against,omitempty"`
}

// Cut is text that was cut out of a document: bytes of the text as it was read, from
// Start to the one before End.
type Cut struct {
	Start int `json:"start"`
	End   int `json:"end"`

	// Kept is the same text where Options.Below keeps it. It is nil with the
	// policy none.
	Kept *KeptText `json:"kept,omitempty"`

	// Test is the test document that has it, of LeakOptions.Cut.
	Test *Kept `json:"test,omitempty"`
}

// KeptText is where text stands that is kept for a Cut. The bytes are of the text as
// it was read, which may have cuts of its own elsewhere.
type KeptText struct {
	Kept
	Start int `json:"start"`
	End   int `json:"end"`
}

// removals calls emit with what became of each removed row, in input order.
func (w *writer) removals(ctx context.Context, m *members, emit func(*Removal) error) error {
	method := w.o.Method
	if w.o.Verify != nil {
		method = w.o.Verify
	}
	name := method.String()
	return parallel.Ordered(ctx, w.o.Workers, func(_ context.Context, emit func(int) error) error {
		for i, row := range m.rows {
			if _, reason, _ := w.kept(int(row)); reason != "" {
				if err := emit(i); err != nil {
					return err
				}
			}
		}
		return nil
	}, func(i int) (*Removal, error) {
		row := m.rows[i]
		k, reason, score := w.kept(int(row))
		out := &Removal{ID: m.id(i), Ref: w.ref(int(row)), At: m.at(i), Reason: reason}
		if reason == reasonBad {
			out.Error = w.bad[int(row)].Error()
			raw, err := m.content.at(i)
			if raw != "" {
				out.Raw = []byte(raw)
			}
			return out, err
		}
		j := m.find(k)
		out.Score, out.Cluster = score, w.cluster(k)
		if reason == reasonFirst {
			return out, nil
		}
		out.Kept = &Kept{m.id(j), w.ref(int(k)), m.at(j), int(k) < w.oldRows}
		if reason == reasonAlike || reason == reasonJudged {
			out.Method = name
		}
		if !w.o.Explain {
			return out, nil
		}
		a, err := m.content.at(i)
		if err != nil {
			return nil, err
		}
		b, err := m.content.at(j)
		if err != nil {
			return nil, err
		}
		out.Shared = Shared(method, a, b)
		return out, nil
	}, emit)
}

// writeWhy writes the reasons, and passes them on.
func (w *writer) writeWhy(ctx context.Context, m *members) (err error) {
	w.nameExamples(m)
	file := io.Discard
	if w.work != nil {
		f, err := create(filepath.Join(w.made, whyFile))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.close()) }()
		file = f
	}
	out := bufio.NewWriterSize(file, 1<<16)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	err = w.removals(ctx, m, func(why *Removal) error {
		if w.o.OnRemoved != nil {
			if err := w.o.OnRemoved(*why); err != nil {
				return err
			}
		}
		if err := enc.Encode(why); err != nil {
			return fmt.Errorf("dedup: %s: %w", whyFile, err)
		}
		return nil
	})
	return errors.Join(err, out.Flush())
}

// Shared returns the longest passages that two texts share, at most three, in the
// words and the order of the first.
func Shared(m similarity.Method, a, b string) []string {
	e, ok := m.Explain(a, b)
	if !ok {
		return nil
	}
	return longest(a, e.Evidence)
}
