package settings

import (
	"strings"
	"testing"
)

type level int

// options has a setting of each kind.
type options struct {
	size, bits int
	level      level
	loud       bool
	seed       uint64
	input      int
	name       string
	part       struct{ deep bool }
}

var table = append(Table[options]{
	Int("size", 8, 1, 64, "", func(o *options) *int { return &o.size }),
	IntOf("bits", 32, []int{16, 32}, "", func(o *options) *int { return &o.bits }),
	Enum("level", Words{"low", "high", "spec-only"}, []string{"Low", "High"}, "", func(o *options) *level { return &o.level }).OfScores(),
	Bool("loud", "", func(o *options) *bool { return &o.loud }),
	Seed("seed", "", func(o *options) *uint64 { return &o.seed }),
	Int("input", 0, 1, 9, "", func(o *options) *int { return &o.input }).Input(),
	{
		Key: Key{Name: "name", Default: "-"},
		Set: func(o *options, v string) error { o.name = v; return nil },
		Get: func(o *options) string { return o.name },
	},
	Fit[options](),
}, Lift(Table[struct{ deep bool }]{Bool("deep", "", func(o *struct{ deep bool }) *bool { return &o.deep })},
	func(o *options) *struct{ deep bool } { return &o.part })...)

func TestTable(t *testing.T) {
	const defaults = "size=8,bits=32,loud=false,seed=0,name="
	for spec, want := range map[string]struct{ changed, all string }{
		"":                                  {"", defaults},
		"size=8,bits=32,level=low,fit=none": {"", defaults},
		"seed=0x10,size=64":                 {"size=64,seed=16", "size=64,bits=32,loud=false,seed=16,name="},
		"level=high,input=3,deep=true":      {"level=high", defaults},
		"level=spec-only":                   {"level=spec-only", defaults},
		"loud=true,name=-":                  {"loud=true,name=-", "size=8,bits=32,loud=true,seed=0,name=-"},
		`name="a,\"b"`:                      {`name="a,\"b"`, `size=8,bits=32,loud=false,seed=0,name="a,\"b"`},
	} {
		pairs, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		var o options
		if err := table.Apply(&o, pairs); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
		if o.part.deep != strings.Contains(spec, "deep") || (o.input == 3) != strings.Contains(spec, "input") {
			t.Errorf("%s gives %+v", spec, o)
		}
		if err := table.Check("pkg", &o); (err != nil) != (spec == "level=spec-only") {
			t.Errorf("%s: check says %v", spec, err)
		}
		if got := table.Changed(&o); got != want.changed {
			t.Errorf("%s changes %q, want %q", spec, got, want.changed)
		}
		if got := table.All(&o); got != want.all {
			t.Errorf("%s prints %q, want %q", spec, got, want.all)
		}
	}
}

func TestErrors(t *testing.T) {
	for spec, want := range map[string]string{
		"size=65":      "size=65: want a whole number, 1 to 64",
		"bits=032":     "bits=032: want 16 or 32",
		"level=":       "level=: want low, high or spec-only",
		"seed=-1":      "seed=-1: want a whole number, 0 to 2^64-1",
		"deep=1":       "deep=1: want false or true",
		"fit=1":        "fit=1: a fit is read from the file that holds it, want fit=none here and the file by --fit",
		"x=1":          `no key "x", want size, bits, level, loud, seed, input, name, fit or deep`,
		"size":         `"size", want key=value`,
		"size=1,":      "nothing after the last comma, want key=value",
		"size=1,size=": "key size stands twice",
		`name="a`:      `name="a: want a closed quotation`,
		`name="a"b`:    `"b" after the value of name, want a comma`,
	} {
		pairs, err := Parse(spec)
		if err == nil {
			err = table.Apply(new(options), pairs)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", spec, err, want)
		}
	}
	for want, o := range map[string]options{
		"pkg: Size is -1, want 1 to 64":     {size: -1},
		"pkg: Bits is 8, want 16 or 32":     {bits: 8},
		"pkg: Level is 2, want Low or High": {level: 2},
	} {
		if err := table.Check("pkg", &o); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
