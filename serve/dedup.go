package serve

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/local"
)

// dedupResult is the folder that alike dedup wrote, in memory.
type dedupResult struct {
	made     *local.Made
	texts    *local.Texts
	removals []local.Removal
	places   []local.TextPlace // of the texts of each removal
	clusters [][]int           // removals by cluster
}

// Limits on what is read of a result.
const (
	maxRemovals     = 2_000_000
	maxResultTexts  = 1_000_000
	maxResultMemory = 512 << 20 // bytes of text
)

// result returns the result of an entry.
func (s *Server) result(e *dataEntry) (*dedupResult, error) {
	defer s.data.use(e)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.result != nil {
		return e.result, nil
	}
	r, err := readResult(e.path)
	if err != nil {
		return nil, fmt.Errorf("serve: %s: %w", e.path, err)
	}
	e.result = r
	return r, nil
}

// openMade opens a result that can be shown.
func openMade(dir string) (*local.Made, error) {
	made, err := local.OpenMade(dir)
	if err == nil && made.Report.Below != nil {
		err = fmt.Errorf("%s was made below the document, want one of whole documents; alike why says what was cut", dir)
	}
	return made, err
}

func readResult(dir string) (*dedupResult, error) {
	made, err := openMade(dir)
	if err != nil {
		return nil, err
	}
	d := &dedupResult{made: made}
	if d.texts, err = made.Texts(datasets.Source{}, maxResultTexts, maxResultMemory); err != nil {
		return nil, err
	}
	return d, d.texts.Removals(d.add)
}

// add adds a removal, which line n of why.jsonl holds.
func (d *dedupResult) add(n, _ int, w *local.Removal, p local.TextPlace) error {
	if n > maxRemovals {
		return problem(http.StatusRequestEntityTooLarge, "more than %d documents removed, which are too many to look through here", maxRemovals)
	}
	w.Raw = nil
	if w.Cluster > 0 && w.Cluster <= maxRemovals {
		for len(d.clusters) < w.Cluster {
			d.clusters = append(d.clusters, nil)
		}
		d.clusters[w.Cluster-1] = append(d.clusters[w.Cluster-1], len(d.removals))
	}
	d.removals, d.places = append(d.removals, *w), append(d.places, p)
	return nil
}

// keptDocument returns the document kept for a removed one, if its text was written.
func (d *dedupResult) keptDocument(i int) (document, bool) {
	doc, ok := d.texts.KeptAt(d.places[i])
	if !ok {
		return document{}, false
	}
	w := &d.removals[i]
	return document{ID: w.Kept.ID, Text: cutText(doc.Text, maxText), Lang: doc.Lang, Bytes: len(doc.Text), Cluster: w.Cluster}, true
}

func (d *dedupResult) removedDocument(i int) (document, bool) {
	doc, ok := d.texts.RemovedAt(d.places[i])
	w := &d.removals[i]
	return document{ID: w.ID, Text: cutText(doc.Text, maxText), Lang: doc.Lang, Bytes: len(doc.Text), Cluster: w.Cluster, Removed: true}, ok
}

// removal returns a removal for an answer, with its texts if most is above 0.
func (d *dedupResult) removal(i, most int, judged judgements) removal {
	w := &d.removals[i]
	out := removal{Number: i, ID: w.ID, At: w.At, Reason: w.Reason, Score: w.Score, Method: w.Method, Cluster: w.Cluster, Shared: w.Shared, Error: w.Error}
	if w.Kept != nil {
		out.KeptID, out.KeptAt = w.Kept.ID, w.Kept.At
		out.Judged = judged.say(w.ID, w.Kept.ID)
	}
	if most > 0 {
		if doc, ok := d.removedDocument(i); ok {
			doc.Text = cutText(doc.Text, most)
			out.Removed = &doc
		}
		if doc, ok := d.keptDocument(i); ok {
			doc.Text = cutText(doc.Text, most)
			out.Kept = &doc
		}
	}
	return out
}

// contains reports whether has accepts one of the texts of a removal.
func (d *dedupResult) contains(i int, has func(string) bool) bool {
	if doc, ok := d.removedDocument(i); ok && has(doc.Text) {
		return true
	}
	doc, ok := d.keptDocument(i)
	return ok && has(doc.Text)
}

type removalsRequest struct {
	Named
	Page
	CutLength
	Contains string  `query:"q" maxLength:"1000" doc:"only where a text contains this, whatever its case"`
	Reason   string  `query:"reason" enum:"equal,alike,judged,first,unreadable" doc:"only those removed for this reason"`
	Least    float64 `query:"least" minimum:"0" maximum:"1" doc:"least score, of those removed as alike"`
	Most     float64 `query:"most" minimum:"0" maximum:"1" default:"1" doc:"greatest score, likewise"`
	Sort     string  `query:"sort" enum:"number,score,-score" default:"number"`
}

func (s *Server) registerDedup() {
	register(s, operation{method: "GET", path: "/v1/dedup/{name}", id: "dedup", tag: "data", class: work,
		summary: "What a dedup did, and the scores of what it removed"}, s.describeDedup)
	register(s, operation{method: "GET", path: "/v1/dedup/{name}/removals", id: "dedup-removals", tag: "data", class: work,
		summary: "The documents that a dedup removed, and why"}, s.removals)
	register(s, operation{method: "GET", path: "/v1/dedup/{name}/clusters", id: "dedup-clusters", tag: "data", class: work,
		summary: "The clusters that a dedup found"}, s.dedupClusters)
	register(s, operation{method: "GET", path: "/v1/dedup/{name}/clusters/{number}", id: "dedup-cluster", tag: "data", class: work,
		summary: "A cluster that a dedup found: what stays, what goes and why"}, s.dedupCluster)
}

