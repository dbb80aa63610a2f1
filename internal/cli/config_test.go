package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/alike-go/alike/internal/cli"
)

func TestReadConfig(t *testing.T) {
	for _, c := range []struct{ yaml, err string }{
		{"# a run\ndata: [en, \"zh\"]\nmethods:\n  - minhash:size=16\nmax_docs: 1000\ndetails: true\nfloor: .5\nfeatures: 'tokens=rune,width=2'\n", ""},
		{"", ""},
		{"seed: 1\ndta: en\n", `run.yaml:2: unknown key "dta"`},
		{"max-docs: many\n", "run.yaml:1: max-docs: "},
		{"data:\n  en: 1\n", "run.yaml:1: data: want a value or a list"},
		{"- en\n", "run.yaml: want keys"},
		{"data: [en\n", "run.yaml: "},
		{"config: other.yaml\n", "unknown key"},
	} {
		var data, methods []string
		var features string
		var docs int
		var details bool
		var floor float64
		flags := pflag.NewFlagSet("eval", pflag.ContinueOnError)
		flags.StringArrayVar(&data, "data", nil, "")
		flags.StringArrayVar(&methods, "method", nil, "")
		flags.StringVar(&features, "features", "", "")
		flags.IntVar(&docs, "max-docs", 7, "")
		flags.BoolVar(&details, "details", false, "")
		flags.Float64Var(&floor, "floor", 0, "")
		flags.Uint64("seed", 0, "")
		flags.String("config", "", "")
		if err := flags.Parse([]string{"--floor", "0.25"}); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "run.yaml")
		if err := os.WriteFile(name, []byte(c.yaml), 0o666); err != nil {
			t.Fatal(err)
		}
		err := cli.ReadConfig(name, flags)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: error %v, want %q", c.yaml, err, c.err)
			}
			continue
		}
		if err != nil || floor != 0.25 {
			t.Errorf("%q: floor %v, error %v; want that of the command line", c.yaml, floor, err)
		}
		if c.yaml != "" && (!slices.Equal(data, []string{"en", "zh"}) || !slices.Equal(methods, []string{"minhash:size=16"}) || docs != 1000 || !details || features != "tokens=rune,width=2") {
			t.Errorf("data %q, methods %q, %d documents, details %v, features %q", data, methods, docs, details, features)
		}
	}
}
