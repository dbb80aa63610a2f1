package index

import (
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/dedup"
)

// AddIfNew adds a document unless one alike to it is in the index, or was added
// before it in the batch: the check and the insert of a crawler. The result of a
// document that was not added names the most alike one. A document that is there
// under the same id with the same content is Same, so a batch can be repeated.
//
// If two callers add the same content at the same time under different ids, one
// adds it and it is Known for the other, on every backend. If they add
// near-duplicates at the same time, a Serial store lets one of them win. On other
// stores both may be added, and a query finds both.
//
// Limits are those of QueryOptions: only a pair that counts keeps a document out.
// With limits that holds for equal content too: a store that is not Serial may add
// both.
func (x *Index) AddIfNew(ctx context.Context, docs []Doc, l dedup.Limits) ([]Result, error) {
	if err := x.header.CheckLimits(l); err != nil {
		return nil, err
	}
	if x.store.Serial() {
		x.serial.Lock()
		defer x.serial.Unlock()
	}
	entries, err := x.entries(docs)
	if err != nil {
		return nil, err
	}
	results := make([]Result, len(docs))
	for from := 0; from < len(entries); from += batchDocs {
		to := min(from+batchDocs, len(entries))
		if err := x.addIfNew(ctx, entries[from:to], results[from:to], l); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// addIfNew adds the new entries of a part of a batch. It queries all of them at
// once. It queries an entry again if entries added since may change its answer.
func (x *Index) addIfNew(ctx context.Context, entries []Entry, results []Result, l dedup.Limits) error {
	s := x.take()
	defer x.give(s)
	var asked []int
	for i, e := range entries {
		if e.Postings == nil {
			results[i].State = Empty
			continue
		}
		if err := s.docs.AddSketch(e.Sketch); err != nil {
			return err
		}
		asked = append(asked, i)
	}
	answers, err := x.query(ctx, s, x.join.Threshold, 0, nil)
	if err != nil {
		return err
	}
	p := &pending{x: x, limited: l.Any(), results: results, ids: map[string]bool{}, buckets: map[Posting][]int{}}
	for k, i := range asked {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, matches := entries[i], answers[k]
		if p.touches(e, matches, s.word.Within) {
			// What it may be alike to must be in the index before the query.
			if err := p.flush(ctx); err != nil {
				return err
			}
			s.docs.Truncate(0)
			if err := s.docs.AddSketch(e.Sketch); err != nil {
				return err
			}
			again, err := x.query(ctx, s, x.join.Threshold, 0, nil)
			if err != nil {
				return err
			}
			matches = again[0]
		}
		same := func(m Match) bool { return m.ID == e.ID && m.Hash == e.Hash }
		if k := slices.IndexFunc(matches, same); k >= 0 {
			results[i] = Result{State: Same, Number: matches[k].Number}
			continue
		}
		if l.Any() {
			own := x.header.Values(l, e.Fields)
			matches = slices.DeleteFunc(matches, func(m Match) bool { return !l.Counts(own, x.header.Values(l, m.Fields)) })
		}
		if len(matches) == 0 {
			p.add(e, i)
			continue
		}
		results[i] = Result{State: Known, Number: matches[0].Number, Match: &matches[0]}
	}
	return p.flush(ctx)
}

// pending is the new documents of a batch. The last of them are not in the store
// yet.
type pending struct {
	x       *Index
	limited bool // equal content may be no pair that counts
	results []Result
	entries []Entry
	places  []int
	stored  int // of entries
	ids     map[string]bool
	buckets map[Posting][]int // by bucket and table, the entries in it
}

func (p *pending) add(e Entry, place int) {
	for _, k := range e.Postings {
		bucket := Posting{Bucket: k.Bucket, Table: k.Table}
		p.buckets[bucket] = append(p.buckets[bucket], len(p.entries))
	}
	p.ids[e.ID] = true
	p.entries, p.places = append(p.entries, e), append(p.places, place)
}

// touches reports whether documents added since the query may change the answer for
// an entry. One of them has its id or the id of a match, or shares a bucket with it
// and has a near word.
func (p *pending) touches(e Entry, matches []Match, within int) bool {
	if p.ids[e.ID] || slices.ContainsFunc(matches, func(m Match) bool { return p.ids[m.ID] }) {
		return true
	}
	for _, k := range e.Postings {
		for _, i := range p.buckets[Posting{Bucket: k.Bucket, Table: k.Table}] {
			for _, o := range p.entries[i].Postings {
				if o.Bucket == k.Bucket && o.Table == k.Table && Near(o.Word, k.Word, within) {
					return true
				}
			}
		}
	}
	return false
}

// flush adds what is pending to the store. Another process may have added the same
// content meanwhile.
func (p *pending) flush(ctx context.Context) error {
	entries, places := p.entries[p.stored:], p.places[p.stored:]
	if len(entries) == 0 {
		return nil
	}
	p.stored = len(p.entries)
	if err := p.x.put(ctx, entries, places, !p.limited, p.results); err != nil {
		return err
	}
	for k, e := range entries {
		r := &p.results[places[k]]
		if r.State != Known {
			continue
		}
		docs, err := p.x.store.Documents(ctx, []uint64{r.Number})
		if err != nil {
			return err
		}
		if docs[0].Number == 0 || docs[0].Hash != e.Hash {
			continue // it is being added, or was deleted since
		}
		d, err := unpack(docs[0], len(p.x.header.Fields))
		if err != nil {
			return fmt.Errorf("index: document %q: %w", d.ID, err)
		}
		m, err := p.x.match(e, d)
		if err != nil {
			return err
		}
		r.Match = &m
	}
	return nil
}

// match scores an entry against a document.
func (x *Index) match(e Entry, d Document) (Match, error) {
	s := x.take()
	defer x.give(s)
	for _, sketch := range [][]byte{e.Sketch, d.Sketch} {
		if err := s.docs.AddSketch(sketch); err != nil {
			return Match{}, err
		}
	}
	m, _ := s.match(d, 0, 1, 0)
	return m, nil
}
