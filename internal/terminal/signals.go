package terminal

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Interruptible returns a context that is done once the program is asked to
// end: by Ctrl-C or Ctrl-\, by the end of its terminal, or by SIGTERM. A SIGHUP
// or SIGINT that was ignored when the program started, as under nohup, stays
// ignored. After the first signal, and after stop, the next one ends the
// program at once.
func Interruptible(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	signals := make([]os.Signal, 0, 4)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	if len(signals) == 0 { // NotifyContext would treat none as all signals
		return context.WithCancel(parent)
	}
	ctx, stop = signal.NotifyContext(parent, signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
