//go:build !unix

package main

import "time"

func cpu() time.Duration { return time.Since(began) }
