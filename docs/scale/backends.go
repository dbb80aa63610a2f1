package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
	indexmemory "github.com/alike-go/alike/index/memory"
	"github.com/alike-go/alike/index/plan"
	"github.com/alike-go/alike/index/redis"
)

// filled is an index that was filled and asked.
type filled struct {
	timed
	Design  string  `json:"design"`
	Crowded bool    `json:"crowded,omitempty"`
	P99     float64 `json:"p99"`     // seconds, of queries that find nothing
	Found   float64 `json:"found"`   // seconds, the median of queries that find a document
	Batch   float64 `json:"batch"`   // queries a second in batches
	Answers int64   `json:"answers"` // matches of all queries
	Sum     uint64  `json:"sum"`     // hash of the answers, the same on every backend
}

// store is an index's store that was opened for a measurement.
type store struct {
	index.Store
	bytes func() (int64, error) // that it takes, of one copy
	dir   string                // of the index on disk, else empty
}

// errAbsent is wrapped where a backend cannot be run on this machine.
var errAbsent = errors.New("not installed")

// open returns an empty store.
func (l *lab) open(ctx context.Context, backend string, docs int64, tables int) (store, error) {
	switch backend {
	case "memory":
		before := heap()
		return store{Store: indexmemory.New(), bytes: func() (int64, error) { return heap() - before, nil }}, nil
	case "disk":
		dir, err := os.MkdirTemp(l.dir, "disk-*")
		if err != nil {
			return store{}, err
		}
		s, err := disk.Open(ctx, dir, disk.Options{})
		if err != nil {
			return store{}, err
		}
		return store{s, func() (int64, error) { return bytesUnder(dir) }, dir}, nil
	case "redis", "redis cluster":
		if !hasRedis() {
			return store{}, fmt.Errorf("redis-server or redis-cli: %w", errAbsent)
		}
		return l.openRedis(ctx, backend, docs, tables)
	case "hbase":
		return l.openHBase(ctx)
	}
	return store{}, fmt.Errorf("%s: %w", backend, errAbsent)
}

func (l *lab) openRedis(ctx context.Context, backend string, docs int64, tables int) (store, error) {
	var nodes []*server
	var url string
	if backend == "redis cluster" {
		masters, err := l.servers.masters(ctx)
		if err != nil {
			return store{}, err
		}
		nodes, url = masters, "redis+cluster://"+addrs(masters)
	} else {
		s, err := l.servers.redis(ctx)
		if err != nil {
			return store{}, err
		}
		nodes, url = []*server{s}, "redis://"+s.addr()
	}
	before, err := memory(ctx, nodes...)
	if err != nil {
		return store{}, err
	}
	s, err := redis.Open(ctx, url, redis.Options{Documents: docs, Postings: tables, Replicas: -1})
	if err != nil {
		return store{}, err
	}
	return store{Store: s, bytes: func() (int64, error) {
		after, err := memory(ctx, nodes...)
		return after - before, err
	}}, nil
}

func heap() int64 {
	runtime.GC()
	runtime.GC() // what finalizers let go of
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func bytesUnder(dir string) (sum int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}

// measureBackends fills every backend with the same documents under layouts of 4, 10 and 20 tables, and
// once with crowded buckets.
func measureBackends(ctx context.Context, l *lab) (out []record, err error) {
	answers := map[string]filled{} // by documents and layout, of the first backend
	for _, b := range l.backends {
		docs := l.docs
		if b == "hbase" {
			docs = l.hbaseDocs
		}
		for _, c := range []struct {
			documents int64 // that the layout is for
			made
		}{{1, made{}}, {1e9, made{}}, {8e9, made{}}, {1, made{crowded: true}}} {
			f, err := l.fill(ctx, b, docs, c.documents, c.made)
			if errors.Is(err, errAbsent) {
				log.Printf("%s is passed over: %v", b, err)
				break
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b, err)
			}
			// What is found does not depend on the layout or the backend.
			key := fmt.Sprint(docs, c.crowded)
			if first, ok := answers[key]; !ok {
				answers[key] = f
			} else if f.Sum != first.Sum || f.Answers != first.Answers {
				return nil, fmt.Errorf("%s with %d tables gives %d answers, %s with %d gives %d, or others", b, f.Tables, f.Answers, first.Backend, first.Tables, first.Answers)
			}
			out = append(out, record{Index: &f})
		}
	}
	return out, nil
}

