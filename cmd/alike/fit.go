package main

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

func newFit() *cobra.Command {
	var spec, out string
	cmd := &cobra.Command{
		Use:   "fit -o FILE INPUT...",
		Short: "learn what a method learns from a corpus, such as document frequencies",
		Long: `Learn what a method learns from a corpus, such as document frequencies, and
save it for compare --fit. Inputs are text files (one document each) or data
sets by name or folder.`,
		Example: `  alike fit -m cosine -o news.fit --  corpus/*.txt
  alike compare --fit news.fit -m cosine a.txt b.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, inputs []string) error {
			m, err := catalog.Parse(spec)
			if err != nil {
				return err
			}
			if m.FitState() == similarity.FitUseless {
				return fmt.Errorf("fit: %s learns nothing from a corpus", m)
			}
			var failed error
			fitted, err := m.Fit(documents(cmd, inputs, &failed))
			if err := errors.Join(failed, err, cmd.Context().Err()); err != nil {
				return err
			}
			var buf bytes.Buffer
			if err := fitted.WriteFit(&buf); err != nil {
				return err
			}
			if err := writeFile(out, buf.Bytes()); err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), fitted)
			return err
		},
	}
	cmd.Flags().StringVarP(&spec, "method", "m", "cosine", "method `SPEC`")
	cmd.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write")
	cobra.CheckErr(cmd.MarkFlagRequired("out"))
	return cmd
}

// documents yields the texts of the inputs in order: a file that is no folder is
// one document, anything else a data set. It stops at the first error and sets failed.
func documents(cmd *cobra.Command, inputs []string, failed *error) iter.Seq[string] {
	return func(yield func(string) bool) {
		*failed = nil
		for _, name := range inputs {
			if *failed = cmd.Context().Err(); *failed != nil {
				return
			}
			if info, err := os.Stat(name); err == nil && !info.IsDir() {
				data, err := os.ReadFile(name)
				if err != nil {
					*failed = fmt.Errorf("fit: %w", err)
					return
				}
				if !yield(string(data)) {
					return
				}
				continue
			}
			set, err := datasets.Load(name)
			if err != nil {
				*failed = err
				return
			}
			for _, d := range set.Docs {
				if !yield(d.Text) {
					return
				}
			}
		}
	}
}

// writeFile writes aside and renames, so that no half-written file is left.
func writeFile(name string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".alike-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// withFit puts every method that learns under the fit in the file. A method that
// was named and does not take it is an error; of the default methods at least one must.
func withFit(methods []similarity.Method, name string, named bool) ([]similarity.Method, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	out := make([]similarity.Method, len(methods))
	taken := false
	var refused error
	for i, m := range methods {
		out[i] = m
		if m.FitState() == similarity.FitUseless {
			continue
		}
		f, err := m.ReadFit(bytes.NewReader(data))
		if err != nil {
			refused = fmt.Errorf("fit: %s: %w", name, err)
			if named {
				return nil, refused
			}
			continue
		}
		out[i], taken = f, true
	}
	if !taken && refused == nil {
		refused = fmt.Errorf("fit: %s: none of the methods learns from a corpus", name)
	}
	if !taken {
		return nil, refused
	}
	return out, nil
}
