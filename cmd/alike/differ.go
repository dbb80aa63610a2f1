package main

import (
	"github.com/spf13/cobra"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// differColumns adds the columns differ and differ_se to an output of pairs: the
// estimated share of words that differ, and its standard error. The zero value adds none.
type differColumns struct {
	show  bool                    // --show-differ
	model *similarity.DifferModel // nil without the columns
	words *align.Words
}

// flag adds --show-differ to a command. what is the end of its help.
func (d *differColumns) flag(cmd *cobra.Command, what string) {
	cmd.Flags().BoolVar(&d.show, "show-differ", false, "add the columns differ and differ_se, even without --differ"+what)
}

// use sets the model of a method, if the columns are wanted: by --show-differ, or because
// the threshold is by --differ.
func (d *differColumns) use(m similarity.Method, byDiffer bool) error {
	if !d.show && !byDiffer {
		return nil
	}
	model, err := catalog.Differ(m)
	if err != nil {
		return err
	}
	d.model = &model
	d.words, err = align.NewWords(align.WordsOptions{})
	return err
}

// count returns the number of words of a text.
func (d *differColumns) count(text string) int { return len(d.words.Sketch(text)) }

// columns returns the columns, which may be none.
func (d *differColumns) columns() []column {
	if d.model == nil {
		return nil
	}
	return []column{"differ", "differ_se"}
}

// fields returns the fields of the columns.
func (d *differColumns) fields(share, se float64) []datasets.Field {
	if d.model == nil {
		return nil
	}
	return []datasets.Field{number("differ", share), number("differ_se", se)}
}
