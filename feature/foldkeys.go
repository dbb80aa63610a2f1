package feature

import (
	"fmt"
	"strings"
)

// FoldKey is one key of a spec string that sets how text is folded.
type FoldKey struct {
	Name, Default, Values, Doc string

	Set func(f *Fold, value string) error
	Get func(f *Fold) string
}

// FoldKeys lists the keys of Fold in the order in which String prints them.
var FoldKeys = foldKeys()

func foldKeys() []FoldKey {
	return []FoldKey{
		foldChoice("norm", "Unicode normalisation; nfkc folds full and half width", []string{"nfkc", "nfc", "none"},
			func(f *Fold) int { return int(f.Form) }, func(f *Fold, i int) { f.Form = Form(i) }),
		foldBool("case", "fold", "keep", "whether upper and lower case are told apart", func(f *Fold) *bool { return &f.KeepCase }),
		foldBool("marks", "keep", "drop", "diacritics", func(f *Fold) *bool { return &f.DropMarks }),
		foldBool("punct", "keep", "drop", "punctuation and symbols; dropped they count as white space", func(f *Fold) *bool { return &f.DropPunct }),
		foldChoice("space", "white space: a run becomes one space, each becomes one, or none", []string{"collapse", "keep", "drop"},
			func(f *Fold) int { return int(f.Space) }, func(f *Fold, i int) { f.Space = Space(i) }),
		foldChoice("han", "Chinese characters, one by one; simplified is the one to compare traditional text with simplified", []string{"keep", "simplified", "traditional"},
			func(f *Fold) int { return int(f.Han) }, func(f *Fold, i int) { f.Han = Han(i) }),
	}
}

// String returns the settings that differ from the default as spec keys, in the
// order of FoldKeys; "" for the default.
func (f Fold) String() string {
	var parts []string
	for _, k := range FoldKeys {
		if v := k.Get(&f); v != k.Default {
			parts = append(parts, k.Name+"="+v)
		}
	}
	return strings.Join(parts, ",")
}

// Settings returns all settings, defaults included.
func (f Fold) Settings() string {
	var parts []string
	for _, k := range FoldKeys {
		parts = append(parts, k.Name+"="+k.Get(&f))
	}
	return strings.Join(parts, ",")
}

// Check returns an error that names the setting that is out of range.
func (f Fold) Check() error {
	switch {
	case f.Form < NFKC || f.Form > NoForm:
		return fmt.Errorf("feature: Fold.Form is %d, want NFKC, NFC or NoForm", f.Form)
	case f.Space < Collapse || f.Space > DropSpace:
		return fmt.Errorf("feature: Fold.Space is %d, want Collapse, KeepSpace or DropSpace", f.Space)
	case f.Han < KeepHan || f.Han > Traditional:
		return fmt.Errorf("feature: Fold.Han is %d, want KeepHan, Simplified or Traditional", f.Han)
	}
	return nil
}

func foldChoice(key, doc string, names []string, get func(*Fold) int, set func(*Fold, int)) FoldKey {
	last := len(names) - 1
	return FoldKey{key, names[0], strings.Join(names[:last], ", ") + " or " + names[last], doc,
		func(f *Fold, v string) error {
			i, err := choose(key, v, names)
			if err == nil {
				set(f, i)
			}
			return err
		},
		func(f *Fold) string { return name(names, get(f)) }}
}

func foldBool(key, off, on, doc string, field func(*Fold) *bool) FoldKey {
	return foldChoice(key, doc, []string{off, on},
		func(f *Fold) int {
			if *field(f) {
				return 1
			}
			return 0
		},
		func(f *Fold, i int) { *field(f) = i == 1 })
}

func foldKeysOfOptions() []Key {
	var keys []Key
	for _, k := range FoldKeys {
		keys = append(keys, Key{k.Name, k.Default, k.Values, k.Doc,
			func(o *Options, v string) error { return k.Set(&o.Fold, v) },
			func(o *Options) string { return k.Get(&o.Fold) }})
	}
	return keys
}
