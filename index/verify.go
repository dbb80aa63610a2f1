package index

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/index/internal/problems"
	"github.com/alike-go/alike/internal/extsort"
	"github.com/alike-go/alike/similarity"
)

const (
	verifyMemory = 64 << 20 // bytes of records that Verify sorts in memory
	mostExtra    = 1 << 12  // foreign postings of a document that Verify keeps
)

// Verified is what Verify found.
type Verified struct {
	Documents int64 // that were checked

	// Stale counts postings of documents that are not there, but were not lost:
	// the document was deleted or replaced, or its Add is under way or was
	// interrupted. Such postings are no damage. Merge removes them.
	Stale int64

	Problems []string // what is wrong, a line each, at most a hundred
}

// Verify reads the whole index and says what is wrong with it:
//
//   - what the store finds
//   - sketches that do not decode
//   - ids that lead to another document
//   - documents that are missing from one of their buckets
//   - documents in a bucket that is not theirs
//   - postings of documents that were lost
//
// The postings of a document follow from its sketch. Verify compares them with
// those of the store. It sorts both by number, in at most 64 MiB of memory and in
// temporary files of 32 bytes per posting. It reads again whatever differs, so
// that others can add and delete meanwhile.
func (x *Index) Verify(ctx context.Context) (Verified, error) {
	var v Verified
	found, err := x.store.Verify(ctx)
	for _, line := range found {
		v.report("%s", line)
	}
	if err == nil {
		err = x.verify(ctx, &v)
	}
	if errors.Is(err, similarity.ErrFormat) {
		// Verify cannot go on behind a row that cannot be read.
		if len(v.Problems) == 0 {
			v.report("%v", err)
		}
		err = nil
	}
	if err != nil {
		return v, fmt.Errorf("index: verify: %w", err)
	}
	return v, nil
}

func (v *Verified) report(format string, args ...any) {
	(*problems.List)(&v.Problems).Add(format, args...)
}

func (v *Verified) reportDoc(d Document, format string, args ...any) {
	v.report("document %d, id %q: %s", d.Number, d.ID, fmt.Sprintf(format, args...))
}

// postingRecord returns the number of the document and the hash of the posting.
// The last bit of the hash is 1 if the store has the posting, and 0 if it
// follows from the sketch. No hash is 0.
func postingRecord(number uint64, p Posting, stored uint64) extsort.Record {
	var key [KeySize]byte
	return extsort.Record{number, max(2, xxh3.Hash(p.AppendKey(key[:0]))&^1) | stored}
}

// lookAgain returns a record that makes its number a suspect. It equals no record
// of a posting.
func lookAgain(number uint64) extsort.Record { return extsort.Record{number, 1} }

