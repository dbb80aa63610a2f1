package index

import (
	"context"
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
	s := x.take()
	defer x.give(s)
	p := &pending{x: x, results: results, ids: map[string]bool{}, buckets: map[Posting][]int{}}
	for i, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if e.Postings == nil {
			results[i].State = Empty
			continue
		}
		if p.ids[e.ID] || p.near(e, s.within) {
			// What it may be alike to has to be in the index before it is asked.
			if err := p.flush(ctx); err != nil {
				return nil, err
			}
		}
		s.coder.Truncate(0)
		if err := s.coder.AddSketch(e.Sketch); err != nil {
			return nil, err
		}
		matches, err := x.query(ctx, s, x.join.Threshold, 0)
		if err != nil {
			return nil, err
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
	return results, p.flush(ctx)
}

// pending are documents of a batch that are new and not yet in the store.
type pending struct {
	x       *Index
	results []Result
	entries []Entry
	places  []int
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

// near reports whether an entry shares a bucket with a pending one whose word is near.
func (p *pending) near(e Entry, within int) bool {
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
	if len(p.entries) == 0 {
		return nil
	}
	if err := p.x.put(ctx, p.entries, p.places, true, p.results); err != nil {
		return err
	}
	for k, e := range p.entries {
		r := &p.results[p.places[k]]
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
	p.entries, p.places = p.entries[:0], p.places[:0]
	clear(p.ids)
	clear(p.buckets)
	return nil
}

// match scores an entry against a document.
func (x *Index) match(e Entry, d Document) (Match, error) {
	s := x.take()
	defer x.give(s)
	m := Match{Document: d, Distance: -1}
	for _, sketch := range [][]byte{e.Sketch, d.Sketch} {
		if err := s.coder.AddSketch(sketch); err != nil {
			return m, err
		}
	}
	m.Score = s.docs.Score(0, 1)
	if s.distance != nil {
		m.Distance = s.distance(0, 1)
	}
	return m, nil
}
