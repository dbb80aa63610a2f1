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

// settings are what all workers of a run share. They travel as JSON.
type settings struct {
	Method     string // canonical specs
	Verify     string // empty where the sketches decide
	Candidates float64
	Recall     float64
	Documents  int64 // that buckets are for, 0 for the layout of package local
	Threshold  float64
	Keep       string
	Read       reading
	SkipBad    int
	MaxDrop    float64
	Out        string // folder of the outputs
	DropText   bool
	Annotate   bool
	Explain    bool
	Mask       clean.Mask

	// Old is the number of sources, the first ones, whose documents are kept in any case. They are not compared with each
	// other, and not written.
	Old int

	// Groups is the number of groups of documents that the method's own join takes two at a time, or 0
	// where documents meet in buckets.
	Groups int

	// NewGroup is the first of the groups that has a new document: those before it are not joined.
	NewGroup int

	// Carry says that postings carry the sketch.
	Carry bool

	// Crowded is the number of members, as a sample tells it, from which on a bucket is cut in blocks before it is sent.
	Crowded int

	// SlotBits is the logarithm of the number of slots, where what has equal hashes meets: texts, and the members
	// of buckets.
	SlotBits int
}

// slot returns the one that a hash belongs to, and 32 bits that tell it from most others there.
func (s *settings) slot(hash uint64) (slot int, rest uint32) {
	return int(hash >> (64 - s.SlotBits)), uint32(hash << s.SlotBits >> 32)
}

// old reports whether the documents of a source are kept in any case.
func (s *settings) old(source int) bool { return source < s.Old }

// place returns where a row stands as the outputs say it: old sources and new ones are numbered each for themselves.
func (s *settings) place(source, row int) local.Place {
	if s.old(source) {
		return local.Place{Ref: dedup.Ref{Source: source, Row: row}, Against: true}
	}
	return local.Place{Ref: dedup.Ref{Source: source - s.Old, Row: row}}
}

// reading is how sources are read.
type reading struct {
	ID      string
	Text    []string
	Columns []string
	Quotes  string
	HTML    bool
	Lossy   bool
	PathIDs bool
}

func readingOf(s datasets.Source) reading {
	return reading{ID: s.ID, Text: s.Text, Columns: s.Columns, Quotes: s.Quotes, HTML: s.HTML, Lossy: s.Lossy, PathIDs: s.PathIDs}
}

func (r reading) source() datasets.Source {
	return datasets.Source{ID: r.ID, Text: r.Text, Columns: r.Columns, Quotes: r.Quotes, HTML: r.HTML, Lossy: r.Lossy, PathIDs: r.PathIDs}
}

// tools are what a worker makes of the settings, once for each instance of a step.
type tools struct {
	settings
	method, verify similarity.Method
	keep           dedup.Policy
	rest           int // see decoder
	like           datasets.Source
	steps          steps.Options
}

// parsed keeps methods, which are safe to share and of which some take long to make.
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

func (s *settings) tools() (*tools, error) {
	t := &tools{settings: *s, like: s.Read.source()}
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
	t.rest = t.keep.RankLen() - 8
	t.steps = steps.Options{Method: t.method, Candidates: s.Candidates, Recall: s.Recall, Documents: s.Documents, Texts: s.Verify != "", Old: s.Old, Keep: t.keep}
	return t, nil
}

func (t *tools) decode(b []byte) *decoder { return &decoder{b: b, rest: t.rest} }