// measureSizes fills each backend with as many documents as fit into the memory of the machine, under
// the layout for so many.
func measureSizes(ctx context.Context, l *lab) (out []record, err error) {
	for _, b := range l.backends {
		for _, docs := range l.sizes {
			if reason := l.tooLarge(b, docs); reason != "" {
				log.Printf("%s with %d documents is passed over: %s", b, docs, reason)
				continue
			}
			f, err := l.fill(ctx, b, docs, docs, made{})
			if errors.Is(err, errAbsent) {
				log.Printf("%s is passed over: %v", b, err)
				break
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b, err)
			}
			out = append(out, record{Index: &f})
		}
	}
	return out, nil
}

// tooLarge says why an index is not filled, by what the model says of its size.
func (l *lab) tooLarge(backend string, docs int64) string {
	switch {
	case backend == "disk":
		return ""
	case backend == "hbase" && docs > l.hbaseDocs:
		return fmt.Sprintf("HBASE_DOCS is %d", l.hbaseDocs)
	}
	layout, err := plan.Choose(docs, 64, distance)
	if err != nil {
		return err.Error()
	}
	e, err := plan.Measured().Estimate(backend, docs, layout, plan.DefaultMachine)
	if err != nil {
		return err.Error()
	}
	if free := memoryOf("MemAvailable"); e.Bytes > 0.5*free {
		return fmt.Sprintf("%s, of which %s is free", plan.Bytes(e.Bytes), plan.Bytes(free))
	}
	return ""
}

// memoryOf returns a figure of the system's memory, or a gigabyte if the system does
// not tell.
func memoryOf(figure string) float64 {
	b, err := os.ReadFile("/proc/meminfo")
	if err == nil {
		var kB float64
		if _, rest, ok := strings.Cut(string(b), figure+":"); ok {
			if _, err := fmt.Sscan(rest, &kB); err == nil {
				return kB * 1024
			}
		}
	}
	return 1e9
}

const (
	writers   = 2
	addBatch  = 1000
	asked     = 1000 // queries of each kind
	batchSize = 1000
)

