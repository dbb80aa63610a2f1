//go:build !linux

package main

import "fmt"

// dropPages needs Linux.
func dropPages(string) error { return fmt.Errorf("queries from the disk: %w", errAbsent) }
