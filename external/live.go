package external

import (
	"fmt"
	"sync"
)

// live is every process that has not ended, and the first failure of any, for CloseAll.
var live struct {
	sync.Mutex
	processes map[*process]bool
	failed    error
}

// CloseAll ends every process that methods of this package have started, as Close does,
// for a program that is about to end. It returns the first failure of a method since it
// was last called, in case that nobody has asked Settle for it.
func CloseAll() error {
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
		wg.Go(func() { p.stop(fmt.Errorf("external: %s: %w", p.command, ErrClosed), grace) })
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
