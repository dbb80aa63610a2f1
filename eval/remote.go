package eval

import (
	"context"
	"io"

	"github.com/alike-go/alike/similarity"
)

// closing closes the methods that can be closed when ctx is cancelled, because whoever
// waits for another process does not look at ctx. The function returned ends that.
func closing(ctx context.Context, methods []similarity.Method) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		for _, m := range methods {
			if c, ok := m.(io.Closer); ok {
				c.Close()
			}
		}
	})
}

// settle waits for a collection's sketches and returns what went wrong: the end of ctx,
// where it has come, since it is why methods are closed.
func settle(ctx context.Context, c similarity.Collection) error {
	err := c.Err()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
