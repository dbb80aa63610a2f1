package redis

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/problems"
)

var _ index.LossFinder = (*Store)(nil)

// verifier collects what Verify finds.
type verifier struct {
	s        *Store
	l        layout
	problems problems.List
}

// Verify reads everything and returns what is wrong: rows with a wrong checksum or
// in the wrong shard, hashes of documents that have lost fields or have foreign
// ones, marks of lost documents, and invalid records of postings.
func (s *Store) Verify(ctx context.Context) ([]string, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	v := &verifier{s: s, l: l}
	for _, step := range []func(context.Context) error{v.documents, v.marks, v.postings} {
		if err := step(ctx); err != nil {
			return v.problems, err
		}
	}
	return v.problems, nil
}

func (v *verifier) documents(ctx context.Context) error {
	return v.s.eachHash(ctx, v.l, v.l.docsKey, func(from uint64, hashes []map[string]string) error {
		for k, fields := range hashes {
			if len(fields) > 0 {
				v.shard(from+uint64(k), fields)
			}
		}
		return nil
	})
}

// shard checks a hash of documents.
func (v *verifier) shard(shard uint64, fields map[string]string) {
	rows, ids, most := 0, 0, uint64(0)
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		value := fields[field]
		switch {
		case isPlace(field):
			rows++
			place, err := strconv.ParseUint(field, 10, 64)
			if err != nil || place == 0 || v.l.number(place, shard) > v.l.mostNumber() {
				v.problems.Add("shard %x: place %q is none", shard, field)
				continue
			}
			most = max(most, place)
			d, _, err := v.l.parseRow(value)
			if err != nil {
				v.problems.Add("document %d, field %s of %s: %v", v.l.number(place, shard), field, v.l.docsKey(shard), err)
			} else if of := v.l.idShard(d.ID); of != shard {
				v.problems.Add("document %d, id %q: in shard %x, want %x", v.l.number(place, shard), d.ID, shard, of)
			}
		case field != "" && field[0] == '=':
			if _, ok := fields[value]; ok && isPlace(value) {
				ids++
			} else {
				v.problems.Add("id %q leads to place %q of shard %x, where no document is: it was lost", field[1:], value, shard)
			}
		case field != "" && field != "!" && field != "#":
			v.problems.Add("shard %x: field %q does not belong there", shard, field)
		}
	}
	last, err := strconv.ParseUint(fields[""], 10, 64)
	if err != nil || last < most {
		v.problems.Add("shard %x: the last place is %q, want %d or more", shard, fields[""], most)
	}
	if closed, ok := fields["!"]; ok {
		if n, err := strconv.ParseUint(closed, 10, 64); err != nil || n > last {
			v.problems.Add("shard %x: a merge has closed place %q, want at most the last, %d", shard, closed, last)
		}
	}
	if ids != rows {
		v.problems.Add("shard %x: %d ids lead to documents, want %d", shard, ids, rows)
	}
	if count := strconv.Itoa(rows); v.l.sumBytes() > 0 && fields["#"] != count && (rows > 0 || fields["#"] != "") {
		v.problems.Add("shard %x: %s documents are there, want %q", shard, count, fields["#"])
	}
}

// marks checks that the documents to which content hashes lead were not lost.
func (v *verifier) marks(ctx context.Context) error {
	return v.s.eachHash(ctx, v.l, v.l.hashesKey, func(from uint64, all []map[string]string) error {
		var numbers []uint64
		var hashes []index.Hash
		for k, fields := range all {
			for _, hash := range slices.Sorted(maps.Keys(fields)) {
				mark := fields[hash]
				if len(hash) != len(index.Hash{}) || len(mark) < 16 {
					v.problems.Add("shard %x: mark of %d bytes for a hash of %d", from+uint64(k), len(mark), len(hash))
					continue
				}
				h := index.Hash([]byte(hash))
				if of := v.l.hashShard(h); of != from+uint64(k) {
					v.problems.Add("hash %x: in shard %x, want %x", h, from+uint64(k), of)
				}
				numbers, hashes = append(numbers, binary.BigEndian.Uint64([]byte(mark))), append(hashes, h)
			}
		}
		evidence, err := v.s.findLost(ctx, v.l, numbers, v.l.lost)
		if err != nil {
			return err
		}
		for i, e := range evidence {
			if e != "" {
				v.problems.Add("hash %x leads to document %d, which is lost: %s", hashes[i], numbers[i], e)
			}
		}
		return nil
	})
}

