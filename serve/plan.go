package serve

import (
	"context"
	"math"
	"net/http"

	"github.com/alike-go/alike/index/plan"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/simhash/hamming"
)

type planRequest struct {
	Docs     int64 `query:"docs" required:"true" minimum:"1" maximum:"1000000000000000" doc:"number of documents"`
	Bits     int   `query:"bits" minimum:"32" maximum:"128" default:"64" doc:"bits of a fingerprint: 32, 64 or 128"`
	Distance int   `query:"distance" minimum:"0" maximum:"32" default:"3" doc:"greatest distance, in bits"`
	Memory   int64 `query:"memory" minimum:"0" doc:"bytes that an index may take; 0 means any"`
}

type bandsRequest struct {
	Bands int `query:"bands" required:"true" minimum:"1" maximum:"100000"`
	Rows  int `query:"rows" required:"true" minimum:"1" maximum:"1000"`
}

type backendsRequest struct {
	Docs     int64 `query:"docs" required:"true" minimum:"1" maximum:"1000000000000000" doc:"number of documents"`
	Bits     int   `query:"bits" minimum:"32" maximum:"128" default:"64" doc:"bits of a fingerprint: 32, 64 or 128"`
	Distance int   `query:"distance" minimum:"0" maximum:"32" default:"3" doc:"greatest distance, in bits"`
}

func (s *Server) registerPlan() {
	register(s, operation{method: "GET", path: "/v1/plan", id: "plan", tag: "plan", class: work, errors: []int{http.StatusUnprocessableEntity},
		summary: "What finding fingerprints within a distance costs, by every layout of tables"}, s.designs)
	register(s, operation{method: "GET", path: "/v1/plan/bands", id: "plan-bands", tag: "plan",
		summary: "The S-curve of bands of rows"}, s.bands)
	register(s, operation{method: "GET", path: "/v1/plan/backends", id: "plan-backends", tag: "plan", class: work, errors: []int{http.StatusUnprocessableEntity},
		summary: "What an index takes on each backend, by constants that were measured"}, s.backends)
}

// cosines are the cosines for which a plan states probabilities.
var cosines = []float64{1, .999, .995, .99, .98, .97, .96, .95, .93, .9, .85, .8, .7, .5, 0}

func (s *Server) designs(_ context.Context, in *planRequest) (*PlanResponse, error) {
	all, take, err := hamming.DefaultCosts.Plan(in.Docs, in.Bits, in.Distance, in.Memory)
	if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	p := &PlanResponse{Docs: in.Docs, Bits: in.Bits, Distance: in.Distance, Fits: in.Memory == 0 || all[take].Bytes <= float64(in.Memory)}
	for i, e := range all {
		p.Designs = append(p.Designs, planDesign{i == take, e.Design.Name, e.Design.String(), e.Tables, e.KeyLeast, e.KeyMost, e.Probes, e.CandidatesPerTable, e.Candidates, e.Copies, e.Bytes, e.Query})
	}
	for _, c := range cosines {
		p.Finds = append(p.Finds, planFind{c, math.Acos(c) / math.Pi * float64(in.Bits), simhash.ProbWithin(c, in.Distance, in.Bits)})
	}
	return p, nil
}

func (s *Server) bands(_ context.Context, in *bandsRequest) (*BandsResponse, error) {
	b, r := float64(in.Bands), float64(in.Rows)
	out := &BandsResponse{Bands: in.Bands, Rows: in.Rows, Threshold: math.Pow(1/b, 1/r)}
	for i := range 101 {
		score := float64(i) / 100
		// 1-(1-s^r)^b, exact for small values.
		found := 1.0
		if p := math.Pow(score, r); p < 1 {
			found = -math.Expm1(b * math.Log1p(-p))
		}
		out.Curve = append(out.Curve, curvePair{score, found})
	}
	return out, nil
}

func (s *Server) backends(_ context.Context, in *backendsRequest) (*BackendsResponse, error) {
	layout, err := plan.Choose(in.Docs, in.Bits, in.Distance)
	if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	r := &BackendsResponse{Layout: layout.Design, Backends: []backendItem{}}
	for _, name := range plan.Backends() {
		e, err := plan.Measured().Estimate(name, in.Docs, layout, plan.DefaultMachine)
		if err != nil {
			continue // it has not been measured
		}
		r.Backends = append(r.Backends, backendItem{name, e.Bytes, e.Copies, e.Machines, e.Hot, e.Lookups, e.Scanned, e.Query, e.Load})
	}
	return r, nil
}
