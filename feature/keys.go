package feature

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/alike-go/alike/internal/settings"
)

// Keys lists the settings of Options in the order in which String prints them. Package
// catalog adds the tokens of segmenters and the weights of IDF tables.
var Keys = slices.Concat(optionKeys, settings.Lift(FoldKeys, func(o *Options) *Fold { return &o.Fold })).Shared(true)

var optionKeys = settings.Table[Options]{
	orOwn(settings.Enum("tokens", tokenNames, nil, "what a token is: words (bigrams where a script writes no spaces; with single, characters there), code points, bytes, or the overlapping n-grams of the .NET analyser",
		func(o *Options) *Tokens { return &o.Tokens }),
		func(o *Options) { o.Segmenter = nil },
		func(o *Options) string {
			if o.Segmenter == nil {
				return ""
			}
			return o.Segmenter.Name()
		}),
	{
		Key: settings.Key{Name: "width", Default: "1", Allowed: "1 to 64, or a range such as 1-2", Doc: "tokens in a shingle; a range is the union of its widths; 2 by default with tokens=dotnet"},
		Set: valid("width", "1 to 64 or a range such as 1-2", setWidth),
		Get: func(o *Options) string {
			lo := cmp.Or(o.MinWidth, o.defaultWidth())
			if o.MaxWidth == 0 || o.MaxWidth == lo {
				return strconv.Itoa(lo)
			}
			return fmt.Sprintf("%d-%d", lo, o.MaxWidth)
		},
	},
	orOwn(settings.Enum("weights", weightNames, nil, "what a feature counts: occurrences, 1, 1+ln(occurrences), or occurrences times the fitted idf",
		func(o *Options) *Weights { return &o.Weights }),
		func(o *Options) { o.IDF = nil },
		func(o *Options) string {
			if o.IDF == nil {
				return ""
			}
			return o.IDF.Name()
		}),
	named(settings.Int("levels", 0, 0, maxLevels, "round each text's weights to 1..levels, 0 for not at all", func(o *Options) *int { return &o.Levels })),
	named(settings.Int("top", 0, 0, 1<<31-1, "keep only so many features of greatest weight, 0 for all", func(o *Options) *int { return &o.Top })),
	named(settings.Enum("hash", hashNames, nil, "the feature hash; all but xxh3 are there to reproduce other systems", func(o *Options) *Hash { return &o.Hash })),
	{
		Key: settings.Key{Name: "seed", Default: "0", Allowed: "0 to 2^64-1", Doc: "selects the hash function of the family"},
		Set: valid("seed", "a number from 0 to 2^64-1", func(o *Options, v string) (err error) {
			o.Seed, err = strconv.ParseUint(v, 0, 64)
			return err
		}),
		Get: func(o *Options) string { return strconv.FormatUint(o.Seed, 10) },
	},
	{
		Key: settings.Key{Name: "stop", Default: "none", Allowed: "none, en, zh or en+zh", Doc: "stop words dropped before shingling; zh means most with a segmenter, since bigrams are seldom words"},
		Set: valid("stop", "none, en, zh or en+zh", setStop),
		Get: func(o *Options) string { return cmp.Or(strings.Join(o.Stop, "+"), "none") },
	},
	{
		Key: settings.Key{Name: "stem", Default: "none", Allowed: "none or en", Doc: "the Snowball stemmer applied to tokens"},
		Set: valid("stem", "none or en", func(o *Options, v string) error {
			switch v {
			case "none":
				o.Stem = ""
			case "en":
				o.Stem = v
			default:
				return errValue
			}
			return nil
		}),
		Get: func(o *Options) string { return cmp.Or(o.Stem, "none") },
	},
	{
		Key: settings.Key{Name: "phrases", Default: "0", Allowed: "0 to 64", Doc: "join adjacent tokens whose pointwise mutual information in the fitted corpus is at least so many bits, 0 for never"},
		Set: valid("phrases", "0 to 64 (bits)", func(o *Options, v string) error {
			p, err := strconv.ParseFloat(v, 64)
			if err != nil || !(p >= 0 && p <= 64) {
				return errValue
			}
			o.Phrases = p
			return nil
		}),
		Get: func(o *Options) string { return strconv.FormatFloat(o.Phrases+0, 'g', -1, 64) },
	},
}

