package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// registerIndex adds what asks and changes the index.
func (s *Server) registerIndex() {
	register(s, operation{method: "GET", path: "/v1/index", id: "index", tag: "index", errors: []int{http.StatusNotFound},
		summary: "What the index was made with, and how large it is"}, s.describeIndex)
	registerHot(s, operation{path: "/v1/index/query", id: "index-query",
		summary: "The documents of the index that are alike to a text"}, s.query)
	registerHot(s, operation{path: "/v1/index/add", id: "index-add", writes: true,
		summary: "Add documents", description: "A document that is there with the same text stays as it is; another text under its id replaces it."}, s.add)
	registerHot(s, operation{path: "/v1/index/add-if-new", id: "index-add-if-new", writes: true,
		summary: "Add the documents to which none is alike", description: "Names for each of the others the document that is most alike."}, s.addIfNew)
	registerHot(s, operation{path: "/v1/index/delete", id: "index-delete", writes: true,
		summary: "Delete documents", description: "Ids that are not there are passed over."}, s.remove)
}

// registerHot adds a route of the index that is called by the thousand. It stands in the
// description like all others. Its requests do not pass through huma, which takes several
// times as long as the query.
func registerHot[I, O any](s *Server, op operation, f func(context.Context, *I) (*O, error)) {
	op.method, op.tag, op.errors = http.MethodPost, "index", []int{http.StatusNotFound}
	h := op.huma()
	content := func(mime string, t reflect.Type) map[string]*huma.MediaType {
		return map[string]*huma.MediaType{mime: {Schema: s.api.OpenAPI().Components.Schemas.Schema(t, true, t.Name())}}
	}
	h.RequestBody = &huma.RequestBody{Required: true, Content: content("application/json", reflect.TypeFor[I]())}
	h.Responses = map[string]*huma.Response{"200": {Description: "OK", Content: content("application/json", reflect.TypeFor[O]())}}
	for _, status := range h.Errors {
		h.Responses[strconv.Itoa(status)] = &huma.Response{Description: http.StatusText(status), Content: content("application/problem+json", reflect.TypeFor[huma.ErrorModel]())}
	}
	s.api.OpenAPI().AddOperation(&h)
	s.handle(&route{class: hot}, op.method+" "+op.path, func(w http.ResponseWriter, r *http.Request) {
		var in I
		var out *O
		err := s.usable(op.writes)
		if err == nil {
			err = s.decode(w, r, &in)
		}
		if err == nil {
			out, err = f(r.Context(), &in)
		}
		if err != nil {
			p := s.indexFailure(r.Context(), err)
			writeProblem(w, p.GetStatus(), p.Error())
			return
		}
		s.answer(w, out)
	})
}

// usable returns an error if there is no index, or none that may be changed.
func (s *Server) usable(writes bool) error {
	switch {
	case s.o.Index == nil:
		return problem(http.StatusNotFound, noIndex)
	case writes && s.o.ReadOnly:
		return problem(http.StatusForbidden, readOnly)
	}
	return nil
}

// secret is what an answer leaves out of an index's settings.
var secret = regexp.MustCompile(`seed=[1-9][0-9]*`)

// public returns settings without their seeds.
func public(settings string) string { return secret.ReplaceAllString(settings, "seed=secret") }

func (s *Server) describeIndex(ctx context.Context, _ *nothing) (*indexResponse, error) {
	if err := s.usable(false); err != nil {
		return nil, err
	}
	st, err := s.stats.get(ctx, s)
	if err != nil {
		return nil, err
	}
	h := s.o.Index.Header()
	h.Method, h.Settings = public(h.Method), public(h.Settings)
	return &indexResponse{Header: h, Stats: st, ReadOnly: s.o.ReadOnly}, nil
}

const (
	noIndex  = "there is no index here; alike serve --index names one"
	readOnly = "the index is open for reading alone"
)

// statsCache is the size of the index, which some stores take long to count.
type statsCache struct {
	mu       sync.Mutex
	known    indexStats
	counting chan struct{} // closed when counted; nil while no count is running
	err      error
}

// fresh is the maximum age of a count.
const fresh = 5 * time.Second

// last returns the last count, if there is one.
func (c *statsCache) last() (indexStats, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known, !c.known.At.IsZero()
}

