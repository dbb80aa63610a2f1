package main

import (
	"fmt"
	"os"
	"slices"

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
	var restore []func() error
	flags.Visit(func(f *pflag.Flag) {
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values := slices.Clone(list.GetSlice())
			restore = append(restore, func() error { return list.Replace(values) })
			return
		}
		value := f.Value.String()
		restore = append(restore, func() error { return f.Value.Set(value) })
	})
	if err := yaml.UnmarshalWithOptions(data, run, yaml.DisallowUnknownField()); err != nil {
		return fmt.Errorf("eval: %s:%s", name, yaml.FormatError(err, false, false))
	}
	for _, set := range restore {
		if err := set(); err != nil {
			return fmt.Errorf("eval: %w", err)
		}
	}
	return nil
}
