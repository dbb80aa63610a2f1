package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	"github.com/alike-go/alike/index"
)

// pebblePostings is the same postings as keys of Pebble without values: bucket ‖ table ‖ word ‖ number.
type pebblePostings struct {
	db   *pebble.DB
	iter *pebble.Iterator
	low  []byte
	high []byte
}

const (
	pebbleCache  = 2 << 30
	pebbleNumber = 4 // bytes
)

func newPebblePostings(dir string) (*pebblePostings, error) {
	cmp := *pebble.DefaultComparer
	cmp.Name = "alike.postings"
	cmp.Split = func(key []byte) int { return min(len(key), index.PrefixSize) } // what the Bloom filter holds
	cmp.Compare, cmp.Equal = bytes.Compare, bytes.Equal
	cmp.ComparePointSuffixes, cmp.CompareRangeSuffixes = bytes.Compare, bytes.Compare
	o := &pebble.Options{
		Comparer:     &cmp,
		CacheSize:    pebbleCache,
		MemTableSize: 256 << 20,
		DisableWAL:   true, // the fill alone is meant to gain
		Logger:       quiet{},
	}
	for i := range o.Levels {
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
		o.Levels[i].FilterType = pebble.TableFilter
	}
	db, err := pebble.Open(dir, o)
	if err != nil {
		return nil, err
	}
	return &pebblePostings{db: db}, nil
}

// quiet passes over what Pebble says of its files.
type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(format string, args ...any) {
	panic(fmt.Sprintf("bench: Pebble: "+format, args...))
}

func (p *pebblePostings) Name() string { return "Pebble" }

func (p *pebblePostings) Settings() string {
	return fmt.Sprintf("v2, Bloom filters of 10 bits on all levels, cache of %d GiB, filled in the order of the keys without a log, compacted to the end; one iterator, its bounds set anew for each bucket", pebbleCache>>30)
}

func (p *pebblePostings) Fill(_ context.Context, n int) (float64, error) {
	type row struct {
		prefix uint64
		number uint32
	}
	rows := make([]row, 0, n*indexTables)
	var probes []index.Posting
	for i := range n {
		probes = indexProbes(probes[:0], indexCode(i))
		for _, q := range probes {
			rows = append(rows, row{uint64(q.Bucket)<<8 | uint64(q.Table), uint32(i + 1)})
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		if a.prefix != b.prefix {
			if a.prefix < b.prefix {
				return -1
			}
			return 1
		}
		x, y := indexCode(int(a.number)-1), indexCode(int(b.number)-1)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(a.number) - int(b.number)
	})
	var key []byte
	for part := range slices.Chunk(rows, 50_000) {
		b := p.db.NewBatch()
		for _, r := range part {
			key = index.Posting{Bucket: uint32(r.prefix >> 8), Table: uint8(r.prefix), Word: indexCode(int(r.number) - 1)}.AppendKey(key[:0])
			key = binary.BigEndian.AppendUint32(key, r.number)
			if err := b.Set(key, nil, nil); err != nil {
				return 0, err
			}
		}
		if err := b.Commit(pebble.NoSync); err != nil {
			return 0, err
		}
	}
	if err := p.db.Flush(); err != nil {
		return 0, err
	}
	end := bytes.Repeat([]byte{0xff}, index.KeySize+pebbleNumber+1)
	if err := p.db.Compact(context.Background(), []byte{0}, end, true); err != nil {
		return 0, err
	}
	iter, err := p.db.NewIter(nil)
	if err != nil {
		return 0, err
	}
	p.iter = iter
	return float64(p.db.Metrics().Total().TablesSize) / float64(len(rows)), nil
}

func (p *pebblePostings) Scan(_ context.Context, dst []uint64, probes []index.Posting) ([]uint64, error) {
	for _, q := range probes {
		p.low = q.AppendPrefix(p.low[:0])
		p.high = binary.BigEndian.AppendUint64(p.high[:0], uint64(q.Bucket)<<8|uint64(q.Table)+1)[3:]
		p.iter.SetBounds(p.low, p.high)
		for ok := p.iter.First(); ok; ok = p.iter.Next() {
			key := p.iter.Key()
			if index.Near(binary.BigEndian.Uint64(key[index.PrefixSize:]), q.Word, indexRadius) {
				dst = append(dst, uint64(binary.BigEndian.Uint32(key[index.KeySize:])))
			}
		}
		if err := p.iter.Error(); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (p *pebblePostings) Close() error {
	if p.iter != nil {
		if err := p.iter.Close(); err != nil {
			return err
		}
	}
	return p.db.Close()
}
