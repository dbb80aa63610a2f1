package main

import (
	"fmt"
	"slices"

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
				rows = append(rows, append([]string{e.Name}, keyCells(k)...))
			}
		}
		return writeTable(w, format, append([]column{{"method", true}}, keyColumns...), rows)
	}
	for _, e := range entries {
		fmt.Fprintf(w, "%s: %s\n", e.Name, e.Summary)
		fmt.Fprintf(w, "  use it %s\n", e.When)
		fmt.Fprintf(w, "  reads %s\n\n", e.Reads)
		own := slices.DeleteFunc(slices.Clone(e.Keys), func(k catalog.Key) bool { return k.Feature })
		if err := writeRows(w, format, own, keyColumns, keyCells); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "keys of every method that reads features\n\n")
	return writeRows(w, format, catalog.FeatureKeys(), keyColumns, keyCells)
}

var keyColumns = []column{{"key", true}, {"default", true}, {"allowed", true}, {"meaning", true}}

func keyCells(k catalog.Key) []string { return []string{k.Name, k.Default, k.Allowed, k.Doc} }
