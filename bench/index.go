package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// The index that is measured: SimHash at 3 bits, whose layout is 4 tables of 16 bits.
const (
	indexRadius    = 3
	indexThreshold = 0.989 // the cosine of 3 bits of 64 is .98918, of 4 bits .98079
	indexTables    = 4
)

// indexCode is the fingerprint of document i, from 0 on (the output function of SplitMix64).
func indexCode(i int) uint64 {
	h := (uint64(i) + 1) * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return (h ^ h>>31) | 1 // zero is no document
}

func indexDoc(i int) index.Doc {
	return index.Doc{ID: fmt.Sprintf("document-%d", i), Sketch: binary.BigEndian.AppendUint64(nil, indexCode(i)), Time: 1_700_000_000}
}

// indexProbes returns the postings of a fingerprint.
func indexProbes(dst []index.Posting, code uint64) []index.Posting {
	for t := range indexTables {
		dst = append(dst, index.Posting{Bucket: uint32(code>>(48-16*t)&0xffff) << 16, Table: uint8(t), Word: code})
	}
	return dst
}

// postingStore is what holds the postings of n documents, numbered from 1.
type postingStore interface {
	// Name says what it is, Settings how it is set.
	Name() string
	Settings() string

	// Fill adds n documents, and returns the bytes of a posting.
	Fill(ctx context.Context, n int) (bytes float64, err error)

	// Scan appends the numbers of the documents within 3 bits that share a bucket with a probe, one for
	// each bucket.
	Scan(ctx context.Context, dst []uint64, probes []index.Posting) ([]uint64, error)

	Close() error
}

// diskPostings is index/disk.
type diskPostings struct{ *index.Index }

func newDiskPostings(ctx context.Context, dir string) (*diskPostings, error) {
	m, err := simhash.New(simhash.Options{})
	if err != nil {
		return nil, err
	}
	s, err := disk.Open(ctx, dir, disk.Options{})
	if err != nil {
		return nil, err
	}
	x, err := index.Create(ctx, s, similarity.Hide(m), index.Options{Threshold: indexThreshold})
	if err != nil {
		return nil, err
	}
	return &diskPostings{x}, nil
}

func (d *diskPostings) Name() string { return "alike index/disk" }
func (d *diskPostings) Settings() string {
	return fmt.Sprintf("%s, filled by Load", d.Header().Buckets)
}

func (d *diskPostings) Fill(ctx context.Context, n int) (float64, error) {
	i := 0
	_, _, err := d.Load(ctx, func() (index.Doc, bool, error) {
		i++
		return indexDoc(i - 1), i <= n, nil
	})
	if err != nil {
		return 0, err
	}
	st, err := d.Stats(ctx)
	return float64(st.PostingBytes) / float64(st.Postings), err
}

func (d *diskPostings) Scan(ctx context.Context, dst []uint64, probes []index.Posting) ([]uint64, error) {
	err := d.Store().Scan(ctx, probes, indexRadius, func(_ int, number uint64) { dst = append(dst, number) })
	return dst, err
}

// IndexLine is what a store took.
type IndexLine struct {
	Name     string
	Settings string
	Fill     time.Duration
	Bytes    float64 // a posting
	Scans    []time.Duration
}

// p returns the share'th quantile of sorted durations, in microseconds.
func p(took []time.Duration, share float64) string {
	return number(float64(took[min(len(took)-1, int(share*float64(len(took))))].Nanoseconds()) / 1e3)
}

// IndexRun fills the stores with n documents and asks each in turn, batch by batch, for the same; then
// it asks index/disk with documents, and adds to it.
func IndexRun(w io.Writer, n int, dir string, r *Report, said func(string, ...any)) error {
	ctx := context.Background()
	dir, err := os.MkdirTemp(dir, "alike-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ours, err := newDiskPostings(ctx, filepath.Join(dir, "disk"))
	if err != nil {
		return err
	}
	rival, err := newPebblePostings(filepath.Join(dir, "pebble"))
	if err != nil {
		return err
	}
	stores := []postingStore{ours, rival}
	lines := make([]IndexLine, len(stores))
	for k, s := range stores {
		defer s.Close()
		said("fill %s", s.Name())
		from := time.Now()
		bytes, err := s.Fill(ctx, n)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name(), err)
		}
		lines[k] = IndexLine{Name: s.Name(), Settings: s.Settings(), Fill: time.Since(from), Bytes: bytes}
	}
	said("scan")
	if err := scanAll(ctx, n, stores, lines); err != nil {
		return err
	}
	said("query and add")
	queries, err := queryAll(ctx, n, ours)
	if err != nil {
		return err
	}
	perSecond, err := addAll(ctx, filepath.Join(dir, "add"))
	if err != nil {
		return err
	}
	return writeIndex(w, n, r, lines, queries, perSecond)
}

