//go:build google

package main

// What only Google's service needs makes the build several times as long.
import (
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
)

func init() { runners = append(runners, "dataflow") }
