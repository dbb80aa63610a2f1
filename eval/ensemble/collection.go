package ensemble

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// collection is a collection of each member, over the same documents.
type collection struct {
	m     *Method
	parts []similarity.Collection
}

// NewCollection returns an empty collection.
func (m *Method) NewCollection() similarity.Collection {
	c := &collection{m: m, parts: make([]similarity.Collection, len(m.members))}
	for i, x := range m.members {
		c.parts[i] = x.NewCollection()
	}
	return c
}

// Add extracts features once for all members that share them.
func (c *collection) Add(text string) {
	var features []feature.Feature
	for _, g := range c.m.groups {
		if g.features == nil || len(g.members) == 1 {
			for _, i := range g.members {
				c.parts[i].Add(text)
			}
			continue
		}
		features = g.features.Append(features[:0], text)
		for _, i := range g.members {
			c.parts[i].AddFeatures(features)
		}
	}
}

func (c *collection) AddFeatures(features []feature.Feature) {
	if c.m.Features() == nil {
		panic(fmt.Sprintf("ensemble: the members of %s do not share their features", c.m))
	}
	for _, p := range c.parts {
		p.AddFeatures(features)
	}
}

// same returns other as what it is, and panics unless it is of the same members.
func (c *collection) same(other similarity.Collection) *collection {
	o, ok := other.(*collection)
	if !ok || o.m.Settings() != c.m.Settings() {
		panic(fmt.Sprintf("ensemble: a collection of %s beside one of another method", c.m))
	}
	return o
}

func (c *collection) Append(other similarity.Collection) {
	for i, p := range c.same(other).parts {
		c.parts[i].Append(p)
	}
}

func (c *collection) Len() int { return c.parts[0].Len() }

// Empty reports whether the document is empty to every member.
func (c *collection) Empty(i int) bool { return c.all(i, similarity.Collection.Empty) }

// Blank reports whether it is blank to every member.
func (c *collection) Blank(i int) bool { return c.all(i, similarity.Collection.Blank) }

func (c *collection) all(i int, is func(similarity.Collection, int) bool) bool {
	for _, p := range c.parts {
		if !is(p, i) {
			return false
		}
	}
	return true
}

func (c *collection) Bytes(i int) int {
	sum := 0
	for _, p := range c.parts {
		sum += p.Bytes(i)
	}
	return sum
}

// mean is a weighted mean in the making. A member to which both documents are empty says
// nothing; one to which only one of them is says 0, as it does of any text.
type mean struct{ sum, weights, most float64 }

func (x *mean) add(weight, score float64) {
	x.sum += float64(weight * score)
	x.weights += weight
	x.most = max(x.most, score)
}

// score is never more than the greatest of the scores, whatever rounding does: Join rests on it.
func (x *mean) score() float64 {
	if x.weights == 0 {
		return 0
	}
	return min(x.sum/x.weights, x.most)
}

// Score takes the members' scores as float32, as their rows are.
func (c *collection) Score(i, j int) float64 {
	var x mean
	for k, p := range c.parts {
		if !p.Empty(i) || !p.Empty(j) {
			x.add(c.m.weights[k], float64(float32(p.Score(i, j))))
		}
	}
	return x.score()
}

func (c *collection) Scores(i, from int, dst []float32) {
	row := make([]float32, len(dst))
	means := make([]mean, len(dst))
	for k, p := range c.parts {
		p.Scores(i, from, row)
		empty := p.Empty(i)
		for n, s := range row {
			if !empty || !p.Empty(from+n) {
				means[n].add(c.m.weights[k], float64(s))
			}
		}
	}
	for n := range means {
		dst[n] = float32(means[n].score())
	}
}

// Containment is not something that weights for likeness tell.
func (c *collection) Containment(i, j int) (float64, bool) { return 0, false }

func (c *collection) Buckets(similarity.JoinOptions) (similarity.Buckets[int], error) {
	return similarity.Buckets[int]{}, fmt.Errorf("ensemble: %s: %w", c.m, similarity.ErrNoBuckets)
}

// Groups puts together what every member does.
func (c *collection) Groups() []int {
	out := c.parts[0].Groups()
	for _, p := range c.parts[1:] {
		first := map[[2]int]int{}
		for i, g := range p.Groups() {
			key := [2]int{out[i], g}
			at, ok := first[key]
			if !ok {
				at = i
				first[key] = i
			}
			out[i] = at
		}
	}
	return out
}

func (c *collection) Pick(docs []int) similarity.Collection {
	out := &collection{m: c.m, parts: make([]similarity.Collection, len(c.parts))}
	for i, p := range c.parts {
		out.parts[i] = p.Pick(docs)
	}
	return out
}

// Save writes a header and what each member saves, behind its length.
func (c *collection) Save(w io.Writer) error {
	bw := bufio.NewWriter(w)
	head := similarity.AppendHeader(nil, "collection", c.m.Settings())
	bw.Write(binary.AppendUvarint(nil, uint64(len(head))))
	bw.Write(head)
	var buf bytes.Buffer
	for _, p := range c.parts {
		buf.Reset()
		if err := p.Save(&buf); err != nil {
			return err
		}
		bw.Write(binary.AppendUvarint(nil, uint64(buf.Len())))
		bw.Write(buf.Bytes())
	}
	if err := bw.Flush(); err != nil {
		return fmt.Errorf("ensemble: save: %w", err)
	}
	return nil
}

func (c *collection) Load(r io.Reader) error {
	br := bufio.NewReader(r)
	head, err := readBlock(br, 1<<20)
	if err != nil {
		return err
	}
	if _, err := similarity.CheckHeader(head, "collection", c.m.Settings()); err != nil {
		return err
	}
	loaded := c.m.NewCollection().(*collection)
	for i, p := range loaded.parts {
		block, err := readBlock(br, 1<<50)
		if err != nil {
			return err
		}
		if err := p.Load(bytes.NewReader(block)); err != nil {
			return err
		}
		if p.Len() != loaded.Len() {
			return fmt.Errorf("ensemble: %d documents of %s, %d of %s: %w", p.Len(), c.m.members[i], loaded.Len(), c.m.members[0], similarity.ErrFormat)
		}
	}
	c.Append(loaded)
	return nil
}

// readBlock reads a length and that many bytes; its buffer grows as they come.
func readBlock(br *bufio.Reader, most uint64) ([]byte, error) {
	n, err := binary.ReadUvarint(br)
	if err != nil || n > most {
		return nil, fmt.Errorf("ensemble: bad length: %w", similarity.ErrFormat)
	}
	var buf bytes.Buffer
	if _, err := io.CopyN(&buf, br, int64(n)); err != nil {
		return nil, fmt.Errorf("ensemble: cut short: %w", similarity.ErrFormat)
	}
	return buf.Bytes(), nil
}
