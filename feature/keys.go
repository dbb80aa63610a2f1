package feature

import (
	"fmt"
	"strconv"
	"strings"
)

// Key is one key of a spec string that sets an option.
type Key struct {
	Name    string
	Default string // as it would be written
	Values  string // what is allowed, for people
	Doc     string // one line on what it is for

	// Set sets the option from the value of the key. An error says what is allowed.
	Set func(o *Options, value string) error

	// Get returns the value as Set would take it; of a segmenter or an IDF table the name.
	Get func(o *Options) string
}

// Keys lists the keys of Options in the order in which String prints them. The
// tokens of a Segmenter and the weights of an IDF table are set by whoever has these.
var Keys = append(optionKeys(), foldKeysOfOptions()...)

func optionKeys() []Key {
	return []Key{
		{"tokens", "word", "word, rune, byte or dotnet", "what a token is: words (bigrams where a script writes no spaces), code points, bytes, or the overlapping n-grams of the .NET analyser",
			func(o *Options, v string) error {
				t, err := choose("tokens", v, tokenNames)
				if err == nil {
					o.Tokens, o.Segmenter = Tokens(t), nil
				}
				return err
			},
			func(o *Options) string {
				if o.Tokens == Segmented && o.Segmenter != nil {
					return o.Segmenter.Name()
				}
				return name(tokenNames, int(o.Tokens))
			}},
		{"width", "1", "1 to 64, or a range such as 1-2", "tokens in a shingle; a range is the union of its widths; 2 by default with tokens=dotnet",
			setWidth,
			func(o *Options) string {
				lo, hi := o.MinWidth, o.MaxWidth
				if lo == 0 {
					lo = 1
					if o.Tokens == Overlap {
						lo = 2
					}
				}
				if hi == 0 || hi == lo {
					return strconv.Itoa(lo)
				}
				return fmt.Sprintf("%d-%d", lo, hi)
			}},
		{"weights", "tf", "tf, binary, logtf or idf", "what a feature counts: occurrences, 1, 1+ln(occurrences), or occurrences times the fitted idf",
			func(o *Options, v string) error {
				w, err := choose("weights", v, weightNames[:TableIDF])
				if err == nil {
					o.Weights, o.IDF = Weights(w), nil
				}
				return err
			},
			func(o *Options) string { return o.weights() }},
		intKey("levels", maxLevels, "round each text's weights to 1..levels, 0 for not at all", func(o *Options) *int { return &o.Levels }),
		intKey("top", 1<<31-1, "keep only so many features of greatest weight, 0 for all", func(o *Options) *int { return &o.Top }),
		{"hash", "xxh3", "xxh3, murmur3, fnv1a, md5, lookup3 or times33", "the feature hash; all but xxh3 are there to reproduce other systems",
			func(o *Options, v string) error {
				h, err := choose("hash", v, hashNames)
				if err == nil {
					o.Hash = Hash(h)
				}
				return err
			},
			func(o *Options) string { return name(hashNames, int(o.Hash)) }},
		{"seed", "0", "0 to 2^64-1", "selects the hash function of the family",
			func(o *Options, v string) error {
				n, err := strconv.ParseUint(v, 0, 64)
				if err != nil {
					return fmt.Errorf("seed is %q, want a number from 0 to 2^64-1", v)
				}
				o.Seed = n
				return nil
			},
			func(o *Options) string { return strconv.FormatUint(o.Seed, 10) }},
		{"stop", "none", "none, en, zh or en+zh", "stop words dropped before shingling; zh means most with a segmenter, since bigrams are seldom words",
			func(o *Options, v string) error {
				if v == "none" {
					o.Stop = nil
					return nil
				}
				var names []string
				for n := range strings.SplitSeq(v, "+") {
					if stopLists[n] == nil {
						return fmt.Errorf("stop is %q, want none, en, zh or en+zh", v)
					}
					names = append(names, n)
				}
				o.Stop = names
				return nil
			},
			func(o *Options) string {
				if len(o.Stop) == 0 {
					return "none"
				}
				return strings.Join(o.Stop, "+")
			}},
		{"stem", "none", "none or en", "the Snowball stemmer applied to tokens",
			func(o *Options, v string) error {
				switch v {
				case "none":
					o.Stem = ""
				case "en":
					o.Stem = v
				default:
					return fmt.Errorf("stem is %q, want none or en", v)
				}
				return nil
			},
			func(o *Options) string {
				if o.Stem == "" {
					return "none"
				}
				return o.Stem
			}},
		{"phrases", "0", "0 to 64", "join adjacent tokens whose pointwise mutual information in the fitted corpus is at least so many bits, 0 for never",
			func(o *Options, v string) error {
				p, err := strconv.ParseFloat(v, 64)
				if err != nil || !(p >= 0 && p <= 64) {
					return fmt.Errorf("phrases is %q, want 0 to 64 (bits)", v)
				}
				o.Phrases = p
				return nil
			},
			func(o *Options) string { return strconv.FormatFloat(o.Phrases+0, 'g', -1, 64) }},
	}
}

var (
	tokenNames  = []string{Word: "word", Rune: "rune", Byte: "byte", Segmented: "", Overlap: "dotnet"}
	weightNames = []string{TF: "tf", Binary: "binary", LogTF: "logtf", FitIDF: "idf", TableIDF: ""}
	hashNames   = []string{XXH3: "xxh3", Murmur3: "murmur3", FNV1a: "fnv1a", MD5: "md5", Lookup3: "lookup3", Times33: "times33"}
)

func (o *Options) weights() string {
	if o.Weights == TableIDF && o.IDF != nil {
		return o.IDF.Name()
	}
	return name(weightNames, int(o.Weights))
}

func name(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return strconv.Itoa(i)
	}
	return names[i]
}

// choose returns the index of v among names; empty names cannot be chosen.
func choose(key, v string, names []string) (int, error) {
	var allowed []string
	for i, n := range names {
		if n == "" {
			continue
		}
		if n == v {
			return i, nil
		}
		allowed = append(allowed, n)
	}
	last := len(allowed) - 1
	return 0, fmt.Errorf("%s is %q, want %s or %s", key, v, strings.Join(allowed[:last], ", "), allowed[last])
}

func setWidth(o *Options, v string) error {
	a, b, isRange := strings.Cut(v, "-")
	lo, err := strconv.Atoi(a)
	hi := lo
	if err == nil && isRange {
		hi, err = strconv.Atoi(b)
	}
	if err != nil || lo < 1 || hi < lo || hi > maxWidth {
		return fmt.Errorf("width is %q, want 1 to %d or a range such as 1-2", v, maxWidth)
	}
	o.MinWidth, o.MaxWidth = lo, hi
	return nil
}

func intKey(key string, most int, doc string, field func(*Options) *int) Key {
	values := fmt.Sprintf("0 to %d", most)
	return Key{key, "0", values, doc,
		func(o *Options, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 0 || n > most {
				return fmt.Errorf("%s is %q, want %s", key, v, values)
			}
			*field(o) = n
			return nil
		},
		func(o *Options) string { return strconv.Itoa(*field(o)) }}
}
