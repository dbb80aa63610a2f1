package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/surrogate"
)

// The states of a job.
const (
	waiting   = "waiting"
	running   = "running"
	done      = "done"
	failed    = "failed"
	cancelled = "cancelled"
)

// jobs is the work in the background. One job runs at a time, in the order of arrival.
type jobs struct {
	mu    sync.Mutex
	list  []*job
	turn  chan struct{} // the running job holds it
	limit int
}

// job is one piece of background work.
type job struct {
	mu      sync.Mutex
	state   Job
	changed chan struct{} // closed at the next change
	stop    context.CancelFunc
}

func (j *jobs) init(s *Server) {
	j.turn, j.limit = make(chan struct{}, 1), s.o.Limits.Jobs
}

// snapshot returns the state, and a channel that is closed when it changes.
func (k *job) snapshot() (Job, <-chan struct{}) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.state, k.changed
}

// set changes the state, unless it is final.
func (k *job) set(f func(*Job)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if final(k.state.State) {
		return
	}
	f(&k.state)
	if final(k.state.State) {
		now := time.Now().UTC()
		k.state.Finished = &now
	}
	close(k.changed)
	k.changed = make(chan struct{})
}

func final(state string) bool { return state == done || state == failed || state == cancelled }

// open returns how many jobs wait or run.
func (j *jobs) open() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := 0
	for _, k := range j.list {
		if st, _ := k.snapshot(); !final(st.State) {
			n++
		}
	}
	return n
}

// start adds a job that calls work. If there are too many jobs, it forgets the oldest
// finished one.
func (s *Server) start(kind string, work func(ctx context.Context, k *job) error) (*job, error) {
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	if err := s.ctx.Err(); err != nil {
		return nil, problem(http.StatusServiceUnavailable, "the server is ending")
	}
	if len(s.jobs.list) >= s.jobs.limit {
		old := slices.IndexFunc(s.jobs.list, func(k *job) bool { st, _ := k.snapshot(); return final(st.State) })
		if old < 0 {
			return nil, problem(http.StatusTooManyRequests, "%d jobs wait or run, want at most %d", len(s.jobs.list), s.jobs.limit)
		}
		s.jobs.list = slices.Delete(s.jobs.list, old, old+1)
	}
	ctx, stop := context.WithCancel(s.ctx)
	k := &job{changed: make(chan struct{}), stop: stop}
	k.state = Job{ID: randomHex(8), Kind: kind, State: waiting, Created: time.Now().UTC()}
	s.jobs.list = append(s.jobs.list, k)
	s.wg.Go(func() {
		defer stop()
		select {
		case s.jobs.turn <- struct{}{}:
			defer func() { <-s.jobs.turn }()
		case <-ctx.Done():
			k.set(func(j *Job) { j.State = cancelled })
			return
		}
		k.set(func(j *Job) { j.State = running })
		err := s.runJob(ctx, k, work)
		k.set(func(j *Job) {
			switch {
			case err == nil:
				j.State, j.Share, j.Doing = done, 1, ""
			case ctx.Err() != nil:
				j.State = cancelled
			default:
				j.State, j.Error = failed, err.Error()
			}
		})
	})
	return k, nil
}

// runJob calls work, and returns an error if it panics.
func (s *Server) runJob(ctx context.Context, k *job, work func(context.Context, *job) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.metrics.panics.Inc()
			s.o.Log.Error("panic", "job", k.state.ID, "what", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = errors.New("something went wrong here; the log says more")
		}
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	return work(ctx, k)
}

// find returns the job of an id.
func (j *jobs) find(id string) (*job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, k := range j.list {
		if k.state.ID == id { // never changes
			return k, nil
		}
	}
	return nil, problem(http.StatusNotFound, "no job %q; /v1/jobs lists them", id)
}

type jobRequest struct {
	ID string `path:"id" doc:"as the job is listed"`
}

func (s *Server) registerJobs() {
	register(s, operation{method: "POST", path: "/v1/jobs/choose", id: "job-choose", tag: "jobs", class: heavy, atOnce: true, status: http.StatusAccepted, body: s.o.Limits.Sample,
		errors:  []int{http.StatusNotFound},
		summary: "Search for the method, settings and threshold that suit a sample", description: "The search is a job: it goes on after the answer."}, s.chooseJob)
	register(s, operation{method: "GET", path: "/v1/jobs", id: "jobs", tag: "jobs",
		summary: "All jobs, without their results"}, s.listJobs)
	register(s, operation{method: "GET", path: "/v1/jobs/{id}", id: "job", tag: "jobs",
		summary: "A job with its result"}, s.job)
	register(s, operation{method: "DELETE", path: "/v1/jobs/{id}", id: "job-cancel", tag: "jobs",
		summary: "Cancel a job", description: "The answer is its state at that time; it is cancelled as soon as its work notices."}, s.cancelJob)
	op := operation{method: "GET", path: "/v1/jobs/{id}/events", id: "job-events", tag: "jobs", stream: true,
		summary: "The progress of a job as server-sent events, until it ends"}
	s.pending = &route{class: op.class, stream: true}
	h := op.huma()
	h.Middlewares = huma.Middlewares{s.jobExists}
	sse.Register(s.api, h, map[string]any{"progress": jobProgress{}}, s.events)
}

