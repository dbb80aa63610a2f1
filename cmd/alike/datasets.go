package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
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

// summary is what list and show say of a set.
type summary struct {
	Name        string         `json:"name"`
	Documents   int            `json:"n_docs"`
	Bytes       int            `json:"bytes"`
	MedianRunes int            `json:"median_runes"`
	MaxRunes    int            `json:"max_runes"`
	Languages   map[string]int `json:"languages"`
	Truth       string         `json:"truth"`
	Clusters    int            `json:"n_clusters"`        // of two documents or more
	Pairs       map[string]int `json:"pairs"`             // by split
	Alike       map[string]int `json:"alike"`             // of them
	Graded      bool           `json:"graded"`            //
	Licence     string         `json:"licence"`           //
	Description string         `json:"description"`       //
	Checksum    string         `json:"checksum"`          // of texts and truth
	Problem     string         `json:"problem,omitempty"` // why it cannot be read
}

func summarise(set *datasets.Set) summary {
	s := summary{
		Name: set.Name, Documents: len(set.Docs), Languages: map[string]int{}, Truth: "pairs",
		Pairs: map[string]int{}, Alike: map[string]int{}, Graded: set.Graded,
		Licence: set.Licence, Description: set.Description, Checksum: set.Checksum(),
	}
	var lengths []int
	for _, d := range set.Docs {
		s.Bytes += len(d.Text)
		lengths = append(lengths, utf8.RuneCountInString(d.Text))
		s.Languages[d.Lang]++
	}
	slices.Sort(lengths)
	if len(lengths) > 0 {
		s.MedianRunes, s.MaxRunes = lengths[len(lengths)/2], lengths[len(lengths)-1]
	}
	if set.Graded {
		s.Truth = "grades"
	}
	if set.Clusters != nil {
		s.Truth = "clusters"
		size := map[int]int{}
		for _, c := range set.Clusters {
			size[c]++
		}
		for _, n := range size {
			if n > 1 {
				s.Clusters++
			}
		}
	}
	for _, p := range set.Pairs {
		s.Pairs[p.Split.String()]++
		if p.Alike() {
			s.Alike[p.Split.String()]++
		}
	}
	return s
}

func (s summary) languages() string {
	var names []string
	for l := range s.Languages {
		if l != "" {
			names = append(names, l)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// pairs prints the pairs of each split and how many of them are alike.
func (s summary) pairs() string {
	var parts []string
	for _, split := range []string{"train", "dev", "test", "none"} {
		if n := s.Pairs[split]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d (%d)", split, n, s.Alike[split]))
		}
	}
	return strings.Join(parts, ", ")
}

func newDatasetsList() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list the sets inside and those of the shared data folder (ALIKE_DATA)",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			names := append(datasets.Inside(), datasets.Shared()...)
			show, done := progress(cmd.ErrOrStderr())
			defer done()
			var all []summary
			for i, name := range names {
				if err := cmd.Context().Err(); err != nil {
					return err
				}
				show(float64(i)/float64(len(names)), name)
				set, err := datasets.Load(name)
				if err != nil {
					all = append(all, summary{Name: name, Problem: err.Error()})
					continue
				}
				all = append(all, summarise(set))
			}
			done()
			if format == "json" {
				return writeJSON(cmd.OutOrStdout(), all)
			}
			columns := []column{{"name", true}, {"language", true}, {"documents", false}, {"median chars", false}, {"truth", true}, {"pairs (alike)", true}, {"licence", true}}
			var rows [][]string
			for _, s := range all {
				truth := s.Truth
				if s.Clusters > 0 {
					truth = fmt.Sprintf("%d clusters", s.Clusters)
				}
				if s.Problem != "" {
					truth = s.Problem
				}
				rows = append(rows, []string{s.Name, s.languages(), fmt.Sprint(s.Documents), fmt.Sprint(s.MedianRunes), truth, s.pairs(), shorten(s.Licence)})
			}
			return writeTable(cmd.OutOrStdout(), format, columns, rows)
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

func newDatasetsShow() *cobra.Command {
	var format string
	var most int
	var src source
	cmd := &cobra.Command{
		Use:               "show NAME|PATH",
		Short:             "show counts, lengths, languages, licence and a few pairs of a set",
		Args:              exactly(1, "datasets show: want one set, by name or path"),
		ValidArgsFunction: dataNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			src.stderr = cmd.ErrOrStderr()
			set, err := src.load(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			s := summarise(set)
			if format == "json" {
				return writeJSON(cmd.OutOrStdout(), []summary{s})
			}
			w := cmd.OutOrStdout()
			rows := [][]string{
				{"name", s.Name}, {"description", shorten(s.Description)}, {"licence", shorten(s.Licence)},
				{"documents", fmt.Sprintf("%d, %s bytes of text", s.Documents, short(float64(s.Bytes)))},
				{"characters", fmt.Sprintf("median %d, most %d", s.MedianRunes, s.MaxRunes)},
				{"languages", s.languages()}, {"truth", s.Truth}, {"clusters of 2 or more", fmt.Sprint(s.Clusters)},
				{"pairs (alike)", s.pairs()}, {"checksum", s.Checksum},
			}
			if err := writeTable(w, format, []column{{"set", true}, {"", true}}, rows); err != nil {
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
func showPairs(w io.Writer, format string, set *datasets.Set, most int) error {
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
	fmt.Fprintln(w)
	return writeTable(w, format, []column{{"label", false}, {"kind", true}, {"one", true}, {"other", true}}, rows)
}
