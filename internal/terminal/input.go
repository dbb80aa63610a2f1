package terminal

import (
	"context"
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// Input returns a reader of r whose reads end when ctx is done, even if r is
// waiting for input. The first read starts it; from then on r belongs to it.
func Input(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	return &input{out, r, func() {
		context.AfterFunc(ctx, func() { in.CloseWithError(context.Cause(ctx)) })
		go func() {
			_, err := io.Copy(in, r)
			in.CloseWithError(err)
		}()
	}, sync.Once{}}
}

type input struct {
	*io.PipeReader
	from  io.Reader
	start func()
	once  sync.Once
}

func (in *input) Read(p []byte) (int, error) {
	in.once.Do(in.start)
	return in.PipeReader.Read(p)
}

// Typed reports whether what Input has made reads from a terminal.
func Typed(r io.Reader) bool {
	in, ok := r.(*input)
	if !ok {
		return false
	}
	f, ok := in.from.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
