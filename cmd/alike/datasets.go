package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
)

func newDatasets() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "datasets",
		Short: "list, show, make and convert labelled data sets",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDatasetsList(), newDatasetsShow(), newDatasetsMake(), newDatasetsConvert())
	return cmd
}

// languages prints the languages of a set.
func languages(s *datasets.Summary) string {
	return strings.TrimSpace(strings.Join(slices.Sorted(maps.Keys(s.Languages)), " ")) // documents may have none
}

// pairCounts prints the pairs of each split and how many of them are alike.
func pairCounts(s *datasets.Summary) string {
	var parts []string
	for _, split := range []string{"train", "dev", "test", "none"} {
		if n := s.Pairs[split]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d (%d)", split, n, s.Alike[split]))
		}
	}
	return strings.Join(parts, ", ")
}

func newDatasetsList() *cobra.Command {
	var format tables.Output
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list the sets inside and those of the shared data folder (ALIKE_DATA)",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			names := append(datasets.Inside(), datasets.Shared()...)
			show, done := terminal.Progress(cmd.ErrOrStderr())
			defer done()
			var all []datasets.Summary
			for i, name := range names {
				if err := cmd.Context().Err(); err != nil {
					return err
				}
				show(float64(i)/float64(len(names)), name)
				set, err := datasets.Load(name)
				if err != nil {
					all = append(all, datasets.Summary{Name: name, Problem: err.Error()})
					continue
				}
				all = append(all, set.Summary())
			}
			done()
			columns := []column{"<name", "<language", "documents", "median chars", "<truth", "<pairs (alike)", "<licence"}
			return tables.Write(cmd.OutOrStdout(), format.Fold("licence", "median chars"), all, columns, func(s datasets.Summary) []string {
				truth := s.Truth
				if s.Clusters > 0 {
					truth = plural(s.Clusters, "cluster")
				}
				if s.Problem != "" {
					truth = s.Problem
				}
				return []string{s.Name, languages(&s), fmt.Sprint(s.Documents), fmt.Sprint(s.MedianRunes), truth, pairCounts(&s), shorten(s.Licence)}
			})
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

func newDatasetsShow() *cobra.Command {
	var format tables.Output
	var most int
	var src source
	cmd := &cobra.Command{
		Use:               "show NAME|PATH",
		Short:             "show counts, lengths, languages, licence and a few pairs of a set",
		Args:              exactly(1, "datasets show: want one set, by name or path"),
		ValidArgsFunction: dataNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := src.load(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			s := set.Summary()
			w := cmd.OutOrStdout()
			if format.Format == "jsonl" {
				return tables.Write(w, format, []datasets.Summary{s}, nil, nil)
			}
			rows := [][]string{
				{"name", s.Name}, {"description", shorten(s.Description)}, {"licence", shorten(s.Licence)},
				{"documents", fmt.Sprintf("%d, %s bytes of text", s.Documents, short(float64(s.Bytes)))},
				{"characters", fmt.Sprintf("median %d, most %d", s.MedianRunes, s.MaxRunes)},
				{"languages", languages(&s)}, {"truth", s.Truth}, {"clusters of 2 or more", fmt.Sprint(s.Clusters)},
				{"pairs (alike)", pairCounts(&s)}, {"checksum", s.Checksum},
			}
			if err := tables.Table(w, format, []column{"<set", "<"}, rows); err != nil || format.Data() {
				return err
			}
			return showPairs(w, format, set, most)
		},
	}
	formatFlag(cmd, &format)
	src.flags(cmd)
	cmd.Flags().IntVarP(&most, "pairs", "n", 4, "pairs to show")
	return cmd
}

// showPairs shows pairs spread over the set, alike and not in turn.
func showPairs(w io.Writer, format tables.Output, set *datasets.Set, most int) error {
	var alike, other []datasets.Pair
	for _, p := range set.Pairs {
		if p.Alike() {
			alike = append(alike, p)
		} else {
			other = append(other, p)
		}
	}
	var rows [][]string
	for i := range most {
		from := alike
		if i%2 == 1 {
			from = other
		}
		if len(from) == 0 {
			continue
		}
		p := from[(i/2)*len(from)/max(1, (most+1)/2)]
		rows = append(rows, []string{fmt.Sprintf("%g", p.Grade), p.Kind, shorten(set.Docs[p.A].Text), shorten(set.Docs[p.B].Text)})
	}
	if len(rows) == 0 {
		return nil
	}
	format.Say(w, "\n")
	return tables.Table(w, format.Aside(), []column{"label", "<kind", "<one", "<other"}, rows)
}
