package catalog

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/alike-go/alike/bloomsim"
	"github.com/alike-go/alike/cosine"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/rabinkarp"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// What the methods read unless a spec says otherwise: one set of features for all
// five that read features, and folded bytes for the two that look at windows.
const (
	readsFeatures = "features: single words, folded (overlapping rune bigrams where a script writes no spaces), weighted by frequency"
	readsBytes    = "the bytes of the folded text, not features"
)

// entries is the catalog.
var entries = slices.Concat(usual, baselines)

// usual are the parallel methods that run by default.
var usual = []entry{
	define(Entry{
		Name:    "shingle",
		Summary: "the set (or bag) of shingles; exact resemblance |A∩B| / |A∪B| (Broder 1997)",
		When:    "as the reference, or where documents are few or short enough to keep whole sets",
		Reads:   readsFeatures,
	}, hide(shingle.New), []key[shingle.Options]{
		word("measure", "resemblance", []string{"resemblance", "overlap"}, "what is scored: resemblance, or |A∩B| over the smaller set", func(o *shingle.Options, v string) {
			o.Measure = map[string]shingle.Measure{"resemblance": shingle.Resemblance, "overlap": shingle.Overlap}[v]
		}),
		truth("bag", "count how often a shingle occurs: Σmin / Σmax", func(o *shingle.Options) *bool { return &o.Bag }),
		fitKey[shingle.Options](),
	}, featureKeys(func(o *shingle.Options) *feature.Options { return &o.Features })),

	define(Entry{
		Name:    "minhash",
		Summary: "a signature of fixed size; estimated resemblance (Broder 1997; one permutation: Shrivastava 2017)",
		When:    "for resemblance among many documents at some hundred bytes each, long or short",
		Reads:   readsFeatures,
	}, newMinHash, []key[minhash]{
		whole("size", "128", 1, shingle.MaxSize, "values of a signature; the standard error is sqrt(J(1-J)/size)", func(o *minhash) *int { return &o.Size }),
		word("bits", "32", []string{"1", "2", "4", "8", "16", "32"}, "bits kept of each value, corrected for chance", func(o *minhash, v string) { o.Bits, _ = strconv.Atoi(v) }),
		word("scheme", "oph", []string{"oph", "kperm", "icws", "bottom"}, "one permutation; size permutations (the reference, slow); weighted; the size least hashes", setScheme),
		seed("permseed", "selects the hash functions of the signature", func(o *minhash) *uint64 { return &o.Seed }),
		fitKey[minhash](),
	}, featureKeys(func(o *minhash) *feature.Options { return &o.Features })),

	define(Entry{
		Name:    "cosine",
		Summary: "the sparse TF-IDF vector; exact cosine (Salton and Buckley 1988)",
		When:    "where word choice matters more than wording, lengths differ, or a background corpus is at hand to fit",
		Reads:   readsFeatures,
	}, hide(cosine.New), []key[cosine.Options]{
		{Key{Name: "scheme", Default: "smooth", Allowed: "smooth, sklearn, sklearn-unsmoothed, dotnet, tf, or SMART letters such as ltc", Doc: "how occurrences become weights"},
			func(o *cosine.Options, v string) error { o.Scheme = v; return nil }},
		fitKey[cosine.Options](),
	}, ownWeights(featureKeys(func(o *cosine.Options) *feature.Options { return &o.Features }))),

	define(Entry{
		Name:    "bloom",
		Summary: "a Bloom filter; resemblance from bit counts, corrected by logarithm (Swamidass and Baldi 2007)",
		When:    "where membership is wanted too, or filters exist already, and documents are of similar length",
		Reads:   readsFeatures,
	}, hide(bloomsim.New), []key[bloomsim.Options]{
		{Key{Name: "bits", Default: strconv.Itoa(bloomsim.DefaultBits), Allowed: fmt.Sprintf("%d to %d, auto", bloomsim.MinBits, bloomsim.MaxBits), Doc: "size of a filter; auto: a power of two by the size of the text"},
			func(o *bloomsim.Options, v string) error {
				if v == "auto" {
					o.Bits = bloomsim.Auto
					return nil
				}
				n, err := strconv.Atoi(v)
				if err != nil || n < bloomsim.MinBits || n > bloomsim.MaxBits {
					return fmt.Errorf("want a whole number, %d to %d, or auto", bloomsim.MinBits, bloomsim.MaxBits)
				}
				o.Bits = n
				return nil
			}},
		whole("hashes", "1", 1, bloomsim.MaxHashes, "bits that a feature sets", func(o *bloomsim.Options) *int { return &o.Hashes }),
		whole("expect", "-", 1, bloomsim.MaxBits, "size filters for that many features at the false positive rate fp", func(o *bloomsim.Options) *int { return &o.Expect }),
		real("fp", "0.01", 0, 1, "false positive rate that goes with expect", func(o *bloomsim.Options) *float64 { return &o.FP }),
		whole("largest", "-", 1, bloomsim.MaxBits/2, "size filters by the rule of thumb: two bits for each feature of the largest text", func(o *bloomsim.Options) *int { return &o.Largest }),
		oneOf("score", "estimated Jaccard, or the raw ratio AND / OR of bits", []bloomsim.Score{bloomsim.Jaccard, bloomsim.Raw}, func(o *bloomsim.Options) *bloomsim.Score { return &o.Score }),
		oneOf("places", "which bits a feature sets; compat: those of bits-and-blooms/bloom", []bloomsim.Places{bloomsim.Alike, bloomsim.Compat}, func(o *bloomsim.Options) *bloomsim.Places { return &o.Places }),
		fitKey[bloomsim.Options](),
	}, featureKeys(func(o *bloomsim.Options) *feature.Options { return &o.Features })),

	define(Entry{
		Name:    "manber",
		Summary: "byte windows sampled by value; share of fingerprints (Manber, USENIX 1994)",
		When:    "for files with long copied passages, at a few fingerprints a kilobyte, and for containment",
		Reads:   readsBytes,
	}, hide(rabinkarp.NewManber), []key[rabinkarp.ManberOptions]{
		whole("window", strconv.Itoa(rabinkarp.DefaultManberWindow), 1, 4096, "bytes of a window; a Chinese character takes three", func(o *rabinkarp.ManberOptions) *int { return &o.Window }),
		whole("keep", strconv.Itoa(rabinkarp.DefaultKeep), 1, 24, "keep one window in 2^keep", func(o *rabinkarp.ManberOptions) *int { return &o.Keep }),
		oneOf("hash", "rolling hash; sif: as published, modulo 2^30, weak", []rabinkarp.Hash{rabinkarp.Mixed, rabinkarp.Sif}, func(o *rabinkarp.ManberOptions) *rabinkarp.Hash { return &o.Hash }),
		{Key{Name: "anchors", Default: "-", Allowed: "strings parted by |, percent-escaped", Doc: "keep the windows behind these strings instead of sampling"},
			func(o *rabinkarp.ManberOptions, v string) (err error) {
				o.Anchors, err = rabinkarp.ParseAnchors(v)
				return err
			}},
		truth("overlap", "keep windows that overlap the one kept before", func(o *rabinkarp.ManberOptions) *bool { return &o.Overlap }),
		oneOf("measure", "what is scored", []rabinkarp.Measure{rabinkarp.Resemblance, rabinkarp.Overlap}, func(o *rabinkarp.ManberOptions) *rabinkarp.Measure { return &o.Measure }),
	}, foldKeys(func(o *rabinkarp.ManberOptions) *feature.Fold { return &o.Fold })),

	define(Entry{
		Name:    "winnow",
		Summary: "byte k-grams, the least of each window; share of fingerprints (Schleimer, Wilkerson, Aiken, SIGMOD 2003)",
		When:    "where any copied passage of a stated length must be found, at the cost of a bigger sketch",
		Reads:   readsBytes,
	}, hide(rabinkarp.NewWinnow), []key[rabinkarp.WinnowOptions]{
		whole("k", strconv.Itoa(rabinkarp.DefaultK), 1, 4096, "bytes of a k-gram; nothing shorter matches", func(o *rabinkarp.WinnowOptions) *int { return &o.K }),
		whole("window", strconv.Itoa(rabinkarp.DefaultWinnowWindow), 1, 65536, "k-grams of which one is kept; shared passages of window+k-1 bytes are found", func(o *rabinkarp.WinnowOptions) *int { return &o.Window }),
		truth("robust", "keep the last choice while it is a minimum", func(o *rabinkarp.WinnowOptions) *bool { return &o.Robust }),
		oneOf("measure", "what is scored", []rabinkarp.Measure{rabinkarp.Resemblance, rabinkarp.Overlap}, func(o *rabinkarp.WinnowOptions) *rabinkarp.Measure { return &o.Measure }),
	}, foldKeys(func(o *rabinkarp.WinnowOptions) *feature.Fold { return &o.Fold })),

	define(Entry{
		Name:    "simhash",
		Summary: "a fingerprint of 32, 64 or 128 bits; share of equal bits (Charikar 2002; Manku et al. 2007)",
		When:    "for near-copies among millions of long documents at 8 bytes each; noisy below some twenty features",
		Reads:   readsFeatures,
	}, hide(simhash.New), []key[simhash.Options]{
		word("bits", "64", []string{"32", "64", "128"}, "length of the fingerprint", func(o *simhash.Options, v string) { o.Bits, _ = strconv.Atoi(v) }),
		oneOf("tie", "the bit where ones and zeros weigh the same: that of a constant, or zero as published", []simhash.Tie{simhash.TieSalt, simhash.TieZero}, func(o *simhash.Options) *simhash.Tie { return &o.Tie }),
		oneOf("score", "cos(πh/f) not below 0, or 1 - h/f", []simhash.Scale{simhash.Cosine, simhash.Linear}, func(o *simhash.Options) *simhash.Scale { return &o.Score }),
		fitKey[simhash.Options](),
	}, featureKeys(func(o *simhash.Options) *feature.Options { return &o.Features })),
}

// minhash are the options of both types that the method minhash names.
type minhash struct {
	shingle.MinHashOptions
	bottom bool // keep the least hashes, whose sketch is another type
}

func setScheme(o *minhash, name string) {
	if o.bottom = name == "bottom"; o.bottom {
		return
	}
	for _, s := range []shingle.Scheme{shingle.OPH, shingle.KPerm, shingle.ICWS} {
		if s.String() == name {
			o.Scheme = s
		}
	}
}

func newMinHash(o minhash) (similarity.Method, error) {
	if !o.bottom {
		return hide(shingle.NewMinHash)(o.MinHashOptions)
	}
	if o.Bits != 0 && o.Bits != 32 {
		return nil, fmt.Errorf("bits=%d with scheme=bottom, want 32: bottom keeps whole hashes", o.Bits)
	}
	return hide(shingle.NewBottom)(shingle.BottomOptions{Features: o.Features, Size: o.Size, Seed: o.Seed})
}
