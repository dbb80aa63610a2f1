package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/terminal"
)

// sketchLeakRun is one run of sketch --for leak, as flags say.
type sketchLeakRun struct {
	purpose  string // "leak", or empty for the other sketches
	manifest string
	seed     uint64
}

func (r *sketchLeakRun) flags(flags *pflag.FlagSet) {
	flags.StringVar(&r.purpose, "for", "", "`leak`: write test sets as hashes to the file OUT, which alike leak takes instead of their texts")
	flags.StringVar(&r.manifest, "tests", "", "with --for leak, the `FILE` that lists test sets, as for alike leak")
	flags.Uint64Var(&r.seed, "seed", 1, "with --for leak, the seed that salts the hashes")
}

// alsoForLeak lists the flags of sketch that work with --for leak, besides the
// flags that say how inputs are read.
var alsoForLeak = []string{"out", "for", "tests", "seed", "features", "mask", "workers"}

// check refuses flags that say nothing for the purpose.
func (r *sketchLeakRun) check(cmd *cobra.Command, inputs []string) (err error) {
	switch {
	case r.purpose == "" && (r.manifest != "" || cmd.Flags().Changed("seed")):
		return errors.New("--tests and --seed go with --for leak")
	case r.purpose == "" && len(inputs) == 0:
		return errors.New("want one input or more")
	case r.purpose == "":
		return nil
	case r.purpose != "leak":
		return fmt.Errorf("--for is %q, want leak", r.purpose)
	case (r.manifest != "") == (len(inputs) > 0):
		return errors.New("want either test documents or --tests")
	}
	sources := &cobra.Command{}
	new(source).docFlags(sources)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(alsoForLeak, f.Name) && sources.Flags().Lookup(f.Name) == nil && err == nil {
			err = fmt.Errorf("--%s does not go with --for leak", f.Name)
		}
	})
	return err
}

// do writes test sketches.
func (r *sketchLeakRun) do(cmd *cobra.Command, s *sketchRun, inputs []string) (err error) {
	leak := leakRun{features: cli.DefaultFeatures, mask: s.mask}
	if f := cmd.Flags().Lookup("features"); f.Changed {
		leak.features = f.Value.String()
	}
	if strings.Contains(","+leak.features, ",seed=") {
		if cmd.Flags().Changed("seed") {
			return fmt.Errorf("sketch: --features has a seed (%s), and --seed is given too: want one of them", leak.features)
		}
	} else {
		leak.features += fmt.Sprintf(",seed=%d", r.seed)
	}
	if err := leak.rules(cmd); err != nil {
		return fmt.Errorf("sketch: %w", err)
	}
	o := leak.o
	o.SkipBad, o.OnBad, o.Workers = s.source.SkipBad, s.source.passedOver, s.o.Workers
	if r.manifest != "" {
		o.Tests, err = local.ReadTests(r.manifest, s.source.Source)
	} else {
		var sources []datasets.Source
		sources, err = s.source.sourcesOf(inputs, len(inputs) > 1)
		for i := range sources {
			if sources[i].Path == "-" {
				sources[i].Input = cmd.InOrStdin()
			}
		}
		o.Tests = []local.TestSet{{Sources: sources}}
	}
	if err == nil {
		err = checkWrites(cmd, nil, sourcesOfTests(o.Tests)...)
	}
	if err != nil {
		return err
	}
	show, done := terminal.Progress(cmd.ErrOrStderr())
	defer done()
	o.Progress = func(stage string, share float64) { show(share, stage) }
	rep, err := local.WriteTestSketches(cmd.Context(), s.o.Out, o)
	if err != nil {
		return err
	}
	done()
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s of %s, as hashes with the features %s\n", s.o.Out, plural(rep.Test, "document"), plural(len(rep.Sets), "test set"), o.Features)
	return err
}
