package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/internal/tables"
)

func newMethods() *cobra.Command {
	var format tables.Output
	cmd := &cobra.Command{
		Use:   "methods [NAME...]",
		Short: "list the methods with their keys, defaults and ranges",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return catalog.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, names []string) error {
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

func writeMethods(cmd *cobra.Command, format tables.Output, entries []catalog.Entry) error {
	w := cmd.OutOrStdout()
	if format.Format == "jsonl" {
		return tables.Write(w, format, entries, nil, nil)
	}
	if format.Data() {
		var rows [][]string
		for _, e := range entries {
			for _, k := range e.Keys {
				rows = append(rows, append([]string{e.Name}, keyCells(k)...))
			}
		}
		return tables.Table(w, format, append([]column{"<method"}, keyColumns...), rows)
	}
	for _, e := range entries {
		format.Say(w, "%s: %s\n  use it %s\n  reads %s\n\n", e.Name, e.Summary, e.When, e.Reads)
		own := slices.DeleteFunc(slices.Clone(e.Keys), func(k catalog.Key) bool { return k.Feature })
		if err := tables.Write(w, format, own, keyColumns, keyCells); err != nil {
			return err
		}
		format.Say(w, "\n")
	}
	format.Say(w, "keys of every method that reads features\n\n")
	return tables.Write(w, format, catalog.FeatureKeys(), keyColumns, keyCells)
}

var keyColumns = []column{"<key", "<default", "<allowed", "<meaning"}

func keyCells(k catalog.Key) []string { return []string{k.Name, k.Default, k.Allowed, k.Doc} }