func (s *Server) listJobs(context.Context, *nothing) (*jobsResponse, error) {
	s.jobs.mu.Lock()
	list := slices.Clone(s.jobs.list)
	s.jobs.mu.Unlock()
	out := &jobsResponse{Jobs: []Job{}}
	for _, k := range slices.Backward(list) {
		st, _ := k.snapshot()
		st.Choice = nil
		out.Jobs = append(out.Jobs, st)
	}
	return out, nil
}

func (s *Server) job(_ context.Context, in *jobRequest) (*Job, error) {
	k, err := s.jobs.find(in.ID)
	if err != nil {
		return nil, err
	}
	st, _ := k.snapshot()
	return &st, nil
}

func (s *Server) cancelJob(_ context.Context, in *jobRequest) (*Job, error) {
	k, err := s.jobs.find(in.ID)
	if err != nil {
		return nil, err
	}
	k.stop()
	st, _ := k.snapshot()
	return &st, nil
}

// jobExists answers requests for an unknown job, because a stream that has begun cannot.
func (s *Server) jobExists(ctx huma.Context, next func(huma.Context)) {
	if _, err := s.jobs.find(ctx.Param("id")); err != nil {
		huma.WriteErr(s.api, ctx, http.StatusNotFound, err.Error())
		return
	}
	next(ctx)
}

// pause is the minimum time between two events of a job.
const pause = 100 * time.Millisecond