// get returns a fresh count. One goroutine counts for all requests.
func (c *statsCache) get(ctx context.Context, s *Server) (indexStats, error) {
	c.mu.Lock()
	if !c.known.At.IsZero() && time.Since(c.known.At) < fresh {
		defer c.mu.Unlock()
		return c.known, nil
	}
	if c.counting == nil {
		c.counting = make(chan struct{})
		s.wg.Go(func() { c.count(s) })
	}
	wait := c.counting
	c.mu.Unlock()
	select {
	case <-wait:
	case <-ctx.Done():
		return indexStats{}, ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known, c.err
}

func (c *statsCache) count(s *Server) {
	st, err := s.o.Index.Stats(s.ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err = err; err == nil {
		c.known = indexStats{st.Documents, st.Postings, st.Stale, st.PostingBytes, st.DocumentBytes, []detail{}, time.Now().UTC()}
		for _, d := range st.Details {
			c.known.Details = append(c.known.Details, detail(d))
		}
	}
	close(c.counting)
	c.counting = nil
}

// buffers are for requests and answers of the index; those that grew large are dropped.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func giveBuffer(b *bytes.Buffer) {
	if b.Cap() <= 1<<16 {
		buffers.Put(b)
	}
}

// decode reads a request into v.
func (s *Server) decode(w http.ResponseWriter, r *http.Request, v any) error {
	if t := r.Header["Content-Type"]; len(t) > 0 && !isJSON(t[0]) {
		return problem(http.StatusUnsupportedMediaType, "a request of type %q, want application/json", t[0])
	}
	b := buffers.Get().(*bytes.Buffer)
	defer giveBuffer(b)
	b.Reset()
	most := s.o.Limits.Body
	switch _, err := io.Copy(b, &io.LimitedReader{R: r.Body, N: most + 1}); {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return problem(http.StatusRequestTimeout, "the request comes too slowly")
	case err != nil:
		return problem(http.StatusBadRequest, "the request broke off")
	case int64(b.Len()) > most:
		w.Header().Set("Connection", "close")
		return problem(http.StatusRequestEntityTooLarge, "a request of more than %d bytes", most)
	}
	d := json.NewDecoder(b)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		var syntax *json.SyntaxError
		status := http.StatusUnprocessableEntity
		if errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			status = http.StatusBadRequest // as all routes say of what is no JSON
		}
		return problem(status, "no request: %v", err)
	}
	if rest, _ := io.ReadAll(io.MultiReader(d.Buffered(), b)); len(bytes.TrimSpace(rest)) > 0 {
		return problem(http.StatusBadRequest, "something stands behind the request")
	}
	return nil
}

func isJSON(t string) bool {
	rest, ok := strings.CutPrefix(t, "application/json")
	return ok && (rest == "" || rest[0] == ';' || rest[0] == ' ')
}

// query answers with the documents that are alike.
func (s *Server) query(ctx context.Context, q *queryRequest) (*queryResponse, error) {
	if err := s.checkDoc("", q.Text, q.Sketch); err != nil {
		return nil, err
	}
	switch {
	case !(q.Threshold >= 0 && q.Threshold <= 1):
		return nil, problem(http.StatusUnprocessableEntity, "threshold %g, want 0 to 1", q.Threshold)
	case q.Limit < 0 || q.Limit > 10_000:
		return nil, problem(http.StatusUnprocessableEntity, "limit %d, want 0 to 10000", q.Limit)
	}
	limits, err := s.limitsOf(q.pairLimits)
	if err != nil {
		return nil, err
	}
	fields, err := s.fieldsOf("", q.Fields)
	if err != nil {
		return nil, err
	}
	found, err := s.o.Index.Query(ctx, index.Doc{Text: q.Text, Sketch: q.Sketch, Fields: fields}, index.QueryOptions{Threshold: q.Threshold, Limit: cmp.Or(q.Limit, 100), Limits: limits})
	out := &queryResponse{Matches: make([]match, len(found))}
	for i := range found {
		out.Matches[i] = matchOf(&found[i])
	}
	return out, err
}

// limitsOf reads the limits of a request.
func (s *Server) limitsOf(p pairLimits) (dedup.Limits, error) {
	l := dedup.Limits{Across: p.Across, Within: p.Within}
	if p.Window != "" {
		if err := l.SetWindow(p.Window); err != nil {
			return l, problem(http.StatusUnprocessableEntity, "window %v", err)
		}
	}
	if err := s.o.Index.Header().CheckLimits(l); err != nil {
		return l, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	return l, nil
}

// fieldsOf returns the values of the fields that the index keeps.
func (s *Server) fieldsOf(at string, fields map[string]string) ([]string, error) {
	names := s.o.Index.Header().Fields
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = fields[name]
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch {
		case !slices.Contains(names, name):
			return nil, problem(http.StatusUnprocessableEntity, "%sfield %q, the index keeps %q", at, name, names)
		case len(fields[name]) > index.MaxField:
			return nil, problem(http.StatusUnprocessableEntity, "%sfield %q of %d bytes, want at most %d", at, name, len(fields[name]), index.MaxField)
		}
	}
	return values, nil
}

