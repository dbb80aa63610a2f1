package main

import (
	"fmt"
	"os"

	"github.com/goccy/go-yaml"
	"github.com/spf13/pflag"
)

// readRun reads a run from a YAML file. What a flag on the command line sets stays
// as the flag says; an unknown key is an error with its place in the file.
func readRun(name string, run *evalRun, flags *pflag.FlagSet) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("eval: %w", err)
	}
	fromFlags := *run
	if err := yaml.UnmarshalWithOptions(data, run, yaml.DisallowUnknownField()); err != nil {
		return fmt.Errorf("eval: %s:%s", name, yaml.FormatError(err, false, false))
	}
	keep := map[string]func(){
		"data":          func() { run.Data = fromFlags.Data },
		"method":        func() { run.Methods = fromFlags.Methods },
		"features":      func() { run.Features = fromFlags.Features },
		"sweep":         func() { run.Sweep = fromFlags.Sweep },
		"split":         func() { run.Split = fromFlags.Split },
		"strict-splits": func() { run.Strict = fromFlags.Strict },
		"pairs":         func() { run.Pairs = fromFlags.Pairs },
		"max-docs":      func() { run.MaxDocs = fromFlags.MaxDocs },
		"join":          func() { run.Join = fromFlags.Join },
		"floor":         func() { run.Floor = fromFlags.Floor },
		"recall":        func() { run.Recall = fromFlags.Recall },
		"exact":         func() { run.Exact = fromFlags.Exact },
		"limit":         func() { run.Limit = fromFlags.Limit },
		"seed":          func() { run.Seed = fromFlags.Seed },
		"resamples":     func() { run.Resample = fromFlags.Resample },
		"repeat":        func() { run.Repeat = fromFlags.Repeat },
		"workers":       func() { run.Workers = fromFlags.Workers },
		"details":       func() { run.Details = fromFlags.Details },
		"out":           func() { run.Out = fromFlags.Out },
		"resume":        func() { run.Resume = fromFlags.Resume },
		"plots":         func() { run.Plots = fromFlags.Plots },
	}
	flags.Visit(func(f *pflag.Flag) {
		if restore := keep[f.Name]; restore != nil {
			restore()
		}
	})
	return nil
}
