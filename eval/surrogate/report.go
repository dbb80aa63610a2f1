package surrogate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/internal/proportion"
	"github.com/alike-go/alike/similarity"
)

// Kind is what can be said without labels.
type Kind string

// The outcomes.
const (
	Recommended Kind = "recommended"
	AfterAnswer Kind = "recommended after answers"
	Undecidable Kind = "not decidable from the texts"
)

// Choice is the result of a search without labels, and what it is worth.
type Choice struct {
	Outcome Kind     `json:"outcome"`
	Why     []string `json:"outcome_why"` // what speaks against a recommendation
	Mislead []string `json:"misleading"`  // what of these documents misleads methods that compare words
	Ask     int      `json:"ask"`         // pairs to judge first; 0 for none

	Want   string  `json:"want"`
	Stated bool    `json:"want_stated"`
	Differ float64 `json:"differ"`

	// Pairs of the whole collection: that are copies, nearly so or barely, that resemble
	// each other more than unrelated documents do, and that are alike after answers.
	Copies   Estimate `json:"pairs_copies"`
	Zone     Estimate `json:"pairs_at_border"`
	Versions Estimate `json:"pairs_versions"`
	Alike    Estimate `json:"pairs_alike"`

	// Effect is what the rule to take does, and Other what that of versions would do,
	// where nobody said what is wanted. Nil where there is none.
	Effect *Effect `json:"effect"`
	Other  *Effect `json:"effect_versions,omitempty"`

	choose.Result // of the search: single methods, by what was taken for true

	searched        bool    // the rule is the search's, which bounds demand
	called, refused int     // answered pairs that the rule calls alike, and how many of them the answers do not
	loss            float64 // F1 that the rule loses if the member is right that says the worst of it
	by              string  // that member
}

// budget is what a search may take, as choose.Options.Budget says.
const budget = 8 * time.Second

// When a choice is recommended: documents have enough words for leastDiffering
// of them to differ within Differ; and pairs at the border, between half of
// Differ and twice as much, are at most mostBorder of the copies. For versions
// more than half of the committee has a vote, and the rule loses at most
// mostLoss of F1 whichever of them is right. Of quoting documents there may be
// mostQuoted among versions that are no copies. Else askFirst pairs are to be
// judged. From askFirst answers on they decide instead: of the answered pairs
// that the rule calls alike, the share that is not must be below mostRefused,
// by its exact interval.
const (
	leastDiffering = 3
	mostBorder     = 0.5
	mostLoss       = 0.05
	mostQuoted     = 0.1
	leastPairs     = 5
	askFirst       = 20
	mostRefused    = 0.4
)

// Choose searches a method for what is alike, runs it on the whole collection, and says
// what that is worth.
func (t *Truth) Choose(ctx context.Context, o choose.Options) (*Choice, error) {
	asked := t.Differ
	spared, err := t.spare(ctx)
	if err != nil && !errors.Is(err, errEdges) {
		return nil, err
	}
	if spared > 0 {
		t.Learn(nil)
		t.Copies = slices.DeleteFunc(t.Copies, func(c Copy) bool { return !t.copied(int(c.Of), c.Text) })
	}
	stated := o.Candidates != nil || o.MaxBytesPerDoc > 0 || o.Goal.Bound != ""
	if o.Candidates == nil && t.Want == dedup.Copies && t.Labels == 0 {
		// Copies share nearly all of their words, whatever words are worth.
		for _, c := range choose.Space(t.Profile) {
			if c.Method.FitState() == similarity.FitUseless {
				o.Candidates = append(o.Candidates, c)
			}
		}
	}
	if o.Budget == 0 {
		o.Budget = budget
	}
	o.NoDeadline = true
	r, err := choose.SearchTask(ctx, t.Task(), o)
	if err != nil {
		return nil, err
	}
	r.Assumed = true
	// An interval of F1, and what follows from it, would rest on what was taken for true here.
	for _, trials := range [][]choose.Trial{r.Trials, r.Front, r.Cheaper, r.Baselines} {
		for i := range trials {
			trials[i].State = ""
			if q := trials[i].Test; q != nil {
				q.Low, q.High = eval.Figure(math.NaN()), eval.Figure(math.NaN())
			}
		}
	}
	c := &Choice{
		Want: t.Want.String(), Stated: t.Stated, Differ: t.Differ, Result: r,
		Copies: t.Wanted(dedup.Copies), Versions: t.Wanted(dedup.Versions), Alike: t.Expected(),
		Zone: t.Count(func(p *Pair) float64 { return truth(t.border(p)) }),
	}
	rule := Rule{Method: r.Best.Spec, Threshold: math.Round(float64(r.Best.Threshold)*1e6) / 1e6}
	if t.Want == dedup.Copies && t.Labels == 0 {
		rule = t.CopiesRule()
	} else if c.searched = stated; !stated {
		if rule, err = t.Rule(ctx); err != nil {
			return nil, err
		}
	}
	if rule.Threshold > 0 && rule.Threshold <= 1 {
		if err := c.check(ctx, t, rule); err != nil {
			return nil, err
		}
		if c.Effect, err = t.Effect(ctx, rule); err != nil && !errors.Is(err, errEdges) {
			return nil, err
		}
		if c.Effect != nil {
			c.called += c.Effect.Checked
			c.refused += c.Effect.Checked - c.Effect.Right
		}
	}
	if m := t.surest(); !t.Stated && m != nil && m.Threshold > 0 {
		if c.Other, err = t.Effect(ctx, Rule{Method: m.Spec, Threshold: m.Threshold}); err != nil && !errors.Is(err, errEdges) {
			return nil, err
		}
	}
	c.decide(t)
	if spared > 0 {
		c.Mislead = append(c.Mislead, fmt.Sprintf("%d replies differ from what they quote in at most %.3g %% of the words: --differ is lowered to %.3g %%, so that none is removed for quoting", spared, 100*asked, 100*t.Differ))
	}
	return c, nil
}

