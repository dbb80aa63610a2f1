package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
)

func TestExecSpecs(t *testing.T) {
	for spec, want := range map[string]string{
		`exec:python3 examples/x.py`:                                 `exec:python3 examples/x.py`,
		` exec: python3 x.py --a=1,2 --b="c d" `:                     `exec:python3 x.py --a=1,2 --b="c d"`,
		`exec:command=python3 x.py`:                                  `exec:python3 x.py`,
		`exec:command=python3 x.py,timeout=60s`:                      `exec:python3 x.py`,
		`exec:command=x,timeout=90s`:                                 `exec:command=x,timeout=1m30s`,
		`exec:timeout=10m,command="x --a=1,2"`:                       `exec:command="x --a=1,2",timeout=10m0s`,
		`exec:command="timeout=3 x"`:                                 `exec:command=timeout=3 x`,
		`exec:PYTHONPATH=lib python3 -c 'print(",".join("a", "b"))'`: `exec:PYTHONPATH=lib python3 -c 'print(",".join("a", "b"))'`,
	} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		if m.String() != want {
			t.Errorf("%s prints %s, want %s", spec, m, want)
		}
		again, err := catalog.Parse(m.String())
		if err != nil || again.String() != m.String() {
			t.Errorf("%s prints %s, which gives %v, %v", spec, m, again, err)
		}
		if catalog.Reference(m) != nil {
			t.Errorf("%s has a reference", spec)
		}
	}
	for spec, want := range map[string]string{
		"exec":                       "no command",
		"exec:":                      "no command",
		"exec:timeout=5s":            "no command",
		"exec:command=x,timeout=5":   "duration",
		"exec:command=x,timeout=-1s": "duration",
		"exec:command=x,width=3":     "want command or timeout",
		"exec:command=a,b":           "want key=value",
	} {
		if _, err := catalog.Parse(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want it to contain %q", spec, err, want)
		}
	}
}

// Nobody runs a command who has not named it.
func TestExecIsNoDefault(t *testing.T) {
	if slices.Contains(catalog.Names(), catalog.Exec) || slices.Contains(catalog.Defaults(), catalog.Exec) {
		t.Errorf("%s is among the names %v or the defaults %v", catalog.Exec, catalog.Names(), catalog.Defaults())
	}
	if e, err := catalog.Lookup(catalog.Exec); err != nil || !e.OnDemand {
		t.Errorf("entry %+v, %v, want one on demand", e, err)
	}
	specs, err := catalog.Sweep([]string{"exec:x --a=1,2", "simhash"}, []string{"timeout=5s,7s"})
	if want := []string{`exec:command="x --a=1,2",timeout=5s`, `exec:command="x --a=1,2",timeout=7s`, "simhash"}; err != nil || !slices.Equal(specs, want) {
		t.Errorf("sweep gives %q, %v, want %q", specs, err, want)
	}
}
