package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
)

// Traffic is two writers that add to a store and a reader that asks for what they
// added, while a test kills a server. None of their calls may fail.
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
			batch = append(batch, indextest.RandomEntry(rng, fmt.Sprintf("%d-%d-%d", w, n, i)))
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
			indextest.Check(x.t, x.s, some...)
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
		indextest.Check(x.t, x.s, part...)
	}
	if problems, err := x.s.Verify(x.t.Context()); err != nil || len(problems) > 0 {
		x.t.Errorf("verify: %v, %v", problems, err)
	}
}