// indexQuery returns a fingerprint 0 to 3 bits from that of a document.
func indexQuery(rng *rand.Rand, n int) uint64 {
	code := indexCode(rng.IntN(n))
	for range rng.IntN(indexRadius + 1) {
		code ^= 1 << rng.IntN(64)
	}
	return code | 1
}

// scanAll times scans of four buckets, after as many that bring the stores into memory. Answers
// are compared.
func scanAll(ctx context.Context, n int, stores []postingStore, lines []IndexLine) error {
	const rounds, each = 80, 250
	rng := rand.New(rand.NewPCG(9, 9))
	answers := make([][]uint64, len(stores))
	var probes []index.Posting
	for round := range rounds {
		codes := make([]uint64, each)
		for i := range codes {
			codes[i] = indexQuery(rng, n)
		}
		for j := range stores {
			k := (j + round) % len(stores)
			answers[k] = answers[k][:0]
			for _, code := range codes {
				probes = indexProbes(probes[:0], code)
				from := time.Now()
				var err error
				answers[k], err = stores[k].Scan(ctx, answers[k], probes)
				if took := time.Since(from); round >= rounds/2 {
					lines[k].Scans = append(lines[k].Scans, took)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", stores[k].Name(), err)
				}
			}
			slices.Sort(answers[k])
		}
		for k := range stores {
			if !slices.Equal(answers[k], answers[0]) || len(answers[k]) == 0 {
				return fmt.Errorf("%s finds other documents than %s", stores[k].Name(), stores[0].Name())
			}
		}
	}
	for k := range lines {
		slices.Sort(lines[k].Scans)
	}
	return nil
}

// queryAll times whole queries, in which the documents are read and scored.
func queryAll(ctx context.Context, n int, d *diskPostings) ([]time.Duration, error) {
	rng := rand.New(rand.NewPCG(10, 10))
	var took []time.Duration
	for i := range 20_000 {
		q := index.Doc{Sketch: binary.BigEndian.AppendUint64(nil, indexQuery(rng, n))}
		from := time.Now()
		m, err := d.Query(ctx, q, index.QueryOptions{})
		if i >= 10_000 {
			took = append(took, time.Since(from))
		}
		if err != nil || len(m) == 0 {
			return nil, fmt.Errorf("query %d: %d matches, %v", i, len(m), err)
		}
	}
	slices.Sort(took)
	return took, nil
}

// addAll returns how many documents a second are added in durable batches of a thousand.
func addAll(ctx context.Context, dir string) (float64, error) {
	d, err := newDiskPostings(ctx, dir)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	const n, each = 500_000, 1000
	from := time.Now()
	for at := 0; at < n; at += each {
		docs := make([]index.Doc, each)
		for i := range docs {
			docs[i] = indexDoc(at + i)
		}
		if _, err := d.Add(ctx, docs); err != nil {
			return 0, err
		}
	}
	return n / time.Since(from).Seconds(), nil
}

func writeIndex(w io.Writer, n int, r *Report, lines []IndexLine, queries []time.Duration, perSecond float64) error {
	fmt.Fprintf(w, `    $ cd bench && %s

%s, %d CPUs, %s, commit %s: %s.
%d random fingerprints of 64 bits in %d tables of 16 bits, a scan of 4 buckets for what lies within 3 bits,
warm, both stores in one process, in turn.

`, r.Command, r.CPU, r.CPUs, r.Go, r.Commit, r.Date.Format("2 January 2006"), n, indexTables)
	table := tablewriter.NewTable(w, tablewriter.WithRenderer(renderer.NewMarkdown()), plain)
	table.Header("store", "filled in, s", "bytes a posting", "scan p50, µs", "p99, µs", "p50, times ours")
	base := float64(lines[0].Scans[len(lines[0].Scans)/2])
	for _, l := range lines {
		if err := table.Append(l.Name, number(l.Fill.Seconds()), number(l.Bytes), p(l.Scans, .5), p(l.Scans, .99),
			number(float64(l.Scans[len(l.Scans)/2])/base)); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nA whole query of index/disk, documents read and scored: p50 %s µs, p99 %s µs. Adding in durable\nbatches of a thousand: %s documents a second.\n\n", p(queries, .5), p(queries, .99), number(perSecond))
	for _, l := range lines {
		fmt.Fprintf(w, "- %s: %s.\n", l.Name, l.Settings)
	}
	return nil
}
