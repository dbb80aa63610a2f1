// Package verdict answers in one sentence whether two texts are alike, for what a user
// wants to find. The commands and package serve share it.
package verdict

import (
	"fmt"
	"math"
	"strings"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

const (
	// fewWords is the number of words below which one word may be what tells two
	// documents apart. Of the labelled pairs that differ by up to 10 %, at least .97 are
	// alike in each shared set with ten such pairs of 40 words or more, but for pawsx-zh
	// (.75), which is made to mislead. Of qqp's pairs of 15 to 24 words .29 are.
	fewWords = 40

	// fewForSimHash is the number of words below which SimHash is noted as unfit.
	// Documents of en and zh cut to 8 to 12 words score .07 to .11 more than their
	// cosine in the mean, and those of 15 to 100 words .04 to .06 more.
	fewForSimHash = 15

	// exactCells bounds the words of the shorter text times those that differ, up to
	// which they are counted: about half a second of work. It may be any part of
	// align.MostCells.
	exactCells = align.MostCells / 8

	// runLength is the width of catalog.DifferFeatures: a text of fewer words has no
	// run of words to look for in another.
	runLength = 3
)

// Verdict says whether two texts are alike.
type Verdict struct {
	Want     string `json:"want" enum:"copies,versions,excerpts" doc:"what alike means here"`
	Alike    string `json:"alike" enum:"yes,no,unclear" doc:"unclear: the two texts alone do not tell"`
	Sentence string `json:"sentence" doc:"the verdict in words"`

	WordsA int `json:"words_a" doc:"words of a; each character of a script without spaces is one"`
	WordsB int `json:"words_b" doc:"words of b"`

	Differ *float64 `json:"differ,omitempty" minimum:"0" maximum:"1" doc:"share of words that differ: words to insert, delete or replace, over the words of the longer text; absent if neither text has words"`
	Low    *float64 `json:"differ_low,omitempty" minimum:"0" maximum:"1" doc:"lower end of a 95 % interval, where the share is an estimate and not exact"`
	High   *float64 `json:"differ_high,omitempty" minimum:"0" maximum:"1" doc:"upper end of the interval"`

	Resemblance float64 `json:"resemblance" minimum:"0" maximum:"1" doc:"resemblance of the runs of three words"`
	Contained   float64 `json:"contained" minimum:"0" maximum:"1" doc:"share of the runs of three words of one text that the other has; the larger of both"`

	border float64
	which  string // text lies in which
}

// Of compares two texts. differ is the maximum share of words that differ between copies,
// of 0 or more and less than 1. Words that differ are counted up to exactCells, which is
// enough for any texts of 92,000 words, and estimated from runs of three words beyond.
func Of(a, b string, want dedup.Want, differ float64) (*Verdict, error) {
	words, err := align.NewWords(align.WordsOptions{})
	if err != nil {
		return nil, err
	}
	runs, err := catalog.Parse("shingle:" + catalog.DifferFeatures)
	if err != nil {
		return nil, err
	}
	c := runs.NewCollection()
	c.Add(a)
	c.Add(b)
	v := &Verdict{Want: want.String(), Resemblance: c.Score(0, 1), border: differ}
	aInB, _ := c.Containment(0, 1)
	bInA, _ := c.Containment(1, 0)
	v.Contained, v.which = aInB, "A in B"
	if bInA > aInB {
		v.Contained, v.which = bInA, "B in A"
	}

	x, y := words.Sketch(a), words.Sketch(b)
	v.WordsA, v.WordsB = len(x), len(y)
	short, long := min(len(x), len(y)), max(len(x), len(y))
	low, high, exact := 0.0, 0.0, true
	if long > 0 {
		most := 1.0 // up to which the share is exact
		if short > 0 {
			most = min(1, exactCells/float64(short)/float64(long))
		}
		share, ok := words.Differ(x, y, most)
		low, high, exact = share, share, ok
		if !ok {
			model, err := catalog.Differ(runs)
			if err != nil {
				return nil, err
			}
			var stderr float64
			share, stderr = model.Share(v.Resemblance, len(x), len(y))
			low = max(share-1.96*stderr, most, 1-float64(short)/float64(long))
			if high = min(share+1.96*stderr, 1); high < low {
				high = 1 // as after a move, which runs of words do not show
			}
			share = min(max(share, low), high)
			v.Low, v.High = &low, &high
		}
		v.Differ = &share
	}
	// More words differ than those of lost runs and the lengths explain.
	moved := low*float64(long)-float64(long-short) > (1-v.Contained)*float64(short)+runLength
	switch {
	case a == b && long == 0:
		v.say("yes", "The same text, without a word")
	case a == b:
		v.say("yes", "The same text")
	case long == 0:
		v.say("unclear", "Too short to tell: neither text has a word")
	case exact && high == 0:
		v.say("yes", "The same words: they differ only in %s", unseen(a, b))

	case want == dedup.Excerpts && short < runLength:
		v.say("unclear", "Too short to tell: an excerpt has %d words or more", runLength)
	case want == dedup.Excerpts && v.Contained >= dedup.LeastContained:
		v.say("yes", "One contains %s of the other (%s)", percent(v.Contained), v.which)
	case want == dedup.Excerpts:
		v.say("no", "Not alike: one contains %s of the other (%s)", percent(v.Contained), v.which)

	case want == dedup.Versions && v.Resemblance == 0:
		v.say("no", "Not versions: no run of %d words in common", runLength)
	case want == dedup.Versions && high > v.border:
		v.say("unclear", "Cannot tell without a collection, whose unrelated documents resemble each other too: resemblance %.2f of runs of %d words; %s", v.Resemblance, runLength, v.differs())

	// Something is equal, and one word less would make it a copy.
	case exact && long < fewWords && low < 1 && math.Round(low*float64(long))-1 <= v.border*float64(long):
		v.say("unclear", "Too short to tell: %s", v.differs())
	case high <= v.border:
		v.say("yes", "Near-duplicates: %s", v.differs())
	case low <= v.border:
		v.say("unclear", "Perhaps near-duplicates: %s", v.differs())
	// More of the shorter text lies in the longer one than the words in order tell.
	case v.Contained >= dedup.LeastContained && 1-v.Contained < low && moved:
		v.say("no", "One contains %s of the other (%s), in another order: %s", percent(v.Contained), v.which, v.differs())
	case v.Contained >= dedup.LeastContained && 1-v.Contained < low:
		v.say("no", "One contains %s of the other (%s): %s", percent(v.Contained), v.which, v.differs())
	default:
		v.say("no", "Not alike: %s", v.differs())
	}
	return v, nil
}

func (v *Verdict) say(alike, sentence string, args ...any) {
	v.Alike, v.Sentence = alike, fmt.Sprintf(sentence, args...)
}

// differs says how many words differ.
func (v *Verdict) differs() string {
	if v.Low != nil {
		return fmt.Sprintf("about %s of the words differ (%s-%s)", percent(*v.Differ), strings.TrimSuffix(percent(*v.Low), " %"), percent(*v.High))
	}
	long := max(v.WordsA, v.WordsB)
	return fmt.Sprintf("%s of the words differ: %.0f of %d", percent(*v.Differ), *v.Differ*float64(long), long)
}

// percent writes a share with two digits.
func percent(share float64) string {
	if share >= .995 {
		return "100 %"
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

// Agreement is what one method says of a verdict.
type Agreement struct {
	Threshold *float64 `json:"threshold,omitempty" minimum:"0" maximum:"1" doc:"from this score on the method says that the texts are alike, for copies; for excerpts from this containment on; absent where no model was measured"`
	Agrees    string   `json:"agrees,omitempty" enum:"yes,no" doc:"whether the method says what the verdict says; absent where either does not tell"`
	Note      string   `json:"note,omitempty" doc:"why the method is unfit for these texts"`
}

// Judge returns whether a method agrees, from its score of documents 0 and 1 of c, which
// are its sketches of A and B.
func (v *Verdict) Judge(m similarity.Method, c similarity.Collection, score float64) (a Agreement) {
	if c.Empty(0) || c.Empty(1) {
		return a
	}
	if c.Blank(0) || c.Blank(1) {
		a.Note = "it took no sample of a text, which then scores 1 with an equal text and 0 with every other"
		return a
	}
	if _, ok := similarity.As[*simhash.Method](m); ok && min(v.WordsA, v.WordsB) < fewForSimHash {
		a.Note = fmt.Sprintf("a text of %d words is short for it: its score is noisy and rather too high", min(v.WordsA, v.WordsB))
	}
	model, err := catalog.Differ(m)
	if err != nil {
		return a
	}
	var threshold float64
	aInB, contains := c.Containment(0, 1)
	switch {
	case v.Want == dedup.Copies.String():
		threshold = model.Score(v.border)
		if model.Noise != nil && math.Abs(score-threshold) < 1.96*model.Noise(threshold) {
			a.Note = fmt.Sprintf("its score is as near to the threshold as its own error, %.2f", 1.96*model.Noise(threshold))
		}
	case v.Want == dedup.Excerpts.String() && contains:
		bInA, _ := c.Containment(1, 0)
		threshold, score = dedup.LeastContained, max(aInB, bInA)
	default:
		return a
	}
	a.Threshold = &threshold
	if v.Alike != "unclear" {
		a.Agrees = map[bool]string{true: "yes", false: "no"}[(score >= threshold) == (v.Alike == "yes")]
	}
	return a
}
