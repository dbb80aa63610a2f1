package index

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Result says what became of a document.
type Result struct {
	State  State
	Number uint64 // of the document; of Match if Known, 0 if Empty

	// Match is the most alike document if the state is Known.
	Match *Match
}

// Add adds documents under their ids, one after the other. If two of a batch have
// the same id, the second replaces the first. A document that is there with the
// same content stays, so a batch can be repeated. A document with other content
// is replaced. A text without features is not stored, and the document under its
// id is deleted.
//
// Nothing is added unless all documents have a valid id and sketch. After any
// other error some of them may have been added.
func (x *Index) Add(ctx context.Context, docs []Doc) ([]Result, error) {
	entries, err := x.entries(docs)
	if err != nil {
		return nil, err
	}
	results := make([]Result, len(docs))
	for from := 0; from < len(docs); {
		var batch []Entry
		var places []int
		var empty []string
		seen := make(map[string]bool, len(docs)-from)
		to := from
		for ; to < len(docs) && !seen[docs[to].ID]; to++ {
			seen[docs[to].ID] = true
			if entries[to].Postings == nil {
				empty = append(empty, docs[to].ID)
				results[to].State = Empty
				continue
			}
			batch, places = append(batch, entries[to]), append(places, to)
		}
		if len(empty) > 0 {
			if _, err := x.Delete(ctx, empty...); err != nil {
				return nil, err
			}
		}
		if len(batch) > 0 {
			if err := x.put(ctx, batch, places, false, results); err != nil {
				return nil, err
			}
		}
		from = to
	}
	return results, nil
}

// put adds entries to the store and sets the results at their places.
func (x *Index) put(ctx context.Context, batch []Entry, places []int, ifNew bool, results []Result) error {
	batch = slices.Clone(batch)
	for i := range batch {
		batch[i].Document = pack(batch[i].Document)
	}
	out, err := x.store.Add(ctx, batch, ifNew)
	if err != nil {
		return fmt.Errorf("index: add: %w", err)
	}
	for i, o := range out {
		results[places[i]] = Result{State: o.State, Number: o.Number}
	}
	return nil
}

// entries sketches documents. Those without features have nil postings.
func (x *Index) entries(docs []Doc) ([]Entry, error) {
	s := x.take()
	defer x.give(s)
	entries := make([]Entry, len(docs))
	for i, d := range docs {
		s.docs.Truncate(0)
		var err error
		if entries[i], err = x.entry(s, d); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// entry adds a document to a set and returns its entry. The entry has no postings
// if the document has no features.
func (x *Index) entry(s *set, d Doc) (Entry, error) {
	if len(d.ID) == 0 || len(d.ID) > MaxID {
		return Entry{}, fmt.Errorf("index: id of %d bytes, want 1 to %d", len(d.ID), MaxID)
	}
	if !utf8.ValidString(d.ID) {
		return Entry{}, fmt.Errorf("index: id %q is not UTF-8", d.ID)
	}
	i := s.docs.Len()
	if err := s.add(d); err != nil {
		return Entry{}, fmt.Errorf("index: document %q: %w", d.ID, err)
	}
	values, err := x.valuesOf(&d)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Document: Document{ID: d.ID, Hash: d.Hash, Time: d.Time, Fields: values}}
	if s.docs.Empty(i) {
		return e, nil
	}
	e.Sketch = s.docs.AppendSketch(nil, i)
	if n := len(pack(e.Document).Sketch); n > maxSketch {
		return Entry{}, fmt.Errorf("index: document %q: sketch and fields of %d bytes, want at most %d", d.ID, n, maxSketch)
	}
	if e.Hash == (Hash{}) {
		content := d.Text
		if d.Sketch != nil {
			content = string(d.Sketch)
		}
		e.Hash = ContentHash(content)
	}
	if e.Postings = slices.Clone(s.keysOf(i)); len(e.Postings) == 0 {
		return Entry{}, fmt.Errorf("index: document %q: %s puts it in no bucket", d.ID, s.buckets.Design)
	}
	return e, nil
}

// Load fills an empty index with the documents that next returns until it returns
// false. A Loader does it in its own way, other stores in batches. Ids must
// differ. Load returns how many documents were stored and how many had no
// features.
func (x *Index) Load(ctx context.Context, next func() (Doc, bool, error)) (stored, empty int64, err error) {
	l, ok := x.store.(Loader)
	if !ok {
		return x.loadByBatches(ctx, next)
	}
	s := x.take()
	defer x.give(s)
	err = l.Load(ctx, func() (Entry, bool, error) {
		for {
			d, ok, err := next()
			if err != nil || !ok {
				return Entry{}, false, err
			}
			s.docs.Truncate(0)
			e, err := x.entry(s, d)
			if err != nil {
				return Entry{}, false, err
			}
			if e.Postings != nil {
				stored++
				e.Document = pack(e.Document)
				return e, true, nil
			}
			empty++
		}
	})
	if err != nil {
		return 0, 0, fmt.Errorf("index: load: %w", err)
	}
	return stored, empty, nil
}

// loadBatch is how many documents Load adds at a time to a store that is no Loader.
const loadBatch = 1024

func (x *Index) loadByBatches(ctx context.Context, next func() (Doc, bool, error)) (stored, empty int64, err error) {
	var batch []Doc
	for more := true; more; {
		batch = batch[:0]
		for len(batch) < loadBatch {
			var d Doc
			if d, more, err = next(); err != nil {
				return stored, empty, err
			}
			if !more {
				break
			}
			batch = append(batch, d)
		}
		results, err := x.Add(ctx, batch)
		if err != nil {
			return stored, empty, err
		}
		for _, r := range results {
			if r.State == Empty {
				empty++
			} else {
				stored++
			}
		}
	}
	return stored, empty, nil
}
