package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math/bits"
	"time"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/index/plan"
	"github.com/alike-go/alike/internal/extsort"
	"github.com/alike-go/alike/simhash/hamming"
	"github.com/alike-go/alike/similarity"
)

// methodCost is what a document costs under a method; times are of a processor.
type methodCost struct {
	Method    string  `json:"method"`
	Threshold float64 `json:"threshold"`
	Documents int64   `json:"documents"` // that the layout is for; 0 where it does not depend on it
	Design    string  `json:"design"`
	Docs      int     `json:"docs"`       // measured
	Text      float64 `json:"text"`       // bytes of a document
	Line      float64 `json:"line"`       // bytes of its line of JSON
	Read      float64 `json:"read"`       // seconds to read it
	Sketch    float64 `json:"sketch"`     // seconds to sketch it
	Size      float64 `json:"size"`       // bytes of its sketch
	Keys      float64 `json:"keys"`       // of a document
	KeySecond float64 `json:"key_second"` // seconds to make them
}

// began is when the process did, roughly.
var began = time.Now()

// recordBytes is a key as it is shuffled: the bucket and its table, the fingerprint, the number.
const recordBytes = 8 + 8 + 8

// yardstick returns documents of 2.6 kB as lines of JSON.
func yardstick(docs int) (lines []byte, text int, err error) {
	o, _ := plant.Yardstick(1)
	m, err := plant.NewMaker(o)
	if err != nil {
		return nil, 0, err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	for d, err := range m.Docs(0, uint64(docs)) {
		if err != nil {
			return nil, 0, err
		}
		text += len(d.Text)
		if err := enc.Encode(map[string]string{"id": d.ID, "text": d.Text}); err != nil {
			return nil, 0, err
		}
	}
	return out.Bytes(), text, nil
}

func measurePipeline(ctx context.Context, _ *lab) (out []record, err error) {
	const docs = 20_000
	lines, text, err := yardstick(docs)
	if err != nil {
		return nil, err
	}
	texts := make([]string, 0, docs)
	start := cpu()
	r, err := datasets.Open(datasets.Source{Path: "-", Input: bytes.NewReader(lines), Format: "jsonl"})
	if err != nil {
		return nil, err
	}
	for row, err := range r.Rows() {
		if err != nil {
			return nil, err
		}
		texts = append(texts, row.Doc.Text)
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	read := (cpu() - start).Seconds() / docs
	var sketch float64
	for _, c := range []struct {
		spec      string
		threshold float64
		documents int64
	}{
		{"simhash:score=linear", threshold, 1e6}, {"simhash:score=linear", threshold, 1e9}, {"simhash:score=linear", threshold, 8e9},
		{"minhash:bits=8", 0.8, 0}, {"shingle:width=3", 0.8, 0}, {"winnow", 0.8, 0},
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, err := catalog.Parse(c.spec)
		if err != nil {
			return nil, err
		}
		k := methodCost{Method: m.String(), Threshold: c.threshold, Documents: c.documents, Docs: docs, Text: float64(text) / docs, Line: float64(len(lines)) / docs, Read: read}
		all, err := similarity.NewCoder(m)
		if err != nil {
			return nil, err
		}
		start := cpu()
		for _, t := range texts {
			all.Add(t)
		}
		k.Sketch = (cpu() - start).Seconds() / docs
		layout, err := all.Buckets(similarity.JoinOptions{Threshold: c.threshold, Documents: c.documents})
		if err != nil {
			return nil, err
		}
		var keys []similarity.Key
		var sketched []byte
		start = cpu()
		for i := range all.Len() {
			keys = layout.Append(keys, i)
			if len(keys) > 1<<16 {
				k.Keys += float64(len(keys))
				keys = keys[:0]
			}
		}
		k.KeySecond = (cpu() - start).Seconds() / docs
		k.Keys = (k.Keys + float64(len(keys))) / docs
		for i := range all.Len() {
			sketched = all.AppendSketch(sketched[:0], i)
			k.Size += float64(len(sketched)) / docs
		}
		k.Design = layout.Design
		if sketch == 0 {
			sketch = (read + k.Sketch) / k.Text
		}
		log.Printf("%s: %s a second and core, %.1f keys a document", k.Method, plan.Bytes(k.Text/k.Sketch), k.Keys)
		out = append(out, record{Method: &k})
	}
	p := plan.Pipeline{Sketch: sketch, Record: recordBytes, Candidate: candidateCost()}
	if p.Key, err = sortCost(); err != nil {
		return nil, err
	}
	if p.Batch, err = batchCost(ctx); err != nil {
		return nil, err
	}
	log.Printf("a key %s, a candidate %s, a fingerprint held against a million queries %s", plan.Seconds(p.Key), plan.Seconds(p.Candidate), plan.Seconds(p.Batch))
	return append(out, record{Pipeline: &p}), nil
}

// sortCost returns the seconds that a key takes to be made, sorted through files, as dedup does, and
// met again, on one core.
func sortCost() (float64, error) {
	const docs = 1 << 20
	d, err := hamming.Blocks(64, distance, 6)
	if err != nil {
		return 0, err
	}
	keys := hamming.NewKeys(d)
	start := cpu()
	s := extsort.New("", 64<<20) // an eighth of what is sorted, so that there are runs to merge
	defer s.Close()
	batch := make([]extsort.Record, 0, 20*64)
	for i := range int64(docs) {
		f, _ := made{}.fingerprint(i)
		for t := range d.Tables {
			k := keys.Of(t, hamming.Code{Lo: f})
			batch = append(batch, extsort.Record{uint64(t)<<56 | k>>8, k<<56 | uint64(i)})
		}
		if len(batch) == cap(batch) {
			if err := s.Add(batch...); err != nil {
				return 0, err
			}
			batch = batch[:0]
		}
	}
	if err := s.Add(batch...); err != nil {
		return 0, err
	}
	var met, last uint64
	err = s.Each(func(r extsort.Record) error {
		if r[0] == last {
			met++
		}
		last = r[0]
		return nil
	})
	if err == nil && met == 0 {
		err = fmt.Errorf("no copy of a fingerprint met it")
	}
	return (cpu() - start).Seconds() / float64(docs*len(d.Tables)), err
}

// candidateCost returns the seconds that two fingerprints of a bucket take to be compared.
func candidateCost() float64 {
	const size, buckets = 256, 2000
	words := make([]uint64, size*buckets)
	for i := range words {
		words[i], _ = made{}.fingerprint(int64(i))
	}
	near, pairs := 0, 0
	start := cpu()
	for from := 0; from < len(words); from += size {
		bucket := words[from : from+size]
		for i, w := range bucket {
			for _, other := range bucket[:i] {
				if bits.OnesCount64(w^other) <= distance {
					near++
				}
			}
		}
		pairs += size * (size - 1) / 2
	}
	took := (cpu() - start).Seconds() / float64(pairs)
	if near > pairs/2 {
		log.Print("half of all fingerprints are alike") // keeps the comparisons from being dropped
	}
	return took
}

// batchCost returns the seconds that a stored fingerprint takes to be held against a million
// queries, on one core.
func batchCost(ctx context.Context) (float64, error) {
	const queries, stored = 1_000_000, 8_000_000
	a, b := hamming.NewCodes(64, queries), hamming.NewCodes(64, stored)
	for i := range int64(stored) {
		f, original := made{}.fingerprint(i)
		b.Append(hamming.Code{Lo: f})
		if i < queries {
			if original >= 0 {
				f ^= 1 << 63
			}
			a.Append(hamming.Code{Lo: f})
		}
	}
	start := cpu()
	st, err := hamming.Join(ctx, a, b, distance, hamming.JoinOptions{Workers: 1}, func(hamming.Pair) error { return nil })
	if err == nil && st.Pairs < queries*99/100 {
		err = fmt.Errorf("%d queries have %d answers", queries, st.Pairs)
	}
	return (cpu() - start).Seconds() / stored, err
}
