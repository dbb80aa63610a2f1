// Command alike-beam removes duplicates and near-duplicates from a corpus as an
// Apache Beam pipeline, on any runner.
//
//	alike-beam INPUT... -o OUT                                         in this process, for a try
//	alike-beam INPUT... -o OUT --runner universal --endpoint HOST:PORT on Flink, Spark, ...
//	alike-beam INPUT... -o OUT --runner dataflow --project P ...       on Google's service
//
// It decides as alike dedup does, and writes the same rows, reasons and
// clusters, cut into as many files as the input has pieces. The exit status is
// 0 when done, 1 if more than --max-drop would go, 2 on bad usage or failed input
// or output, and 130 after Ctrl-C.
//
// The package holds flags and output. Flags that it shares with alike belong in
// internal/cli, steps of the pipeline in beam/pipeline.
package main

import (
	"context"
	"flag"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/alike-go/alike/internal/terminal"
)

func main() {
	if slices.ContainsFunc(os.Args, func(a string) bool { return strings.HasPrefix(strings.TrimLeft(a, "-"), "worker=") }) {
		flag.Parse() // a runner has started this as a worker
	}
	beam.Init()
	ctx, stop := terminal.Interruptible(context.Background())
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