func (s *Server) events(ctx context.Context, in *jobRequest, send sse.Sender) {
	k, err := s.jobs.find(in.ID)
	if err != nil {
		return
	}
	for {
		st, changed := k.snapshot()
		if send.Data(jobProgress{st.ID, st.State, st.Share, st.Doing, st.Error}) != nil || final(st.State) {
			return
		}
		beat := time.NewTimer(15 * time.Second) // regular events keep proxies from cutting the stream
		select {
		case <-changed:
		case <-beat.C:
		case <-ctx.Done():
			beat.Stop()
			return
		}
		beat.Stop()
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

func (s *Server) chooseJob(ctx context.Context, in *body[ChooseRequest]) (*Job, error) {
	q := &in.Body
	o := choose.Options{MaxBytesPerDoc: q.MaxBytes, Seed: cmp.Or(q.Seed, 1), NoSpeed: true, Workers: max(1, runtime.GOMAXPROCS(0)/2)}
	o.Budget = time.Duration(cmp.Or(q.Budget, 60) * float64(time.Second))
	o.Budget = max(o.Budget, time.Second)
	var err error
	if o.Goal, err = choose.ParseGoal(q.Goal); err != nil {
		return nil, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	for _, spec := range q.Methods {
		if _, err := s.methods.one(spec, ""); err != nil {
			return nil, err
		}
		c, err := choose.NewCandidate(spec)
		if err != nil {
			return nil, problem(http.StatusUnprocessableEntity, "%v", err)
		}
		o.Candidates = append(o.Candidates, c)
	}
	if q.Data != "" {
		if len(q.Documents) > 0 || len(q.Pairs) > 0 {
			return nil, problem(http.StatusUnprocessableEntity, "both data and documents, want one of them")
		}
		if s.data.entries[q.Data] == nil {
			return nil, problem(http.StatusNotFound, "no data %q; /v1/data lists what there is", q.Data)
		}
	} else if err := s.checkSample(q); err != nil {
		return nil, err
	}
	k, err := s.start("choose", func(ctx context.Context, k *job) error { return s.choose(ctx, k, q, o) })
	if err != nil {
		return nil, err
	}
	st, _ := k.snapshot()
	return &st, nil
}

// checkSample returns an error if a sample is invalid.
func (s *Server) checkSample(q *ChooseRequest) error {
	if len(q.Documents) < 2 {
		return problem(http.StatusUnprocessableEntity, "%d documents, want some hundred", len(q.Documents))
	}
	if q.Labels {
		return problem(http.StatusUnprocessableEntity, "labels go with data, not with documents")
	}
	ids := map[string]bool{}
	for i := range q.Documents {
		d := &q.Documents[i]
		if err := s.checkText(fmt.Sprintf("documents[%d]", i), d.Text); err != nil {
			return err
		}
		if d.ID == "" {
			d.ID = strconv.Itoa(i)
		}
		if ids[d.ID] {
			return problem(http.StatusUnprocessableEntity, "documents[%d]: id %q is there twice", i, d.ID)
		}
		ids[d.ID] = true
	}
	for i, p := range q.Pairs {
		if p.A < 0 || p.B < 0 || p.A >= len(q.Documents) || p.B >= len(q.Documents) || p.A == p.B {
			return problem(http.StatusUnprocessableEntity, "pairs[%d]: documents %d and %d, want two of 0 to %d", i, p.A, p.B, len(q.Documents)-1)
		}
	}
	return nil
}

// choose does the work of a job: it searches a method.
func (s *Server) choose(ctx context.Context, k *job, q *ChooseRequest, o choose.Options) error {
	from := 0.
	progress := func(share float64, what string) {
		k.set(func(j *Job) { j.Share, j.Doing = max(j.Share, from+share*(1-from)), what })
	}
	set, labels, err := s.sample(q)
	if err != nil {
		return err
	}
	found := &choiceFound{}
	if !q.Labels && (len(set.Pairs) > 0 || set.Clusters != nil) {
		o.Progress = progress
		if found.Result, err = choose.Search(ctx, set, o); err != nil {
			return plain(err)
		}
		found.Commands = found.Result.Commands("INPUT")
	} else {
		options := surrogate.Options{Seed: o.Seed, Workers: o.Workers, Progress: func(share float64, what string) { progress(share*.3, what) }}
		if q.Want != "" {
			w, err := dedup.ParseWant(q.Want)
			if err != nil {
				return err
			}
			options.Want = &w
		}
		truth, err := surrogate.Build(ctx, set.Name, set.Docs, labels, options)
		if err != nil {
			return plain(err)
		}
		from = .3
		o.Progress = progress
		choice, err := truth.Choose(ctx, o)
		if err != nil {
			return plain(err)
		}
		found.Result, found.Doubts, found.Outcome, found.Effect = choice.Result, choice.Doubts(), string(choice.Outcome), choice.Effect
		found.Commands = choice.Commands("INPUT")
		if choice.Outcome != surrogate.Recommended {
			found.Result.Fit, found.Result.Why = false, choice.Why
		}
	}
	k.set(func(j *Job) { j.Choice = found })
	return nil
}

// plain drops the package name from an error that is the result of a job.
func plain(err error) error {
	if rest, ok := strings.CutPrefix(err.Error(), "choose: "); ok {
		return errors.New(rest)
	}
	return err
}

// sample returns the documents of a request and the judgements about them.
func (s *Server) sample(q *ChooseRequest) (*datasets.Set, []surrogate.Label, error) {
	if q.Data == "" {
		set := &datasets.Set{Name: cmp.Or(q.Name, "sample")}
		for _, d := range q.Documents {
			set.Docs = append(set.Docs, datasets.Doc{ID: d.ID, Text: d.Text})
		}
		for _, p := range q.Pairs {
			label := 0.
			if p.Alike {
				label = 1
			}
			set.Pairs = append(set.Pairs, datasets.Pair{A: p.A, B: p.B, Label: label, Grade: label})
		}
		return set, nil, nil
	}
	e := s.data.entries[q.Data]
	set := &datasets.Set{Name: e.name}
	if e.dedup {
		d, err := s.result(e)
		if err != nil {
			return nil, nil, err
		}
		seen := map[string]bool{}
		add := func(id, text, lang string) {
			if !seen[id] {
				seen[id] = true
				set.Docs = append(set.Docs, datasets.Doc{ID: id, Text: cutText(text, maxText), Lang: lang})
			}
		}
		for i := range d.removals {
			if doc, ok := d.removedDocument(i); ok {
				add(doc.ID, doc.Text, doc.Lang)
			}
			if doc, ok := d.keptDocument(i); ok {
				add(doc.ID, doc.Text, doc.Lang)
			}
		}
		for _, doc := range d.texts.Kept {
			add(doc.ID, doc.Text, doc.Lang)
		}
	} else {
		d, err := s.load(e)
		if err != nil {
			return nil, nil, err
		}
		set = d.Set
	}
	if !q.Labels {
		return set, nil, nil
	}
	list, err := s.labels.read(q.Data)
	return set, list, err
}