func (v *verifier) postings(ctx context.Context) error {
	l := v.l
	return v.s.eachGroup(ctx, l, func(group uint64, all []byte) error {
		if len(all)%l.recordSize() != 0 {
			v.problems.Add("group %x: %d bytes, want a multiple of %d", group, len(all), l.recordSize())
		}
		for _, r := range l.records(all) {
			if r.rest >= 1<<(pairBits-l.Groups) || r.number == 0 {
				v.problems.Add("group %x: record %x of document %d is none", group, r.rest, r.number)
			}
		}
		return nil
	})
}

// FindLost says which documents were lost. A shard that has given fewer places
// than the number says has lost its hash. A shard whose number of fields does not
// fit its count of documents has lost some of them.
func (s *Store) FindLost(ctx context.Context, numbers []uint64) ([]string, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	out, err := s.findLost(ctx, l, numbers, l.lost)
	if err != nil {
		return nil, fmt.Errorf("redis: find what is lost: %w", err)
	}
	return out, nil
}

// findLost asks why the document of each empty place must have been lost.
func (s *Store) findLost(ctx context.Context, l layout, numbers []uint64, why func(shard, place uint64, s shardState) string) ([]string, error) {
	places := map[uint64][]any{} // by shard
	for _, number := range numbers {
		place, shard := l.split(number)
		places[shard] = append(places[shard], place)
	}
	calls := make(map[uint64]*goredis.Cmd, len(places))
	ops := make([]op, 0, len(places))
	for shard, p := range places {
		calls[shard] = evalKeys(ctx, shardScript, []string{l.docsKey(shard)}, p...)
		ops = append(ops, calls[shard])
	}
	if err := s.do(ctx, ops, false); err != nil {
		return nil, err
	}
	next := map[uint64]int{} // by shard, the next place in the reply
	out := make([]string, len(numbers))
	for i, number := range numbers {
		place, shard := l.split(number)
		reply, err := calls[shard].Slice()
		if err != nil {
			return nil, err
		}
		state, err := parseShard(reply)
		if err != nil {
			return nil, err
		}
		filled := reply[4+next[shard]] == int64(1)
		next[shard]++
		if !filled {
			out[i] = why(shard, place, state)
		}
	}
	return out, nil
}

// shardState is how the hash of a shard is filled.
type shardState struct {
	fields, last, count int64
	others              int64 // fields that are not a document's
}

// parseShard reads the beginning of the reply of shardScript.
func parseShard(reply []any) (shardState, error) {
	s := shardState{fields: reply[0].(int64)}
	for i, to := range []*int64{&s.last, new(int64), &s.count} {
		value := reply[1+i].(string)
		if value == "" {
			continue
		}
		s.others++
		var err error
		if *to, err = strconv.ParseInt(value, 10, 64); err != nil {
			return s, err
		}
	}
	return s, nil
}

// lost returns why the document of an empty place must have been lost. It is
// empty if the document was not.
func (l layout) lost(shard, place uint64, s shardState) string {
	if e := notGiven(shard, place, s); e != "" {
		return e
	}
	want := 2*s.count + s.others
	if l.sumBytes() > 0 && s.fields != want {
		return fmt.Sprintf("shard %x has %d fields, want %d for %d documents", shard, s.fields, want, s.count)
	}
	return ""
}

// notGiven returns why a place is lost if its shard has not given it. It is empty if
// the shard has.
func notGiven(shard, place uint64, s shardState) string {
	if place > uint64(s.last) {
		return fmt.Sprintf("shard %x has given %d places, not %d", shard, s.last, place)
	}
	return ""
}
