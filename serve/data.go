package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/alike-go/alike/datasets"
)

// catalogue is the data that requests may read, by name.
type catalogue struct {
	names   []string
	entries map[string]*dataEntry

	mu     sync.Mutex
	recent []*dataEntry // entries in memory, the most recently used first
}

// dataEntry is a data set or the result of a dedup. It is read on the first request.
type dataEntry struct {
	name  string
	path  string // or a name that datasets.Load knows
	dedup bool

	mu     sync.Mutex
	set    *dataSet
	result *dedupResult
}

// maxLoaded is the maximum number of sets in memory.
const maxLoaded = 4

// open takes names and paths. It reads of them only the reports of results.
func (c *catalogue) open(data []string) error {
	if data == nil {
		data = datasets.Inside()
	}
	known := slices.Concat(datasets.Inside(), datasets.Shared())
	c.entries = map[string]*dataEntry{}
	for _, path := range data {
		e := &dataEntry{path: path, name: filepath.Base(path)}
		if _, err := os.Stat(path); err != nil && !slices.Contains(known, path) && (datasets.Source{}).At(path).Format == "" {
			return fmt.Errorf("serve: data: %w", err)
		}
		if _, err := os.Stat(filepath.Join(path, "report.json")); err == nil {
			e.dedup = true
			if _, err := openMade(path); err != nil {
				return fmt.Errorf("serve: data: %w", err)
			}
		}
		for n := 2; c.entries[e.name] != nil; n++ {
			e.name = fmt.Sprintf("%s-%d", filepath.Base(path), n)
		}
		c.entries[e.name] = e
		c.names = append(c.names, e.name)
	}
	return nil
}

// find returns the entry of a name.
func (c *catalogue) find(name string, dedup bool) (*dataEntry, error) {
	e := c.entries[name]
	if e == nil || e.dedup != dedup {
		what := "data set"
		if dedup {
			what = "result of a dedup"
		}
		return nil, problem(http.StatusNotFound, "no %s %q; /v1/data lists them", what, name)
	}
	return e, nil
}

// use marks an entry as used, and drops the least recently used entries if there are too
// many.
func (c *catalogue) use(e *dataEntry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recent = slices.DeleteFunc(c.recent, func(o *dataEntry) bool { return o == e })
	c.recent = slices.Insert(c.recent, 0, e)
	for len(c.recent) > maxLoaded {
		old := c.recent[maxLoaded]
		if !old.mu.TryLock() {
			return // it is being read; a later call drops it
		}
		old.set, old.result = nil, nil
		old.mu.Unlock()
		c.recent = c.recent[:maxLoaded]
	}
}

// dataSet is a set with lookup tables.
type dataSet struct {
	*datasets.Set
	checksum string
	byID     map[string]int
	cluster  []int   // number of the cluster of each document, from 1; 0 for no cluster
	clusters [][]int // documents by cluster, in the order of their numbers

	mu     sync.Mutex
	scores map[string][]float32 // of the pairs, by spec
}

// load returns the set of an entry.
func (s *Server) load(e *dataEntry) (*dataSet, error) {
	defer s.data.use(e)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.set != nil {
		return e.set, nil
	}
	set, err := loadSet(e.path)
	if err != nil {
		return nil, err
	}
	d := &dataSet{Set: set, checksum: set.Checksum(), byID: make(map[string]int, len(set.Docs)), scores: map[string][]float32{}}
	for i, doc := range set.Docs {
		d.byID[doc.ID] = i
	}
	if set.Clusters != nil {
		byNumber := map[int][]int{}
		order := []int{}
		for i, k := range set.Clusters {
			if byNumber[k] == nil {
				order = append(order, k)
			}
			byNumber[k] = append(byNumber[k], i)
		}
		d.cluster = make([]int, len(set.Docs))
		for _, k := range order {
			if len(byNumber[k]) < 2 {
				continue
			}
			d.clusters = append(d.clusters, byNumber[k])
			for _, i := range byNumber[k] {
				d.cluster[i] = len(d.clusters)
			}
		}
	}
	e.set = d
	return d, nil
}

// loadSet reads a set by its name or path: pairs of texts with labels, or documents
// without labels.
func loadSet(path string) (*datasets.Set, error) {
	info, err := os.Stat(path)
	var set *datasets.Set
	if err != nil || info.IsDir() {
		if set, err = datasets.Load(path); !errors.Is(err, datasets.ErrNoTruth) {
			return set, err
		}
	} else if set, err = datasets.ReadSet(datasets.Source{Path: path}); err == nil || (datasets.Source{Path: path}).HoldsPairs() {
		return set, err
	}
	docs, other := datasets.ReadDocs(datasets.Source{Path: path})
	if other != nil || len(docs) == 0 {
		return nil, errors.Join(err, other)
	}
	return &datasets.Set{Name: filepath.Base(path), Docs: docs}, nil
}