// fill makes an index of the layout for a number of documents, fills it with docs of them, and asks.
func (l *lab) fill(ctx context.Context, backend string, docs, layout int64, m made) (f filled, err error) {
	method, err := newMethod()
	if err != nil {
		return f, err
	}
	chosen, err := plan.Choose(layout, 64, distance)
	if err != nil {
		return f, err
	}
	s, err := l.open(ctx, backend, docs, chosen.Tables)
	if err != nil {
		return f, err
	}
	x, err := index.Create(ctx, s.Store, method, index.Options{Threshold: threshold, Documents: layout})
	if err != nil {
		return f, errors.Join(err, s.Close())
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	f.timed = timed{Backend: backend, Documents: docs, Blocks: chosen.Blocks, Tables: chosen.Tables, Memory: memoryOf("MemTotal")}
	f.Buckets = chosen.Buckets(float64(docs))
	if m.crowded {
		f.Buckets = 3*64 + f.Buckets/4 // of four tables
	}
	f.Design, f.Crowded = x.Header().Buckets, m.crowded
	start := time.Now()
	if err := add(ctx, x, docs, m); err != nil {
		return f, err
	}
	f.Load = time.Since(start).Seconds()
	if err := x.Merge(ctx); err != nil {
		return f, err
	}
	bytes, err := s.bytes()
	if err != nil {
		return f, err
	}
	f.Bytes = float64(bytes)
	if f.Lookups, f.Scanned, err = reads(backend, docs, layout, chosen, m); err != nil {
		return f, err
	}
	if err := f.ask(ctx, x, docs, m); err != nil {
		return f, err
	}
	if s.dir != "" && docs == layout {
		if err := f.askUncached(ctx, x, s.dir, m); err != nil {
			return f, err
		}
	}
	log.Printf("%s, %d documents, %s: %s a document, filled in %s, a query %s", backend, docs, f.Design, plan.Bytes(f.Bytes/float64(docs)), plan.Seconds(f.Load), plan.Seconds(f.Query))
	return f, nil
}

// coldQueries is how many queries askUncached asks: few, for the system reads more
// of the disk than they need, and soon has the index in memory again.
const coldQueries = 25

// askUncached measures queries of the index on disk that find nothing, when nothing
// that they read is in memory. It closes the index.
func (f *filled) askUncached(ctx context.Context, x *index.Index, dir string, m made) (err error) {
	if err := x.Close(); err != nil {
		return err
	}
	if err := dropPages(dir); errors.Is(err, errAbsent) {
		log.Print(err)
		return nil
	} else if err != nil {
		return err
	}
	s, err := disk.Open(ctx, dir, disk.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if x, err = index.Open(ctx, s, x.Method()); err != nil {
		return err
	}
	var took []time.Duration
	for n := range int64(coldQueries) {
		d := m.doc(f.Documents + 2*n)
		start := time.Now()
		if _, err := x.Query(ctx, d, index.QueryOptions{}); err != nil {
			return err
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	f.Uncached = took[coldQueries/2].Seconds()
	return nil
}

// reads returns what a query of an index of docs documents reads, under a layout of which the candidates are
// those for more.
func reads(backend string, docs, layout int64, l plan.Layout, m made) (lookups, scanned float64, err error) {
	n := float64(docs)
	l.Candidates *= n / float64(layout)
	lookups, scanned, err = plan.Reads(backend, docs, l)
	if m.crowded {
		scanned += 3 * (n/64 - n/65536) // in the tables of the first three blocks
	}
	return lookups, scanned, err
}

// add fills an index: by its own way of loading where it has one, otherwise in batches
// of 1,000 from two goroutines.
func add(ctx context.Context, x *index.Index, docs int64, m made) error {
	if _, ok := x.Store().(index.Loader); ok {
		i := int64(-1)
		_, _, err := x.Load(ctx, func() (index.Doc, bool, error) {
			if i++; i >= docs {
				return index.Doc{}, false, nil
			}
			return m.doc(i), true, nil
		})
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, writers)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for w := range writers {
		wg.Go(func() {
			batch := make([]index.Doc, 0, addBatch)
			for from := int64(w) * addBatch; from < docs; from += writers * addBatch {
				batch = batch[:0]
				for i := from; i < min(from+addBatch, docs); i++ {
					batch = append(batch, m.doc(i))
				}
				if _, err := x.Add(ctx, batch); err != nil {
					errs[w] = err
					cancel()
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// ask queries the index for documents that it has nothing like, and for copies of some that
// it has, and checks every answer.
func (f *filled) ask(ctx context.Context, x *index.Index, docs int64, m made) error {
	sum := fnv.New64a()
	answer := func(i int64, got []index.Match) error {
		word, original := m.fingerprint(i)
		found := original < 0 || original >= docs
		slices.SortFunc(got, func(a, b index.Match) int { return strings.Compare(a.ID, b.ID) })
		for _, a := range got {
			found = found || a.ID == id(original)
			fmt.Fprintf(sum, "%d %s %d\n", i, a.ID, a.Distance)
			if a.Distance > distance {
				return fmt.Errorf("document %d of word %#x has %s at %d bits", i, word, a.ID, a.Distance)
			}
		}
		f.Answers += int64(len(got))
		if !found {
			return fmt.Errorf("document %d is a copy of %s, which is not found", i, id(original))
		}
		return nil
	}
	var took [2][]time.Duration
	var batch []index.Doc
	var batched []int64
	for n := range int64(2 * asked) {
		i, kind := docs+n, 0 // even, so no copy
		if n%2 == 1 {
			i, kind = int64(mix(uint64(n))%uint64(docs/every))*every+every-1, 1
		}
		d := m.doc(i)
		start := time.Now()
		got, err := x.Query(ctx, d, index.QueryOptions{})
		took[kind] = append(took[kind], time.Since(start))
		if err != nil {
			return err
		}
		if err := answer(i, got); err != nil {
			return err
		}
		batch, batched = append(batch, d), append(batched, i)
	}
	for k := range took {
		slices.Sort(took[k])
	}
	f.Query, f.P99, f.Found = took[0][asked/2].Seconds(), took[0][asked*99/100].Seconds(), took[1][asked/2].Seconds()
	f.Sum = sum.Sum64()
	single, answers := f.Sum, f.Answers
	sum.Reset()
	f.Answers = 0
	start := time.Now()
	var all [][]index.Match
	for part := range slices.Chunk(batch, batchSize) {
		got, err := x.QueryBatch(ctx, part, index.QueryOptions{})
		if err != nil {
			return err
		}
		all = append(all, got...)
	}
	f.Batch = float64(len(batch)) / time.Since(start).Seconds()
	for k, got := range all {
		if err := answer(batched[k], got); err != nil {
			return err
		}
	}
	if sum.Sum64() != single || f.Answers != answers {
		return fmt.Errorf("batches give %d answers, queries %d, or others", f.Answers, answers)
	}
	return nil
}
