package indextest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
)

// RandomEntry returns an entry of four random postings.
func RandomEntry(rng *rand.Rand, id string) index.Entry {
	e := index.Entry{Document: index.Document{ID: id, Sketch: []byte(fmt.Sprintf("%016x", rng.Uint64()))}}
	e.Hash = index.ContentHash(string(e.Sketch))
	for table := range uint8(4) {
		e.Postings = append(e.Postings, index.Posting{Bucket: rng.Uint32(), Table: table, Word: rng.Uint64()})
	}
	slices.SortFunc(e.Postings, index.Posting.Compare)
	return e
}

// Check fails unless entries are there under their numbers, with all their postings.
func Check(t testing.TB, s index.Store, entries ...index.Entry) {
	t.Helper()
	var numbers []uint64
	var probes [][]index.Posting
	for _, e := range entries {
		numbers = append(numbers, e.Number)
		for _, p := range e.Postings {
			probes = append(probes, []index.Posting{p})
		}
	}
	docs, err := s.Documents(t.Context(), numbers)
	if err != nil {
		t.Errorf("documents: %v", err)
		return
	}
	found, err := scanEach(t.Context(), s, probes)
	if err != nil {
		t.Errorf("scan: %v", err)
		return
	}
	for i, e := range entries {
		if docs[i].ID != e.ID || string(docs[i].Sketch) != string(e.Sketch) {
			t.Errorf("document %d is %+v, want %s", e.Number, docs[i], e.ID)
		}
		for k, p := range e.Postings {
			if !slices.Contains(found[k], e.Number) {
				t.Errorf("%s is missing from %+v", e.ID, p)
			}
		}
		found = found[len(e.Postings):]
	}
}

// scanEach returns what each element of probes leads to, at once where the store can.
func scanEach(ctx context.Context, s index.Store, probes [][]index.Posting) ([][]uint64, error) {
	if b, ok := s.(index.BatchScanner); ok {
		return b.ScanBatch(ctx, probes, 0)
	}
	found := make([][]uint64, len(probes))
	for i, p := range probes {
		var err error
		if found[i], err = s.Scan(ctx, nil, p, 0); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Traffic is two writers that add to a store and a reader that asks for what they added, while a test takes a
// server from under them. None of their calls may fail.
type Traffic struct {
	t    *testing.T
	s    index.Store
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu    sync.Mutex
	acked []index.Entry
	pause time.Duration
}

// StartTraffic starts writers and reader. The test stops it before it closes the store.
func StartTraffic(t *testing.T, s index.Store) *Traffic {
	ctx, stop := context.WithCancel(t.Context())
	x := &Traffic{t: t, s: s, stop: stop}
	for w := range 2 {
		x.wg.Go(func() { x.write(ctx, w) })
	}
	x.wg.Go(func() { x.read(ctx) })
	return x
}

func (x *Traffic) write(ctx context.Context, w int) {
	rng := rand.New(rand.NewPCG(uint64(w), 1))
	last := time.Now()
	for n := 0; ctx.Err() == nil; n++ {
		var batch []index.Entry
		for i := range 50 {
			batch = append(batch, RandomEntry(rng, fmt.Sprintf("%d-%d-%d", w, n, i)))
		}
		// Under the test's context, for what is on its way when the traffic stops is to be acknowledged too.
		out, err := x.s.Add(x.t.Context(), batch, n%2 == 0)
		if err != nil {
			x.t.Errorf("add: %v", err)
			return
		}
		for i, o := range out {
			if o.State != index.Added && o.State != index.Same {
				x.t.Errorf("%s: %v, want added", batch[i].ID, o.State)
			}
			batch[i].Number = o.Number
		}
		x.mu.Lock()
		x.acked = append(x.acked, batch...)
		x.pause, last = max(x.pause, time.Since(last)), time.Now()
		x.mu.Unlock()
	}
}

func (x *Traffic) read(ctx context.Context) {
	rng := rand.New(rand.NewPCG(9, 9))
	for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
		var some []index.Entry
		x.mu.Lock()
		if n := len(x.acked); n > 0 {
			some = append(some, x.acked[rng.IntN(n)])
		}
		x.mu.Unlock()
		if len(some) > 0 {
			Check(x.t, x.s, some...)
		}
	}
}

// Acked returns how many documents have been acknowledged so far.
func (x *Traffic) Acked() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.acked)
}

// Pause returns the longest time between two acknowledgements of a writer so far.
func (x *Traffic) Pause() time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.pause
}

// Stop waits until writers and reader have ended. It may be called again.
func (x *Traffic) Stop() {
	x.stop()
	x.wg.Wait()
}

// Check stops the traffic and fails unless all that was acknowledged is there, in a sound store.
func (x *Traffic) Check() {
	x.t.Helper()
	x.Stop()
	for part := range slices.Chunk(x.acked, 500) {
		Check(x.t, x.s, part...)
	}
	if problems, err := x.s.Verify(x.t.Context()); err != nil || len(problems) > 0 {
		x.t.Errorf("verify: %v, %v", problems, err)
	}
}
