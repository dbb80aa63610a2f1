package terminal_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/alike-go/alike/internal/terminal"
)

// The input comes through as it is, whatever its reads return.
func TestInputPasses(t *testing.T) {
	want := strings.Repeat("0123456789", 50_000)
	for name, r := range map[string]io.Reader{
		"plain": strings.NewReader(want), "one byte": iotest.OneByteReader(strings.NewReader(want)), "error with data": iotest.DataErrReader(strings.NewReader(want)),
	} {
		got, err := io.ReadAll(terminal.Input(t.Context(), r))
		if err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, %v, want %d", name, len(got), err, len(want))
		}
	}
	wrong := errors.New("wrong")
	in := terminal.Input(t.Context(), io.MultiReader(strings.NewReader("a"), iotest.ErrReader(wrong)))
	if got, err := io.ReadAll(in); string(got) != "a" || err != wrong {
		t.Errorf("%q, %v, want the error after what came before it", got, err)
	}
}

// A read that waits ends with the context.
func TestInputEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	defer w.Close()
	in := terminal.Input(ctx, r)
	cancel()
	if _, err := in.Read(make([]byte, 9)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