// check counts the answered pairs that a rule calls alike, and those of them
// that are not. For versions it asks each member of the committee what the rule
// loses.
func (c *Choice) check(ctx context.Context, t *Truth, r Rule) error {
	s, err := t.scores(ctx, cmp.Or(r.Verify, r.Method))
	if err != nil {
		return err
	}
	for i := range t.Pairs {
		alike, ok := t.answers[[2]int32{t.Pairs[i].A, t.Pairs[i].B}]
		if ok && s.score[i] >= float32(r.Threshold) {
			c.called++
			if !alike {
				c.refused++
			}
		}
	}
	if t.Want == dedup.Versions {
		c.loss, c.by, err = t.regret(ctx, &s, r.Threshold)
	}
	return err
}

// border reports whether a little more or less decides about a pair.
func (t *Truth) border(p *Pair) bool {
	if t.Want == dedup.Excerpts {
		return math.Abs(float64(p.contains)-dedup.LeastContained) < dedup.LeastContained/5
	}
	return p.Differ > t.Differ/2 && p.Differ <= 2*t.Differ
}

// surest returns the member that expects most of itself, nil where none has a vote.
func (t *Truth) surest() (best *Member) {
	for k := range t.Members {
		if m := &t.Members[k]; m.Trusted && (best == nil || m.F1 > best.F1) {
			best = m
		}
	}
	return best
}

// decide fills in the outcome.
func (c *Choice) decide(t *Truth) {
	c.Mislead = t.misleads()
	c.Outcome = Recommended
	why := func(k Kind, format string, args ...any) {
		if c.Outcome != Undecidable {
			c.Outcome = k
		}
		c.Why = append(c.Why, fmt.Sprintf(format, args...))
	}
	apart := c.Versions.Value - c.Copies.Value
	switch {
	case t.Labels >= askFirst:
		if _, most := proportion.ClopperPearson(c.refused, c.called, 0.95); c.Effect != nil && most >= mostRefused {
			why(AfterAnswer, "the answers do not confirm the rule: it calls %d of the judged pairs alike, and you called %d of them not alike; this share may be up to %.0f %% and must be below %.0f %%",
				c.called, c.refused, 100*most, 100*mostRefused)
		}
	case !t.Stated:
		if least := leastDiffering / t.Differ; float64(t.Shape.Words) < least {
			why(Undecidable, "documents have %d words in the median: of fewer than %.0f, one word is too large a share", t.Shape.Words, least)
		}
		if c.Zone.Value > mostBorder*c.Copies.Value {
			why(AfterAnswer, "many pairs are at the border of copies: in %.0f, %.1f to %.0f %% of the words differ, and in %.0f at most %.0f %%",
				c.Zone.Value, 50*t.Differ, 200*t.Differ, c.Copies.Value, 100*t.Differ)
		}
		if c.Copies.High < leastPairs && c.Versions.Value >= leastPairs {
			why(AfterAnswer, "hardly any pair is a copy, and %.0f others resemble each other more than unrelated documents do. Only you can say whether they are alike", apart)
		}
	case t.Want == dedup.Versions:
		votes := 0
		for _, m := range t.Members {
			if m.Trusted {
				votes++
			}
		}
		if votes == 0 {
			why(Undecidable, "no gap parts versions from unrelated documents of this collection")
		} else if 2*votes <= len(t.Members) {
			why(AfterAnswer, "only %d of %d methods see a gap between versions and unrelated documents", votes, len(t.Members))
		} else if c.loss > mostLoss {
			why(AfterAnswer, "methods disagree where versions end: if %s is right, the rule loses %.2f of F1, and at most %.2f is allowed", c.by, c.loss, mostLoss)
		}
		if quoted := t.quoted(); quoted.Value > mostQuoted*c.Versions.Value {
			why(AfterAnswer, "%.0f of %.0f pairs that are no copies resemble each other where documents quote", quoted.Value, apart)
		}
	case t.Want == dedup.Excerpts:
		if c.Zone.Value > mostBorder*c.Alike.Value {
			why(AfterAnswer, "of %.0f pairs the longer document contains about half of the shorter: the border of excerpts is crowded", c.Zone.Value)
		}
	}
	if c.Effect != nil && c.Effect.Replies > 0 {
		why(AfterAnswer, "%d of the documents to remove have little in common with the one that stays but what they quote", c.Effect.Replies)
	}
	if c.Alike.High < leastPairs && (t.Stated || c.Versions.High < leastPairs) {
		why(Undecidable, "hardly any pair is alike: %.0f are expected among %d documents", c.Alike.Value, t.Of)
	}
	switch {
	case c.Effect == nil:
		why(Undecidable, "no rule was found, or so many pairs are alike by it that what it removes cannot be stated")
	case c.searched && !c.Fit:
		why(Undecidable, "no method tells alike documents from others")
	}
	if c.Outcome == AfterAnswer {
		c.Ask = askFirst
	}
}

