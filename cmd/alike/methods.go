package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/internal/jsonl"
)

func newMethods() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "methods [NAME...]",
		Short: "list the methods with their keys, defaults and ranges",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return catalog.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			if len(names) == 0 {
				names = append(catalog.Names(), catalog.Exec)
			}
			var entries []catalog.Entry
			for _, n := range names {
				e, err := catalog.Lookup(n)
				if err != nil {
					return err
				}
				entries = append(entries, e)
			}
			return writeMethods(cmd, format, entries)
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

func writeMethods(cmd *cobra.Command, format string, entries []catalog.Entry) error {
	w := cmd.OutOrStdout()
	if format == "json" {
		return jsonl.Encode(w, entries)
	}
	if format == "csv" {
		var rows [][]string
		for _, e := range entries {
			for _, k := range e.Keys {
				rows = append(rows, []string{e.Name, k.Name, k.Default, k.Allowed, k.Doc})
			}
		}
		return writeTable(w, format, []column{{"method", true}, {"key", true}, {"default", true}, {"allowed", true}, {"meaning", true}}, rows)
	}
	columns := []column{{"key", true}, {"default", true}, {"allowed", true}, {"meaning", true}}
	for _, e := range entries {
		fmt.Fprintf(w, "%s: %s\n", e.Name, e.Summary)
		fmt.Fprintf(w, "  use it %s\n", e.When)
		fmt.Fprintf(w, "  reads %s\n\n", e.Reads)
		var rows [][]string
		for _, k := range e.Keys {
			if !k.Feature {
				rows = append(rows, []string{k.Name, k.Default, k.Allowed, k.Doc})
			}
		}
		if err := writeTable(w, format, columns, rows); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	var rows [][]string
	for _, k := range catalog.FeatureKeys() {
		rows = append(rows, []string{k.Name, k.Default, k.Allowed, k.Doc})
	}
	fmt.Fprintf(w, "keys of every method that reads features\n\n")
	return writeTable(w, format, columns, rows)
}