// setOf returns the data set of a name.
func (s *Server) setOf(ctx context.Context, name string) (*dataSet, error) {
	e, err := s.data.find(name, false)
	if err != nil {
		return nil, err
	}
	d, err := s.load(e)
	if err != nil {
		s.o.Log.ErrorContext(ctx, "data", "name", name, "error", err)
		return nil, problem(http.StatusInternalServerError, "%q cannot be read; the log says why", name)
	}
	return d, nil
}

// maxText is the maximum length of a text in an answer, in bytes.
const maxText = 1_000_000

// maxTexts is the maximum length of all texts in an answer, in bytes.
const maxTexts = 8 << 20

// cutText returns the start of a text, at most most bytes, cut between characters.
func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

func (d *dataSet) document(i, most int) document {
	doc := d.Docs[i]
	out := document{ID: doc.ID, Text: cutText(doc.Text, most), Lang: doc.Lang, Bytes: len(doc.Text)}
	if d.cluster != nil {
		out.Cluster = d.cluster[i]
	}
	return out
}

// CutLength says how much of each text to return.
type CutLength struct {
	Cut int `query:"cut" minimum:"0" maximum:"1000000" default:"2000" doc:"greatest length of a text in bytes; more is cut off"`
}

type documentsRequest struct {
	Named
	Page
	CutLength
	Contains string `query:"q" maxLength:"1000" doc:"only documents that contain this, whatever its case"`
}

type documentRequest struct {
	Named
	ID string `query:"id" required:"true" maxLength:"4096" doc:"id of the document"`
}

type clustersRequest struct {
	Named
	Page
	Contains string `query:"q" maxLength:"1000" doc:"only clusters with a document that contains this, whatever its case"`
	Least    int    `query:"least" minimum:"0" doc:"least number of documents"`
}

type clusterRequest struct {
	Named
	Number int `path:"number" minimum:"1" doc:"from 1"`
}

type pairsRequest struct {
	Named
	Page
	CutLength
	Contains string  `query:"q" maxLength:"1000" doc:"only pairs of which a text contains this, whatever its case"`
	Label    string  `query:"label" enum:"alike,unlike" doc:"only pairs of this label"`
	Split    string  `query:"split" enum:"train,dev,test" doc:"only pairs of this split"`
	Method   string  `query:"method" maxLength:"4096" doc:"a spec, by which the pairs are scored"`
	Least    float64 `query:"least" minimum:"0" maximum:"1" doc:"least score"`
	Most     float64 `query:"most" minimum:"0" maximum:"1" default:"1" doc:"greatest score"`
	Sort     string  `query:"sort" enum:"number,score,-score,doubt" default:"number" doc:"doubt: where label and score disagree most"`
}

type histogramRequest struct {
	Named
	Method string `query:"method" maxLength:"4096" default:"shingle" doc:"a spec"`
	Bins   int    `query:"bins" minimum:"1" maximum:"1000" default:"50"`
}

func (s *Server) registerData() {
	register(s, operation{method: "GET", path: "/v1/data", id: "data", tag: "data",
		summary: "Data sets and results of dedup"}, s.listData)
	register(s, operation{method: "GET", path: "/v1/data/{name}", id: "data-set", tag: "data", class: work,
		summary: "What a data set is"}, s.describeData)
	register(s, operation{method: "GET", path: "/v1/data/{name}/documents", id: "data-documents", tag: "data", class: work,
		summary: "Documents of a data set"}, s.documents)
	register(s, operation{method: "GET", path: "/v1/data/{name}/document", id: "data-document", tag: "data", class: work,
		summary: "One document of a data set, by its id"}, s.document)
	register(s, operation{method: "GET", path: "/v1/data/{name}/clusters", id: "data-clusters", tag: "data", class: work,
		summary: "Clusters of a data set"}, s.clusters)
	register(s, operation{method: "GET", path: "/v1/data/{name}/clusters/{number}", id: "data-cluster", tag: "data", class: work,
		summary: "A cluster of a data set with its documents"}, s.cluster)
	register(s, operation{method: "GET", path: "/v1/data/{name}/pairs", id: "data-pairs", tag: "data", class: work,
		summary: "Labelled pairs of a data set, scored by a method where one is named"}, s.pairs)
	register(s, operation{method: "GET", path: "/v1/data/{name}/histogram", id: "data-histogram", tag: "data", class: work,
		summary: "How often a method gives which score to the labelled pairs"}, s.histogram)
}