// FoldKeys lists the settings of Fold in the order in which String prints them.
var FoldKeys = settings.Table[Fold]{
	named(settings.Enum("norm", settings.Words{"nfkc", "nfc", "none"}, nil, "Unicode normalisation; nfkc folds full and half width", func(f *Fold) *Form { return &f.Form })),
	named(settings.Flag("case", "fold", "keep", "whether upper and lower case are told apart", func(f *Fold) *bool { return &f.KeepCase })),
	named(settings.Flag("marks", "keep", "drop", "diacritics", func(f *Fold) *bool { return &f.DropMarks })),
	named(settings.Flag("punct", "keep", "drop", "punctuation and symbols; dropped they count as white space", func(f *Fold) *bool { return &f.DropPunct })),
	named(settings.Enum("space", settings.Words{"collapse", "keep", "drop"}, nil, "white space: a run becomes one space, each becomes one, or none", func(f *Fold) *Space { return &f.Space })),
	named(settings.Enum("han", settings.Words{"keep", "simplified", "traditional"}, nil, "Chinese characters, one by one; simplified is the one to compare traditional text with simplified", func(f *Fold) *Han { return &f.Han })),
}

var (
	tokenNames  = settings.Words{Word: "word", Rune: "rune", Byte: "byte", Segmented: "", Overlap: "dotnet", Single: "single"}
	weightNames = settings.Words{TF: "tf", Binary: "binary", LogTF: "logtf", FitIDF: "idf", TableIDF: ""}
	hashNames   = settings.Words{XXH3: "xxh3", Murmur3: "murmur3", FNV1a: "fnv1a", MD5: "md5", Lookup3: "lookup3", Times33: "times33"}
)

// errValue is an error that valid words.
var errValue = errors.New("bad value")

// valid makes the errors of set name the key, the value, and what is wanted.
func valid[O any](key, want string, set func(o *O, value string) error) func(o *O, value string) error {
	return func(o *O, value string) error {
		if set(o, value) != nil {
			return fmt.Errorf("%s is %q, want %s", key, value, want)
		}
		return nil
	}
}

// named returns the setting with the errors of valid.
func named[O any](s settings.Setting[O]) settings.Setting[O] {
	s.Set = valid(s.Name, s.Allowed, s.Set)
	return s
}

// orOwn is an enumerated setting beside which a value with a name of its own may
// stand, such as a segmenter. Any other value removes it by clear.
func orOwn(s settings.Setting[Options], clear func(o *Options), own func(o *Options) string) settings.Setting[Options] {
	plain := named(s)
	s.Set = func(o *Options, value string) error {
		err := plain.Set(o, value)
		if err == nil {
			clear(o)
		}
		return err
	}
	s.Get = func(o *Options) string { return cmp.Or(own(o), plain.Get(o)) }
	return s
}

func setWidth(o *Options, v string) error {
	a, b, isRange := strings.Cut(v, "-")
	lo, err := strconv.Atoi(a)
	hi := lo
	if err == nil && isRange {
		hi, err = strconv.Atoi(b)
	}
	if err != nil || lo < 1 || hi < lo || hi > maxWidth {
		return errValue
	}
	o.MinWidth, o.MaxWidth = lo, hi
	return nil
}

func setStop(o *Options, v string) error {
	if v == "none" {
		o.Stop = nil
		return nil
	}
	names := strings.Split(v, "+")
	for _, n := range names {
		if stopLists[n] == nil {
			return errValue
		}
	}
	o.Stop = names
	return nil
}