// quoted estimates the pairs that are no copies, resemble each other, and hold a document
// that quotes.
func (t *Truth) quoted() Estimate {
	return t.Count(func(p *Pair) float64 {
		if p.Differ <= t.Differ || p.Vote == 0 || !quotes(t.Docs[p.A].Text) && !quotes(t.Docs[p.B].Text) {
			return 0
		}
		return p.Vote
	})
}

// misleads says what of these documents misleads methods that compare words, with figures.
func (t *Truth) misleads() []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	s := t.Shape
	if s.Quotes > manyQuotes {
		say("%.0f %% of the documents quote others: %.0f pairs resemble each other and are no copies, one of them with a quote", 100*s.Quotes, t.quoted().Value)
	}
	if s.Shared > manyShared {
		say("%.0f %% of the text stands in lines that many documents have: signatures, forms, notices", 100*s.Shared)
	}
	if least := leastDiffering / t.Differ; float64(s.Words) < least {
		say("documents are short: %d words in the median", s.Words)
	}
	if mixed := min(s.Han, 1-s.Han); mixed > manyMixed {
		say("%.0f %% of the documents are written without spaces between words, the others with them", 100*s.Han)
	}
	if s.Code > manyCode {
		say("%.0f %% of the documents look like programs, in which few words differ between unlike ones", 100*s.Code)
	}
	return out
}

// Commands returns the commands that do on the documents of data what the choice says;
// none if nothing is recommended.
func (c *Choice) Commands(data string) []string {
	if c.Outcome != Recommended {
		return nil
	}
	var out []string
	if r := c.Effect.Rule; r.Verify == "" {
		found := choose.Result{Fit: true, Best: choose.Trial{Spec: r.Method, Threshold: eval.Figure(r.Threshold)}}
		out = found.Commands(data)
	} else {
		out = []string{fmt.Sprintf("alike dedup %s -o OUT --method %s --candidates %v --verify %s --threshold %v", choose.Quote(data), r.Method, r.Candidates, r.Verify, r.Threshold)}
	}
	if share := c.Effect.Removed.High / float64(c.Effect.Docs); len(out) > 0 && share >= defaultDrop {
		out[len(out)-1] += fmt.Sprintf(" --max-drop %.0f%%", math.Ceil(100*share))
	}
	return out
}

// defaultDrop is the share of documents from which on alike dedup refuses to remove them.
const defaultDrop = 0.5

// Doubts returns what speaks against a recommendation, and what misleads.
func (c *Choice) Doubts() []string { return slices.Concat(c.Why, c.Mislead) }

// Found is how many copies of a kind of edit a method finds.
type Found struct {
	Edit          string
	Copies, Found int
}

// Found returns for each planted edit, in the order of their first copies, how many
// copies score at least the threshold with their original.
func (t *Truth) Found(ctx context.Context, c choose.Candidate, threshold float64, workers int) ([]Found, error) {
	var pairs []string
	for _, c := range t.Copies {
		pairs = append(pairs, t.Docs[c.Of].Text, c.Text)
	}
	called, err := t.called(ctx, c, threshold, pairs, workers)
	if err != nil {
		return nil, err
	}
	var out []Found
	at := map[string]int{}
	for i, c := range t.Copies {
		name := c.Edit.String()
		k, ok := at[name]
		if !ok {
			k = len(out)
			at[name] = k
			out = append(out, Found{Edit: name})
		}
		out[k].Copies++
		if called[i] {
			out[k].Found++
		}
	}
	return out, nil
}

// called reports of each two texts that follow each other whether a method, fitted on
// Docs, scores them at least the threshold.
func (t *Truth) called(ctx context.Context, c choose.Candidate, threshold float64, pairs []string, workers int) ([]bool, error) {
	out := make([]bool, len(pairs)/2)
	err := choose.Rank(ctx, &choose.Sample{Texts: pairs}, texts(t.Docs), []choose.Candidate{c}, workers, func(_ int, r choose.Ranked) error {
		for i := range out {
			out[i] = float64(float32(r.Sketches.Score(2*i, 2*i+1))) >= threshold
		}
		return nil
	})
	return out, err
}