func (s *Server) listData(context.Context, *nothing) (*dataResponse, error) {
	out := &dataResponse{Sets: []DataEntry{}, Dedup: []dedupEntry{}}
	for _, name := range s.data.names {
		if s.data.entries[name].dedup {
			out.Dedup = append(out.Dedup, dedupEntry{name, s.labels.dir != ""})
		} else {
			out.Sets = append(out.Sets, DataEntry{name, s.labels.dir != ""})
		}
	}
	return out, nil
}

func (s *Server) describeData(ctx context.Context, in *Named) (*DataSet, error) {
	d, err := s.setOf(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	alike := 0
	for _, p := range d.Pairs {
		if p.Alike() {
			alike++
		}
	}
	return &DataSet{
		Name: in.Name, Description: d.Description, Licence: d.Licence,
		Documents: len(d.Docs), Pairs: len(d.Pairs), Alike: alike, Clusters: len(d.clusters),
		Graded: d.Graded, Checksum: d.checksum,
	}, nil
}

// filter returns the numbers below n that keep accepts.
func filter(ctx context.Context, n int, keep func(i int) bool) (found []int, err error) {
	for i := range n {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if keep(i) {
			found = append(found, i)
		}
	}
	return found, nil
}

// containing returns a function that reports whether a text contains what, ignoring case.
func containing(what string) func(text string) bool {
	if what == "" {
		return func(string) bool { return true }
	}
	what = strings.ToLower(what)
	return func(text string) bool { return strings.Contains(strings.ToLower(text), what) }
}

func (s *Server) documents(ctx context.Context, in *documentsRequest) (*documentsResponse, error) {
	d, err := s.setOf(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	has := containing(in.Contains)
	found, err := filter(ctx, len(d.Docs), func(i int) bool { return has(d.Docs[i].Text) })
	if err != nil {
		return nil, err
	}
	return &documentsResponse{len(found), listed(in.Page, found, func(i int) (document, int) {
		doc := d.document(i, in.Cut)
		return doc, len(doc.Text)
	})}, nil
}

func (s *Server) document(ctx context.Context, in *documentRequest) (*document, error) {
	d, err := s.setOf(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	i, ok := d.byID[in.ID]
	if !ok {
		return nil, problem(http.StatusNotFound, "no document %q in %s", in.ID, in.Name)
	}
	doc := d.document(i, maxText)
	return &doc, nil
}

// maxMembers is the maximum number of documents of a cluster in an answer.
const maxMembers = 100

func (s *Server) clusters(ctx context.Context, in *clustersRequest) (*clustersResponse, error) {
	d, err := s.setOf(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	has := containing(in.Contains)
	keep := func(members []int) bool {
		return len(members) >= in.Least && slices.ContainsFunc(members, func(i int) bool { return has(d.Docs[i].Text) })
	}
	return clustersOf(ctx, in.Page, d.clusters, keep, func(k int) cluster {
		members := d.clusters[k]
		c := cluster{Number: k + 1, Size: len(members), IDs: []string{}}
		for _, i := range members[:min(len(members), maxMembers)] {
			c.IDs = append(c.IDs, d.Docs[i].ID)
		}
		return c
	})
}

// clustersOf lists the clusters whose members are kept, the largest first.
func clustersOf(ctx context.Context, p Page, clusters [][]int, keep func(members []int) bool, of func(k int) cluster) (*clustersResponse, error) {
	found, err := filter(ctx, len(clusters), func(k int) bool { return keep(clusters[k]) })
	list := []cluster{}
	for _, k := range found {
		list = append(list, of(k))
	}
	slices.SortStableFunc(list, func(a, b cluster) int { return cmp.Compare(b.Size, a.Size) })
	from, to := p.cut(len(list))
	return &clustersResponse{len(list), list[from:to]}, err
}

func (s *Server) cluster(ctx context.Context, in *clusterRequest) (*clusterResponse, error) {
	d, err := s.setOf(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	if in.Number > len(d.clusters) {
		return nil, problem(http.StatusNotFound, "no cluster %d in %s, which has %d", in.Number, in.Name, len(d.clusters))
	}
	members := d.clusters[in.Number-1]
	r := &clusterResponse{Number: in.Number, Size: len(members), Documents: []document{}}
	shown := members[:min(len(members), maxMembers)]
	for _, i := range shown {
		r.Documents = append(r.Documents, d.document(i, maxTexts/len(shown)))
	}
	return r, nil
}

// maxScored is the maximum number of pairs to score for an answer.
const maxScored = 200_000

// pairScores returns the scores of the labelled pairs of a set by a method. The set keeps
// them.
func (s *Server) pairScores(ctx context.Context, d *dataSet, spec string) (canonical string, scores []float32, err error) {
	methods, err := s.methods.parse([]string{spec}, "")
	if err != nil {
		return "", nil, err
	}
	m := methods[0]
	canonical = m.String()
	d.mu.Lock()
	scores = d.scores[canonical]
	d.mu.Unlock()
	if scores != nil {
		return canonical, scores, nil
	}
	if len(d.Pairs) > maxScored {
		return "", nil, problem(http.StatusRequestEntityTooLarge, "%d pairs, which are too many to score for an answer, want at most %d; alike eval --details writes the scores", len(d.Pairs), maxScored)
	}
	c := m.NewCollection()
	at := make([]int, len(d.Docs)) // 1 + the position in c
	for _, p := range d.Pairs {
		for _, i := range []int{p.A, p.B} {
			if at[i] != 0 {
				continue
			}
			if err := errors.Join(ctx.Err(), checkSlow(methods, d.Docs[i].Text)); err != nil {
				return "", nil, err
			}
			c.Add(d.Docs[i].Text)
			at[i] = c.Len()
		}
	}
	if err := c.Err(); err != nil {
		return "", nil, err
	}
	scores = make([]float32, len(d.Pairs))
	for k, p := range d.Pairs {
		if k%64 == 0 && ctx.Err() != nil {
			return "", nil, ctx.Err()
		}
		scores[k] = float32(c.Score(at[p.A]-1, at[p.B]-1))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.scores) >= 16 {
		clear(d.scores)
	}
	d.scores[canonical] = scores
	return canonical, scores, nil
}

func (s *Server) pairs(ctx context.Context, in *pairsRequest) (*PairsResponse, error) {
	d, err := s.setOf(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	var scores []float32
	if in.Method != "" {
		if _, scores, err = s.pairScores(ctx, d, in.Method); err != nil {
			return nil, err
		}
	} else if in.Sort != "number" || in.Least > 0 || in.Most < 1 {
		return nil, problem(http.StatusUnprocessableEntity, "what depends on scores wants a method")
	}
	has := containing(in.Contains)
	found, err := filter(ctx, len(d.Pairs), func(k int) bool {
		p := d.Pairs[k]
		return (in.Label == "" || (in.Label == "alike") == p.Alike()) &&
			(in.Split == "" || p.Split.String() == in.Split) &&
			(scores == nil || float64(scores[k]) >= in.Least && float64(scores[k]) <= in.Most) &&
			(has(d.Docs[p.A].Text) || has(d.Docs[p.B].Text))
	})
	if err != nil {
		return nil, err
	}
	switch in.Sort {
	case "score", "-score":
		sortBy(found, in.Sort == "-score", func(k int) float64 { return float64(scores[k]) })
	case "doubt":
		sortBy(found, true, func(k int) float64 { return math.Abs(d.Pairs[k].Label - float64(scores[k])) })
	}
	judged, err := s.labels.of(in.Name)
	if err != nil {
		return nil, err
	}
	return &PairsResponse{len(found), listed(in.Page, found, func(k int) (pairItem, int) {
		p := d.Pairs[k]
		item := pairItem{Number: k, A: d.document(p.A, in.Cut), B: d.document(p.B, in.Cut), Label: p.Label, Grade: p.Grade, Split: p.Split.String(), Kind: p.Kind}
		if scores != nil {
			score := float64(scores[k])
			item.Score = &score
		}
		item.Judged = judged.say(item.A.ID, item.B.ID)
		return item, len(item.A.Text) + len(item.B.Text)
	})}, nil
}

func (s *Server) histogram(ctx context.Context, in *histogramRequest) (*histogramResponse, error) {
	d, err := s.setOf(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	spec, scores, err := s.pairScores(ctx, d, in.Method)
	if err != nil {
		return nil, err
	}
	h := &histogramResponse{Method: spec, Bins: in.Bins, Alike: make([]int64, in.Bins), Unlike: make([]int64, in.Bins)}
	for k, score := range scores {
		bin := binOf(float64(score), in.Bins)
		if d.Pairs[k].Alike() {
			h.Alike[bin]++
		} else {
			h.Unlike[bin]++
		}
	}
	return h, nil
}

func binOf(score float64, bins int) int { return min(bins-1, max(0, int(score*float64(bins)))) }
