package external

import (
	"fmt"
	"sync"
	"time"
)

// live is every process that has not ended, and the first failure of any, for CloseAll.
var live struct {
	sync.Mutex
	processes map[*process]bool
	failed    error
}

// CloseAll ends every process that methods of this package have started, as
// Close does. Call it when the program is about to end. It kills processes that
// are still there after patience. It returns the first failure of a method
// since the last call, in case the program did not call Err.
func CloseAll(patience time.Duration) error {
	live.Lock()
	var all []*process
	for p := range live.processes {
		all = append(all, p)
	}
	failed := live.failed
	live.failed = nil
	live.Unlock()
	var wg sync.WaitGroup
	for _, p := range all {
		wg.Go(func() { p.stop(fmt.Errorf("external: %s: %w", p.command, errClosed), patience) })
	}
	wg.Wait()
	return failed
}

// noteFailure keeps an error for CloseAll.
func noteFailure(err error) {
	live.Lock()
	defer live.Unlock()
	if live.failed == nil {
		live.failed = err
	}
}
