package main

import (
	"context"
	"io"
	"sync"
)

// interruptible is an input that stops when its context is done, even if a read
// is waiting for input. After the first read it reads one block ahead.
type interruptible struct {
	io.Reader
	ctx    context.Context
	once   sync.Once
	blocks chan block
	now    block
}

// block is the result of one read.
type block struct {
	bytes []byte
	err   error
}

func (in *interruptible) Read(p []byte) (int, error) {
	in.once.Do(func() {
		in.blocks = make(chan block)
		go in.read()
	})
	for len(in.now.bytes) == 0 {
		if in.now.err != nil {
			return 0, in.now.err
		}
		select {
		case in.now = <-in.blocks:
		case <-in.ctx.Done():
			return 0, context.Cause(in.ctx)
		}
	}
	n := copy(p, in.now.bytes)
	in.now.bytes = in.now.bytes[n:]
	return n, nil
}

// read reads blocks into two buffers in turn: one is filled while the other is
// in use.
func (in *interruptible) read() {
	var buffers [2][1 << 16]byte
	for i := 0; ; i ^= 1 {
		n, err := in.Reader.Read(buffers[i][:])
		select {
		case in.blocks <- block{buffers[i][:n], err}:
		case <-in.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}
