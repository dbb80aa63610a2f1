package pipeline

import (
	"sync"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/dedup/steps"
	"github.com/alike-go/alike/similarity"
)

// settings are what all workers of a run share. They are sent as JSON.
type settings struct {
	Method     string // canonical specs
	Verify     string // empty if the sketches decide
	Candidates float64
	Recall     float64
	Documents  int64 // that the buckets are made for; 0 means the layout of package local
	Threshold  float64
	Keep       string
	Limits     dedup.Limits
	Judged     []dedup.Judgement
	JudgedSum  string          // tells Judged from other judgements
	Read       datasets.Source // how all sources are read
	SkipBad    int
	MaxDrop    float64
	Out        string // folder of the outputs
	DropText   bool
	Annotate   bool
	Explain    bool
	Mask       clean.Mask

	// Old is the number of old sources, which come first. Their documents are
	// always kept, not compared with each other, and not written.
	Old int

	// Groups is the number of groups of documents that the method's own join
	// takes two at a time. 0 means that documents meet in buckets.
	Groups int

	// NewGroup is the first group with a new document. Earlier ones are not joined.
	NewGroup int

	// Carry says that postings carry the sketch.
	Carry bool

	// Crowded is the estimated number of members from which on a bucket is cut in
	// blocks before it is sent.
	Crowded int

	// SlotBits is the logarithm of the number of slots. Texts of equal hashes
	// meet in a slot, and so do the members of a bucket.
	SlotBits int
}

// slot returns the slot of a hash, and 32 bits that tell the hash from most others
// there.
func (s *settings) slot(hash uint64) (slot int, rest uint32) {
	return int(hash >> (64 - s.SlotBits)), uint32(hash << s.SlotBits >> 32)
}

// old reports whether a source is one of the old ones.
func (s *settings) old(source int) bool { return source < s.Old }

// place returns where a row stands as the outputs say it. They number old sources
// and new ones separately.
func (s *settings) place(source, row int) local.Place {
	if s.old(source) {
		return local.Place{Ref: dedup.Ref{Source: source, Row: row}, Against: true}
	}
	return local.Place{Ref: dedup.Ref{Source: source - s.Old, Row: row}}
}

// tools are what a worker makes of the settings, once for each instance of a step.
type tools struct {
	settings
	method, verify similarity.Method
	keep           dedup.Policy
	judged         *dedup.Judged // or nil
	rest           int           // see decoder
	steps          steps.Options
}

// parsed keeps methods and judgements: they are safe to share, and some take
// long to make.
var parsed sync.Map

func parse(spec string) (similarity.Method, error) {
	if m, ok := parsed.Load(spec); ok {
		return m.(similarity.Method), nil
	}
	m, err := catalog.Parse(spec)
	if err != nil {
		return nil, err
	}
	got, _ := parsed.LoadOrStore(spec, m)
	return got.(similarity.Method), nil
}

// parseJudged keeps judgements too.
func parseJudged(all []dedup.Judgement, sum string) (*dedup.Judged, error) {
	if j, ok := parsed.Load("judged " + sum); ok {
		return j.(*dedup.Judged), nil
	}
	j, err := dedup.NewJudged(all)
	if err != nil {
		return nil, err
	}
	got, _ := parsed.LoadOrStore("judged "+sum, j)
	return got.(*dedup.Judged), nil
}

// decider returns the method that decides.
func (t *tools) decider() similarity.Method {
	if t.verify != nil {
		return t.verify
	}
	return t.method
}

func (s *settings) tools() (*tools, error) {
	t := &tools{settings: *s}
	var err error
	if t.method, err = parse(s.Method); err != nil {
		return nil, err
	}
	if s.Verify != "" {
		if t.verify, err = parse(s.Verify); err != nil {
			return nil, err
		}
	}
	if t.keep, err = dedup.ParsePolicy(s.Keep); err != nil {
		return nil, err
	}
	if s.JudgedSum != "" {
		if t.judged, err = parseJudged(s.Judged, s.JudgedSum); err != nil {
			return nil, err
		}
	}
	t.rest = t.keep.RankLen() - 8
	t.steps = steps.Options{Method: t.method, Candidates: s.Candidates, Recall: s.Recall, Documents: s.Documents, Texts: s.Verify != "", Old: s.Old, Keep: t.keep, Limits: s.Limits}
	return t, nil
}

func (t *tools) decode(b []byte) *decoder { return &decoder{b: b, rest: t.rest} }
