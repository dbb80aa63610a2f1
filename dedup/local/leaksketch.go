package local

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/internal/durable"
)

// A file of test sketches is a file of frames: the header, and frames of test
// documents. A test document is, with numbers as unsigned varints:
//
//	the number of its set
//	its id and its place, each behind its length in bytes
//	its source and its row
//	the number of its parts, which is 0 if it has no words
//	for each part its field, the number of words if they are fewer than a
//	feature has, or else 0, the hashes of these, the number of features, and
//	their hashes in order; a hash has 8 bytes, the lowest first
const (
	testMagic   = "alike test sketches\n"
	testVersion = 1
)

// TestSketches is the header of a file of test sketches. It holds what training data
// must be compared with.
type TestSketches struct {
	Version  int    `json:"version"`
	Features string `json:"features"` // as the catalog reads them, with the seed
	Settings string `json:"settings"` // all of them
	Mask     string `json:"mask,omitempty"`

	Sets []testSketchSet `json:"sets"`
}

type testSketchSet struct {
	Name     string `json:"name,omitempty"`
	Revision string `json:"revision,omitempty"`
	Sample   bool   `json:"sample,omitempty"`
	Fields   bool   `json:"fields,omitempty"` // question and answer
	Sources  int    `json:"sources"`
	Items    int    `json:"items"`
}

// IsTestSketches reports whether a file begins like a file of test sketches.
func IsTestSketches(path string) bool { return begins(path, testMagic) }

// ReadTestSketches returns the header of a file of test sketches.
func ReadTestSketches(path string) (*TestSketches, error) {
	h, f, err := openTestSketches(path)
	if err != nil {
		return nil, err
	}
	return h, f.close()
}

func openTestSketches(path string) (*TestSketches, *frameReader, error) {
	h := &TestSketches{}
	f, err := openFrames(path, testMagic, h)
	if err != nil {
		return nil, nil, err
	}
	if h.Version != testVersion {
		err = fmt.Errorf("dedup: %s: version %d of test sketches, want %d", path, h.Version, testVersion)
	} else if len(h.Sets) == 0 {
		err = f.damaged(errors.New("it names no test sets"))
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.close())
	}
	return h, f, nil
}

// WriteTestSketches writes the test sets of o to a file, as hashes of their features
// and without their texts. FindLeaks takes the file as LeakOptions.Sketches. The file
// appears when it is complete. Hashes are salted with the seed of the features, which
// stands in the file: anyone who has a text can test whether it is listed.
func WriteTestSketches(ctx context.Context, path string, o LeakOptions) (*LeakReport, error) {
	o.Train, o.Threshold, o.Sketches, o.Passage = make([]datasets.Source, 1), 1, "", Passage{} // none is used
	if err := o.check(); err != nil {
		return nil, err
	}
	l, err := newLeaks(o)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(l.readTests(ctx), l.checkTests()); err != nil {
		return nil, err
	}
	h := TestSketches{Version: testVersion, Features: o.Features.String(), Settings: o.Features.Settings(), Mask: o.Mask.String()}
	for i, s := range l.o.Tests {
		h.Sets = append(h.Sets, testSketchSet{s.Name, s.Revision, s.Sample, s.fields(), len(s.Sources), l.report.Sets[i].Test})
	}
	err = durable.Write(path, func(to io.Writer) error {
		w, err := newFrameWriter(to, testMagic, h)
		if err != nil {
			return err
		}
		var b []byte
		parts := l.parts
		for i := range l.items {
			n := 0
			for n < len(parts) && int(parts[n].item) == i {
				n++
			}
			b = l.items[i].append(b, parts[:n])
			if parts = parts[n:]; len(b) >= chunkBytes {
				if err := w.frame(b); err != nil {
					return err
				}
				b = b[:0]
			}
		}
		if len(b) > 0 {
			if err := w.frame(b); err != nil {
				return err
			}
		}
		return w.close()
	})
	return &l.report, prefixed(err)
}

// append appends an item and its parts to the content of a frame.
func (it *testItem) append(b []byte, parts []testPart) []byte {
	number := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	hashes := func(all []uint64) {
		number(len(all))
		for _, h := range all {
			b = binary.LittleEndian.AppendUint64(b, h)
		}
	}
	number(it.set)
	for _, s := range []string{it.id, it.at} {
		number(len(s))
		b = append(b, s...)
	}
	number(it.ref.Source)
	number(it.ref.Row)
	number(len(parts))
	for _, p := range parts {
		number(int(p.field))
		hashes(p.words)
		hashes(p.seq)
	}
	return b
}

// testItem returns the next item of a frame and its parts.
func (c *cursor) testItem() (it testItem, parts []testPart) {
	hashes := func() (all []uint64) {
		for b := c.take(8 * c.number(len(c.b)/8)); len(b) > 0; b = b[8:] {
			all = append(all, binary.LittleEndian.Uint64(b))
		}
		return all
	}
	it.set = c.number(math.MaxInt32)
	it.id = string(c.take(c.number(len(c.b))))
	it.at = string(c.take(c.number(len(c.b))))
	it.ref = dedup.Ref{Source: c.number(math.MaxInt32), Row: c.number(math.MaxInt)}
	for range c.number(2) {
		parts = append(parts, testPart{field: fields(c.number(int(answerField))), words: hashes(), seq: hashes()})
	}
	return it, parts
}

// loadTests reads the test documents of a file of test sketches.
func (l *leaks) loadTests(ctx context.Context) (err error) {
	h, f, err := openTestSketches(l.o.Sketches)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	if got := l.o.Features.Settings(); h.Settings != got || h.Mask != l.o.Mask.String() {
		return fmt.Errorf("dedup: %s was made with other settings: %s, masked %q; this run has %s, %q", l.o.Sketches, h.Settings, h.Mask, got, l.o.Mask)
	}
	l.o.Tests, l.report.Sets = nil, nil
	first := 0
	for _, s := range h.Sets {
		l.o.Tests = append(l.o.Tests, TestSet{Name: s.Name, Revision: s.Revision, Sample: s.Sample, separate: s.Fields, first: first})
		l.report.Sets = append(l.report.Sets, SetReport{Name: s.Name, Revision: s.Revision, Sample: s.Sample, Fields: s.Fields})
		first += s.Sources
	}
	for {
		b, err := f.frame()
		if err == nil && len(b) == 0 {
			err = f.end()
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		for c := (cursor{b: b}); len(c.b) > 0; {
			it, parts := c.testItem()
			if c.short || it.set >= len(l.o.Tests) {
				return f.damaged(errPart)
			}
			l.add(it, parts)
		}
		l.o.Progress("test", float64(f.at)/float64(f.size))
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for i, s := range h.Sets {
		if got := l.report.Sets[i].Test; got != s.Items {
			return f.damaged(fmt.Errorf("%d documents of test set %d, want %d", got, i+1, s.Items))
		}
	}
	return nil
}
