// Command differ writes docs/differ.md: how well scores tell the share of words that
// differ, on planted edits and on versions of texts.
//
//	ALIKE_DATA=../shared/data go run ./docs/differ > docs/differ.md
package main

import (
	"log"
	"math"
	"os"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// modelled are the methods that have a model, others those that are refused.
var (
	modelled = []string{"shingle:tokens=single,width=3", "shingle:tokens=single,width=5",
		"shingle:tokens=single,width=4", "shingle:width=3", "shingle:bag=true,tokens=single,width=3", "shingle:measure=overlap,tokens=single,width=3",
		"minhash:tokens=single,width=3", "minhash:bits=8,tokens=single,width=3", "minhash:scheme=bottom,tokens=single,width=3", "bloom:tokens=single,width=3"}
	others = []string{"shingle", "shingle:width=1-2", "shingle:bag=true,tokens=single", "shingle:tokens=single,width=2", "shingle:tokens=single,width=8", "shingle:tokens=rune,width=5", "cosine", "simhash", "manber", "winnow"}
)

// leakSpec is what alike leak looks for.
const leakSpec = "shingle:measure=overlap," + catalog.DifferFeatures

// The sets: the first four chose the errors of the model, with half of their passages. The
// versions of the next four were looked at meanwhile. The rest had no part.
var (
	chosenOn = []string{"en", "reuters-reissues", "zh", "zh-laws"}
	lookedAt = []string{"en-book-versions", "licences", "go-versions", "zh-book-versions"}
	heldOut  = []string{"bible-chapters", "quotes-en", "progpedia19", "zh-shiji", "zh-poems", "quotes-zh"}

	lengths = []int{20, 50, 200, 1000}
	rates   = []float64{.01, .02, .05, .1, .2, .3}
)

const (
	passages = 40  // of each set and length
	versions = 300 // pairs of each set
	greatest = .3  // share of words that differ, of the pairs that count
	version  = plant.Kind("version")
)

// pair is a pair of texts whose share of words that differ is known.
type pair struct {
	group, set string
	kind       plant.Kind
	words      int // of the original
	a, b       int // words of the two
	truth      float64
	scores     []float64 // by modelled, then others
	leaked     float64   // the part of the original's features in a long text that has the copy
}

type lab struct {
	exact   *align.Words
	x       *feature.Extractor
	methods []similarity.Method
	leak    similarity.Method
	pairs   []pair
}

func main() {
	log.SetFlags(0)
	l := &lab{}
	err := kit.Try(func() {
		l.exact = kit.Must(align.NewWords(align.WordsOptions{}))
		l.x = kit.Must(feature.New(feature.Options{Tokens: feature.Single}))
		for _, spec := range append(append([]string{}, modelled...), others...) {
			l.methods = append(l.methods, kit.Must(catalog.Parse(spec)))
		}
		l.leak = kit.Must(catalog.Parse(leakSpec))
		for _, name := range chosenOn {
			l.plant(name, "chosen on", "other half")
		}
		for _, name := range lookedAt {
			l.versions(name, "versions, looked at")
		}
		for _, name := range heldOut {
			l.plant(name, "other sets", "other sets")
			l.versions(name, "versions of other sets")
		}
	})
	if err != nil {
		log.Fatal(err)
	}
	p := &page{kit.NewPage(os.Stdout), l}
	if err := kit.Try(p.write); err != nil {
		log.Fatal(err)
	}
	if p.Err != nil {
		log.Fatal(p.Err)
	}
}

// plant adds edited passages of a set: the beginnings of documents, one of each group of
// documents that are alike. Every second passage belongs to the group odd.
func (l *lab) plant(name, even, odd string) {
	set := kit.Must(datasets.Load(name))
	of := set.Components()
	for _, n := range lengths {
		seen := map[int]bool{}
		var last []string // words of the passage before, which edits put in
		long := ""
		for i, d := range set.Docs {
			at := l.x.Locate(d.Text)
			if seen[of[i]] || len(at) < n {
				continue
			}
			if len(seen) == passages {
				break
			}
			seen[of[i]] = true
			text := d.Text[:at[n-1].End]
			group := even
			if len(seen)%2 == 1 {
				group = odd
			}
			for k, kind := range plant.Kinds() {
				for _, rate := range rates {
					r := plant.NewRand(uint64(i), uint64(n), uint64(k), math.Float64bits(rate))
					copied, _ := plant.Apply(r, plant.Edit{Kind: kind, Rate: rate}, text, last, plant.Auto)
					l.add(pair{group: group, set: name, kind: kind, words: n}, text, copied, long)
				}
			}
			last, long = last[:0], d.Text
			for _, w := range at[:n] {
				last = append(last, d.Text[w.Start:w.End])
			}
		}
	}
}

// versions adds pairs of a set that are labelled alike.
func (l *lab) versions(name, group string) {
	set := kit.Must(datasets.Load(name))
	left := versions
	for _, p := range set.Pairs {
		a, b := set.Docs[p.A].Text, set.Docs[p.B].Text
		if p.Label < 1 || left == 0 || len(l.exact.Sketch(a)) < lengths[0] {
			continue
		}
		if l.add(pair{group: group, set: name, kind: version}, a, b, "") {
			left--
		}
	}
}

// add completes a pair and keeps it, unless more words differ than count.
func (l *lab) add(p pair, a, b, long string) bool {
	wa, wb := l.exact.Sketch(a), l.exact.Sketch(b)
	truth, ok := l.exact.Differ(wa, wb, greatest)
	if !ok {
		return false
	}
	p.a, p.b, p.truth = len(wa), len(wb), truth
	for _, m := range l.methods {
		c := m.NewCollection()
		c.Add(a)
		c.Add(b)
		p.scores = append(p.scores, c.Score(0, 1))
	}
	p.leaked = math.NaN()
	if long != "" {
		c := l.leak.NewCollection()
		c.Add(a)
		c.Add(long + "\n\n" + b)
		p.leaked, _ = c.Containment(0, 1)
	}
	l.pairs = append(l.pairs, p)
	return true
}