// dedupOf returns the result of a dedup, and the judgements about it.
func (s *Server) dedupOf(name string) (*dedupResult, judgements, error) {
	e, err := s.data.find(name, true)
	if err != nil {
		return nil, nil, err
	}
	d, err := s.result(e)
	if err != nil {
		return nil, nil, err
	}
	judged, err := s.labels.of(name)
	return d, judged, err
}

func (s *Server) describeDedup(_ context.Context, in *Named) (*DedupResponse, error) {
	d, _, err := s.dedupOf(in.Name)
	if err != nil {
		return nil, err
	}
	const bins = 50
	h := histogramResponse{Method: d.made.Report.Settings.Verify, Bins: bins, Alike: make([]int64, bins), Unlike: []int64{}}
	for i := range d.removals {
		if w := &d.removals[i]; w.Reason == "alike" {
			h.Alike[binOf(w.Score, bins)]++
		}
	}
	return &DedupResponse{Name: in.Name, Report: d.made.Report, Scores: h, Texts: len(d.texts.Removed) > 0}, nil
}

func (s *Server) removals(ctx context.Context, in *removalsRequest) (*RemovalsResponse, error) {
	d, judged, err := s.dedupOf(in.Name)
	if err != nil {
		return nil, err
	}
	has := containing(in.Contains)
	found, err := filter(ctx, len(d.removals), func(i int) bool {
		w := &d.removals[i]
		return (in.Reason == "" || w.Reason == in.Reason) &&
			(in.Least == 0 && in.Most == 1 || w.Reason == "alike" && w.Score >= in.Least && w.Score <= in.Most) &&
			(in.Contains == "" || d.contains(i, has))
	})
	if err != nil {
		return nil, err
	}
	if in.Sort != "number" {
		sortBy(found, in.Sort == "-score", func(i int) float64 { return d.removals[i].Score })
	}
	return &RemovalsResponse{len(found), listed(in.Page, found, func(i int) (removal, int) {
		r, size := d.removal(i, in.Cut, judged), 0
		for _, doc := range []*document{r.Removed, r.Kept} {
			if doc != nil {
				size += len(doc.Text)
			}
		}
		return r, size
	})}, nil
}

func (s *Server) dedupClusters(ctx context.Context, in *clustersRequest) (*clustersResponse, error) {
	d, _, err := s.dedupOf(in.Name)
	if err != nil {
		return nil, err
	}
	has := containing(in.Contains)
	keep := func(members []int) bool {
		return len(members) > 0 && len(members)+1 >= in.Least &&
			(in.Contains == "" || slices.ContainsFunc(members, func(i int) bool { return d.contains(i, has) }))
	}
	return clustersOf(ctx, in.Page, d.clusters, keep, func(k int) cluster { return d.clusterOf(k + 1) })
}

// clusterOf lists the ids of a cluster, the kept ones first.
func (d *dedupResult) clusterOf(number int) cluster {
	members := d.clusters[number-1]
	c := cluster{Number: number, IDs: []string{}}
	kept := map[dedup.Ref]bool{}
	for _, i := range members {
		if k := d.removals[i].Kept; k != nil && !kept[k.Ref] {
			kept[k.Ref] = true
			c.IDs = append(c.IDs, k.ID)
		}
	}
	c.Size = len(kept) + len(members)
	for _, i := range members {
		c.IDs = append(c.IDs, d.removals[i].ID)
	}
	c.IDs = c.IDs[:min(len(c.IDs), maxMembers)]
	return c
}

func (s *Server) dedupCluster(_ context.Context, in *clusterRequest) (*clusterResponse, error) {
	d, judged, err := s.dedupOf(in.Name)
	if err != nil {
		return nil, err
	}
	if in.Number > len(d.clusters) || len(d.clusters[in.Number-1]) == 0 {
		return nil, problem(http.StatusNotFound, "no cluster %d in %s", in.Number, in.Name)
	}
	members := d.clusters[in.Number-1]
	r := &clusterResponse{Number: in.Number, Size: d.clusterOf(in.Number).Size, Documents: []document{}}
	most := maxTexts / min(len(members)+1, maxMembers)
	kept := map[dedup.Ref]bool{}
	for _, i := range members {
		w := &d.removals[i]
		if w.Kept == nil || kept[w.Kept.Ref] {
			continue
		}
		kept[w.Kept.Ref] = true
		if doc, ok := d.keptDocument(i); ok && len(r.Documents) < maxMembers {
			doc.Text = cutText(doc.Text, most)
			r.Documents = append(r.Documents, doc)
		}
	}
	for _, i := range members[:min(len(members), maxMembers)] {
		r.Removals = append(r.Removals, d.removal(i, 0, judged))
		if doc, ok := d.removedDocument(i); ok && len(r.Documents) < maxMembers {
			doc.Text = cutText(doc.Text, most)
			r.Documents = append(r.Documents, doc)
		}
	}
	return r, nil
}
