package main

import (
	"context"
	"fmt"
	"io"
)

// withoutLabels is do for data whose truth nobody stated.
func (r *chooseRun) withoutLabels(_ context.Context, data string, _, _ io.Writer) error {
	return fmt.Errorf("choose: %s has no labels, want pairs or clusters beside the documents", data)
}
