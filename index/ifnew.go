package index

import (
	"context"
	"slices"
)

// AddIfNew adds those documents to which none is alike, neither in the index nor among those
// that were added before them in the batch: the check and the insert of a crawler. Results name the
// most alike document of those that were not added. A document that is there itself, with the
// same id and content, is Same, so that a batch can be repeated.
//
// Two that add the same content at a time under different ids: one adds it and for the other it is Known,
// on every backend. Two that add near-duplicates at a time: where the store is
// Serial one wins likewise, elsewhere both may be added, and a query finds both.
func (x *Index) AddIfNew(ctx context.Context, docs []Doc) ([]Result, error) {
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
		if err := x.addIfNew(ctx, entries[from:to], results[from:to]); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// addIfNew adds those of a part of a batch that are new. All of it is asked about at a time; what may have
// another answer by what was added since is asked about once more.
func (x *Index) addIfNew(ctx context.Context, entries []Entry, results []Result) error {
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
	answers, err := x.query(ctx, s, x.join.Threshold, 0)
	if err != nil {
		return err
	}
	p := &pending{x: x, results: results, ids: map[string]bool{}, buckets: map[Posting][]int{}}
	for k, i := range asked {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, matches := entries[i], answers[k]
		if p.touches(e, matches, s.word.Within) {
			// What it may be alike to has to be in the index before it is asked.
			if err := p.flush(ctx); err != nil {
				return err
			}
			s.docs.Truncate(0)
			if err := s.docs.AddSketch(e.Sketch); err != nil {
				return err
			}
			again, err := x.query(ctx, s, x.join.Threshold, 0)
			if err != nil {
				return err
			}
			matches = again[0]
		}
		if len(matches) == 0 {
			p.add(e, i)
			continue
		}
		results[i] = Result{State: Known, Number: matches[0].Number, Match: &matches[0]}
		for _, m := range matches {
			if m.ID == e.ID && m.Hash == e.Hash {
				results[i] = Result{State: Same, Number: m.Number}
			}
		}
	}
	return p.flush(ctx)
}

// pending are documents of a batch that are new, of which the last are not yet in the store.
type pending struct {
	x       *Index
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

// touches reports whether what the store says of an entry may have changed by those that were added: one
// stands under its id or that of a match, or shares a bucket with it and its word is near.
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

// flush adds what is pending to the store. Another may have added the same content
// meanwhile.
func (p *pending) flush(ctx context.Context) error {
	entries, places := p.entries[p.stored:], p.places[p.stored:]
	if len(entries) == 0 {
		return nil
	}
	p.stored = len(p.entries)
	if err := p.x.put(ctx, entries, places, true, p.results); err != nil {
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
		m, err := p.x.match(e, docs[0])
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
