package catalog

import (
	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/bloomsim"
	"github.com/alike-go/alike/cosine"
	"github.com/alike-go/alike/external"
	"github.com/alike-go/alike/rabinkarp"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// What the methods read unless a spec says otherwise: one set of features for all
// five that read features, and the folded text for the others.
const (
	readsFeatures   = "features: single words, folded (overlapping rune bigrams where a script writes no spaces), weighted by frequency"
	readsBytes      = "the bytes of the folded text, not features"
	readsCharacters = "the characters of the folded text, not features"
)

// entries is the catalog: the methods that run by default, then the baselines
// for short texts, which run on demand only.
var entries = []entry{
	define(Entry{
		Name:    "shingle",
		Summary: "the set (or bag) of shingles; exact resemblance |A∩B| / |A∪B| (Broder 1997)",
		When:    "as the reference, or where documents are few or short enough to keep whole sets",
		Reads:   readsFeatures,
	}, shingle.Keys, hide(shingle.New)),
	define(Entry{
		Name:    "minhash",
		Summary: "a signature of fixed size; estimated resemblance (Broder 1997; one permutation: Shrivastava 2017)",
		When:    "for resemblance among many documents at some hundred bytes each, long or short",
		Reads:   readsFeatures,
	}, shingle.MinHashKeys, shingle.OpenMinHash),
	define(Entry{
		Name:    "cosine",
		Summary: "the sparse TF-IDF vector; exact cosine (Salton and Buckley 1988)",
		When:    "where word choice matters more than wording, lengths differ, or a background corpus is at hand to fit",
		Reads:   readsFeatures,
	}, cosine.Keys, hide(cosine.New)),
	define(Entry{
		Name:    "bloom",
		Summary: "a Bloom filter; resemblance from bit counts, corrected by logarithm (Swamidass and Baldi 2007)",
		When:    "where membership is wanted too, or filters exist already, and documents are of similar length",
		Reads:   readsFeatures,
	}, bloomsim.Keys, hide(bloomsim.New)),
	define(Entry{
		Name:    "manber",
		Summary: "byte windows sampled by value; share of fingerprints (Manber, USENIX 1994)",
		When:    "for files with long copied passages, at a few fingerprints a kilobyte, and for containment",
		Reads:   readsBytes,
	}, rabinkarp.ManberKeys, hide(rabinkarp.NewManber)),
	define(Entry{
		Name:    "winnow",
		Summary: "byte k-grams, the least of each window; share of fingerprints (Schleimer, Wilkerson, Aiken, SIGMOD 2003)",
		When:    "where any copied passage of a stated length must be found, at the cost of a bigger sketch",
		Reads:   readsBytes,
	}, rabinkarp.WinnowKeys, hide(rabinkarp.NewWinnow)),
	define(Entry{
		Name:    "simhash",
		Summary: "a fingerprint of 32, 64 or 128 bits; share of equal bits (Charikar 2002; Manku et al. 2007)",
		When:    "for near-copies among millions of long documents at 8 bytes each; noisy below some twenty features",
		Reads:   readsFeatures,
	}, simhash.Keys, hide(simhash.New)),
	baseline(align.Edit, "the folded text; 1 - edit distance / longer length (Myers 1999)",
		"for titles, names and single lines, where a typing error is what differs"),
	baseline(align.Subsequence, "the folded text; twice the longest common subsequence / both lengths (Hyyrö 2004)",
		"for short texts in which words were put in or left out"),
	baseline(align.Substring, "the folded text; twice the longest common substring / both lengths",
		"for short texts that share one passage, copied unchanged"),
	define(Entry{
		Name:     "words",
		Summary:  "the words in their order; 1 - the share of words that differ, exactly: edit distance / words of the longer text",
		When:     "to say how much of a text was changed, or to decide candidates that another method has found",
		Reads:    "the words of the folded text in their order (single characters where a script writes no spaces)",
		OnDemand: true,
	}, align.WordsKeys, hide(align.NewWords)),
	define(Entry{
		Name:     "rule80",
		Summary:  "the set of terms and its size; the smaller of share of terms and ratio of sizes: at 0.8 the rule of thumb",
		When:     "to compare other methods with the rule: 80 % of the terms shared, sizes within 20 %",
		Reads:    readsFeatures,
		OnDemand: true,
	}, align.RuleKeys, hide(align.NewRule)),
}

// baseline makes the entry of a measure of package align.
func baseline(m align.Measure, summary, when string) entry {
	return define(Entry{Name: m.String(), Summary: summary, When: when, Reads: readsCharacters, OnDemand: true}, align.Keys,
		hide(func(o align.Options) (*align.Method, error) {
			o.Measure = m
			return align.New(o)
		}))
}

// Exec is the name of the method that a command carries out; its spec is "exec:COMMAND".
// Names does not list it, since it means nothing without a command, and it is never
// a default. Parsing a spec starts nothing, but using the method runs the command: do not
// parse a spec from a source that is not trusted.
const Exec = "exec"

// commands is the entry of Exec.
var commands = func() entry {
	e := define(Entry{
		Name:     Exec,
		Summary:  "what a command answers in lines of JSON: minhash values, a set, a simhash code, a vector, or scores (see package external)",
		When:     "to hold a library of another language against these methods: exec:python3 method.py",
		Reads:    "the text as it is",
		OnDemand: true,
	}, external.Keys, func(o external.Options) (similarity.Method, error) { return external.New(o) })
	e.read = external.ParseSpec
	return e
}()