// checkDoc returns an error if a document is too long, or is both a text and a sketch.
func (s *Server) checkDoc(at, text string, sketch []byte) error {
	switch {
	case len(text) > s.o.Limits.Text:
		return problem(http.StatusRequestEntityTooLarge, "%sa text of %d bytes, want at most %d", at, len(text), s.o.Limits.Text)
	case text != "" && sketch != nil:
		return problem(http.StatusUnprocessableEntity, "%sboth a text and a sketch, want one of them", at)
	}
	return nil
}

func matchOf(m *index.Match) match {
	out := match{ID: m.ID, Score: m.Score, Time: m.Time}
	if m.Distance >= 0 {
		out.Distance = &m.Distance
	}
	return out
}

func (s *Server) add(ctx context.Context, q *addRequest) (*addResponse, error) {
	return s.addBy(ctx, q, s.o.Index.Add)
}

func (s *Server) addIfNew(ctx context.Context, q *addIfNewRequest) (*addResponse, error) {
	limits, err := s.limitsOf(q.pairLimits)
	if err != nil {
		return nil, err
	}
	return s.addBy(ctx, &addRequest{q.Documents}, func(ctx context.Context, docs []index.Doc) ([]index.Result, error) {
		return s.o.Index.AddIfNew(ctx, docs, limits)
	})
}

func (s *Server) addBy(ctx context.Context, q *addRequest, add func(context.Context, []index.Doc) ([]index.Result, error)) (*addResponse, error) {
	if len(q.Documents) == 0 {
		return nil, problem(http.StatusUnprocessableEntity, "no documents")
	}
	if len(q.Documents) > s.o.Limits.Batch {
		return nil, problem(http.StatusRequestEntityTooLarge, "%d documents, want at most %d", len(q.Documents), s.o.Limits.Batch)
	}
	now := time.Now().Unix()
	docs := make([]index.Doc, len(q.Documents))
	for i, d := range q.Documents {
		at := "documents[" + strconv.Itoa(i) + "]: "
		if err := s.checkDoc(at, d.Text, d.Sketch); err != nil {
			return nil, err
		}
		switch {
		case d.ID == "" || len(d.ID) > index.MaxID:
			return nil, problem(http.StatusUnprocessableEntity, "%san id of %d bytes, want 1 to %d", at, len(d.ID), index.MaxID)
		case d.Time < 0:
			return nil, problem(http.StatusUnprocessableEntity, "%stime %d, want none or seconds since 1970", at, d.Time)
		}
		fields, err := s.fieldsOf(at, d.Fields)
		if err != nil {
			return nil, err
		}
		docs[i] = index.Doc{ID: d.ID, Text: d.Text, Sketch: d.Sketch, Time: cmp.Or(d.Time, now), Fields: fields}
	}
	results, err := add(ctx, docs)
	out := &addResponse{Results: make([]addResult, len(results))}
	for i, r := range results {
		out.Results[i].State = r.State.String()
		if r.Match != nil {
			m := matchOf(r.Match)
			out.Results[i].Match = &m
		}
	}
	return out, err
}

func (s *Server) remove(ctx context.Context, q *deleteRequest) (*deleteResponse, error) {
	if len(q.IDs) == 0 {
		return nil, problem(http.StatusUnprocessableEntity, "no ids")
	}
	if len(q.IDs) > 10_000 {
		return nil, problem(http.StatusRequestEntityTooLarge, "%d ids, want at most 10000", len(q.IDs))
	}
	n, err := s.o.Index.Delete(ctx, q.IDs...)
	return &deleteResponse{n}, err
}

var jsonType = []string{"application/json"}

// answer writes v.
func (s *Server) answer(w http.ResponseWriter, v any) {
	b := buffers.Get().(*bytes.Buffer)
	defer giveBuffer(b)
	b.Reset()
	encodeJSON(b, v) // numbers and strings do not fail
	h := w.Header()
	h["Content-Type"] = jsonType
	h["Content-Length"] = []string{strconv.Itoa(b.Len())}
	w.Write(b.Bytes())
}

// indexFailure makes problem details of an error of the index.
func (s *Server) indexFailure(ctx context.Context, err error) huma.StatusError {
	if status, ok := errors.AsType[huma.StatusError](err); ok {
		return status
	}
	switch {
	case errors.Is(err, similarity.ErrFormat):
		return problem(http.StatusUnprocessableEntity, "a sketch that is none of the index's method")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return problem(http.StatusGatewayTimeout, "the index takes too long; what was to be added or deleted may have been in part, and can be sent again")
	case errors.Is(err, index.ErrReadOnly):
		return problem(http.StatusForbidden, readOnly)
	case errors.Is(err, index.ErrClosed):
		return problem(http.StatusServiceUnavailable, "the server is ending")
	}
	s.o.Log.ErrorContext(ctx, "index", "error", err)
	return problem(http.StatusInternalServerError, "the index failed; the log says more")
}