// verify compares documents with postings.
func (x *Index) verify(ctx context.Context, v *Verified) error {
	dir, err := os.MkdirTemp("", "alike-verify-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sorter := extsort.New(dir, verifyMemory)
	defer sorter.Close()
	if err := x.wantedPostings(ctx, v, sorter); err != nil {
		return err
	}
	err = x.store.EachPosting(ctx, func(p Posting, number uint64) error {
		return sorter.Add(postingRecord(number, p, 1))
	})
	if err != nil {
		return err
	}
	var all []suspect
	var at suspect
	flush := func(least int) error {
		if at.again || at.wanted != at.met || len(at.extra) > 0 {
			all = append(all, at)
		}
		if len(all) < least {
			return nil
		}
		err := x.judge(ctx, v, all)
		all = all[:0]
		return err
	}
	wanted := uint64(0) // the hash of the record before, if it follows from the sketch
	err = sorter.Each(func(r extsort.Record) error {
		number, hash, stored := r[0], r[1]&^1, r[1]&1 == 1
		if number != at.number {
			if err := flush(batchDocs); err != nil {
				return err
			}
			at, wanted = suspect{number: number}, 0
		}
		switch {
		case r == lookAgain(number):
			at.again = true
		case !stored:
			at.wanted++
			wanted = hash
		case hash == wanted:
			at.met++
			wanted = 0
		case len(at.extra) < mostExtra:
			at.extra = append(at.extra, hash)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush(0)
}

// wantedPostings sorts the postings that documents should have. It counts the
// documents, and reports sketches that do not decode.
func (x *Index) wantedPostings(ctx context.Context, v *Verified, sorter *extsort.Sorter) error {
	s := x.take()
	defer x.give(s)
	var batch []Document
	flush := func() error {
		ids := make([]string, len(batch))
		for i, d := range batch {
			ids[i] = d.ID
		}
		numbers, err := x.store.Find(ctx, ids)
		if err != nil {
			return err
		}
		for i, d := range batch {
			if numbers[i] != d.Number {
				if err := sorter.Add(lookAgain(d.Number)); err != nil {
					return err
				}
			}
			keys, err := x.postingsOf(s, d)
			if err != nil {
				v.reportDoc(d, "%v", err)
			}
			for _, p := range keys {
				if err := sorter.Add(postingRecord(d.Number, p, 0)); err != nil {
					return err
				}
			}
		}
		batch = batch[:0]
		return nil
	}
	err := x.store.EachDocument(ctx, func(d Document) error {
		v.Documents++
		if batch = append(batch, d); len(batch) < batchDocs {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// postingsOf returns the postings that follow from the sketch of a document of the
// store, until the next call.
func (x *Index) postingsOf(s *set, d Document) ([]Posting, error) {
	d, err := unpack(d, len(x.header.Fields))
	if err != nil {
		return nil, err
	}
	s.docs.Truncate(0)
	if err := s.docs.AddSketch(d.Sketch); err != nil {
		return nil, err
	}
	return s.keysOf(0), nil
}

// suspect is a number with other postings in the store than its sketch has.
type suspect struct {
	number      uint64
	again       bool     // its id has led elsewhere
	wanted, met int      // postings of its sketch, and how many of them the store has
	extra       []uint64 // hashes of the other postings that the store has
}

// judge reads suspects again, and reports what is wrong with them.
func (x *Index) judge(ctx context.Context, v *Verified, all []suspect) error {
	numbers := make([]uint64, len(all))
	for i, a := range all {
		numbers[i] = a.number
	}
	docs, err := x.store.Documents(ctx, numbers)
	if err != nil {
		return err
	}
	s := x.take()
	defer x.give(s)
	var gone []suspect
	var there []Document
	var probes []Posting
	var of []Document // the document of each probe
	for i, d := range docs {
		if d.Number == 0 {
			gone = append(gone, all[i])
			continue
		}
		keys, err := x.postingsOf(s, d)
		if err != nil {
			continue // it was reported
		}
		there = append(there, d)
		own := make(map[uint64]bool, len(keys))
		for _, p := range keys {
			own[postingRecord(0, p, 0)[1]] = true
			probes, of = append(probes, p), append(of, d)
		}
		n := 0
		for _, hash := range all[i].extra {
			if !own[hash] {
				n++
			}
		}
		if n > 0 {
			v.reportDoc(d, "in %d buckets that are not those of its sketch", n)
		}
	}
	if err := x.judgeMissing(ctx, v, there, probes, of); err != nil {
		return err
	}
	return x.judgeGone(ctx, v, gone)
}

// judgeMissing reports documents whose ids do not lead to them, and probes that do
// not lead to their document. A document is deleted before its postings. So it
// only judges documents that are still there afterwards.
func (x *Index) judgeMissing(ctx context.Context, v *Verified, docs []Document, probes []Posting, of []Document) error {
	if len(docs) == 0 {
		return nil
	}
	ids, numbers := make([]string, len(docs)), make([]uint64, len(docs))
	for i, d := range docs {
		ids[i], numbers[i] = d.ID, d.Number
	}
	found, err := x.store.Find(ctx, ids)
	if err != nil {
		return err
	}
	led := make([]bool, len(probes))
	err = x.store.Scan(ctx, probes, 0, func(i int, number uint64) { led[i] = led[i] || number == of[i].Number })
	if err != nil {
		return err
	}
	after, err := x.store.Documents(ctx, numbers)
	if err != nil {
		return err
	}
	there := map[uint64]bool{}
	for i, d := range after {
		there[d.Number] = true
		if d.Number != 0 && found[i] != d.Number {
			v.reportDoc(d, "the id leads to document %d", found[i])
		}
	}
	for i, p := range probes {
		if d := of[i]; there[d.Number] && !led[i] {
			v.reportDoc(d, "missing from bucket %08x of table %d", p.Bucket, p.Table)
		}
	}
	return nil
}

// judgeGone reports the documents that were lost, and counts the postings of the
// others as stale.
func (x *Index) judgeGone(ctx context.Context, v *Verified, gone []suspect) error {
	if len(gone) == 0 {
		return nil
	}
	numbers := make([]uint64, len(gone))
	for i, a := range gone {
		numbers[i] = a.number
	}
	evidence := make([]string, len(gone))
	if f, ok := x.store.(LossFinder); ok {
		var err error
		if evidence, err = f.FindLost(ctx, numbers); err != nil {
			return err
		}
	}
	for i, a := range gone {
		n := a.met + len(a.extra)
		if evidence[i] == "" {
			v.Stale += int64(n)
		} else {
			v.report("document %d is lost: %s; %d of its postings are there", a.number, evidence[i], n)
		}
	}
	return nil
}
