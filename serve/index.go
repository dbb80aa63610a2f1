package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// hotNames are the last parts of the routes of the index that come by the thousand.
var hotNames = [4]string{"query", "add", "add-if-new", "delete"}

// registerIndex adds what asks and changes the index. The routes that come by the thousand stand in the
// description like all others, and have handlers of their own: huma's takes several times as long as the query.
func (s *Server) registerIndex() {
	register(s, operation{method: "GET", path: "/v1/index", id: "index", tag: "index", errors: []int{http.StatusNotFound},
		summary: "What the index was made with, and how large it is"}, s.describeIndex)
	handlers := [4]http.HandlerFunc{s.query, s.add, s.addIfNew, s.remove}
	for i, op := range [4]struct {
		id, summary, description string
		in, out                  reflect.Type
	}{
		{"index-query", "The documents of the index that are alike to a text", "", reflect.TypeFor[queryRequest](), reflect.TypeFor[queryResponse]()},
		{"index-add", "Add documents", "A document that is there with the same text stays as it is; another text under its id replaces it.", reflect.TypeFor[addRequest](), reflect.TypeFor[addResponse]()},
		{"index-add-if-new", "Add the documents to which none is alike", "Names for each of the others the document that is most alike.", reflect.TypeFor[addRequest](), reflect.TypeFor[addResponse]()},
		{"index-delete", "Delete documents", "Ids that are not there are passed over.", reflect.TypeFor[deleteRequest](), reflect.TypeFor[deleteResponse]()},
	} {
		path := "/v1/index/" + hotNames[i]
		o := operation{method: "POST", path: path, id: op.id, tag: "index", summary: op.summary, description: op.description, errors: []int{http.StatusNotFound}}.huma()
		r := s.api.OpenAPI().Components.Schemas
		content := func(mime string, t reflect.Type) map[string]*huma.MediaType {
			return map[string]*huma.MediaType{mime: {Schema: r.Schema(t, true, t.Name())}}
		}
		o.RequestBody = &huma.RequestBody{Required: true, Content: content("application/json", op.in)}
		o.Responses = map[string]*huma.Response{"200": {Description: "OK", Content: content("application/json", op.out)}}
		for _, status := range o.Errors {
			o.Responses[strconv.Itoa(status)] = &huma.Response{Description: http.StatusText(status), Content: content("application/problem+json", reflect.TypeFor[huma.ErrorModel]())}
		}
		s.api.OpenAPI().AddOperation(&o)
		s.hot[i] = s.handle(&route{class: hot}, "POST "+path, handlers[i])
	}
}

// secret is what an answer leaves out of an index's settings.
var secret = regexp.MustCompile(`seed=[1-9][0-9]*`)

// public returns settings without their seeds.
func public(settings string) string { return secret.ReplaceAllString(settings, "seed=secret") }

func (s *Server) describeIndex(ctx context.Context, _ *nothing) (*indexResponse, error) {
	if s.o.Index == nil {
		return nil, problem(http.StatusNotFound, "%s", noIndex)
	}
	st, err := s.stats.get(ctx, s)
	if err != nil {
		return nil, err
	}
	h := s.o.Index.Header()
	h.Method, h.Settings = public(h.Method), public(h.Settings)
	return &indexResponse{Header: h, Stats: st, ReadOnly: s.o.ReadOnly}, nil
}

const noIndex = "there is no index here; alike serve --index names one"

// statsCache is the size of the index, which some stores take long to count.
type statsCache struct {
	mu       sync.Mutex
	known    indexStats
	counting chan struct{} // closed when counted; nil while nobody counts
	err      error
}

// fresh is how old a count may be.
const fresh = 5 * time.Second

// last returns the last count, and has the index counted anew where that is old.
func (c *statsCache) last() (indexStats, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known, !c.known.At.IsZero()
}

// get returns a count that is fresh. One goroutine counts for all who ask.
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

// decode reads a request into v, and answers one that is not as it should be.
func (s *Server) decode(w http.ResponseWriter, r *http.Request, v any) bool {
	if s.o.Index == nil {
		writeProblem(w, http.StatusNotFound, noIndex)
		return false
	}
	if t := r.Header["Content-Type"]; len(t) > 0 && !isJSON(t[0]) {
		writeProblem(w, http.StatusUnsupportedMediaType, fmt.Sprintf("a request of type %q, want application/json", t[0]))
		return false
	}
	b := buffers.Get().(*bytes.Buffer)
	defer giveBuffer(b)
	b.Reset()
	most := s.o.Limits.Body
	if _, err := io.Copy(b, &io.LimitedReader{R: r.Body, N: most + 1}); err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			writeProblem(w, http.StatusRequestTimeout, "the request comes too slowly")
		} else {
			writeProblem(w, http.StatusBadRequest, "the request broke off")
		}
		return false
	}
	if int64(b.Len()) > most {
		w.Header().Set("Connection", "close")
		writeProblem(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a request of more than %d bytes", most))
		return false
	}
	d := json.NewDecoder(b)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		var syntax *json.SyntaxError
		status := http.StatusUnprocessableEntity
		if errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			status = http.StatusBadRequest // as all routes say of what is no JSON
		}
		writeProblem(w, status, "no request: "+err.Error())
		return false
	}
	if rest, _ := io.ReadAll(io.MultiReader(d.Buffered(), b)); len(bytes.TrimSpace(rest)) > 0 {
		writeProblem(w, http.StatusBadRequest, "something stands behind the request")
		return false
	}
	return true
}

func isJSON(t string) bool {
	const want = "application/json"
	return len(t) >= len(want) && t[:len(want)] == want && (len(t) == len(want) || t[len(want)] == ';' || t[len(want)] == ' ')
}

// query answers with the documents that are alike.
func (s *Server) query(w http.ResponseWriter, r *http.Request) {
	var q queryRequest
	if !s.decode(w, r, &q) {
		return
	}
	switch {
	case q.Text != "" && q.Sketch != nil:
		writeProblem(w, http.StatusUnprocessableEntity, "both a text and a sketch, want one of them")
		return
	case len(q.Text) > s.o.Limits.Text:
		writeProblem(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a text of %d bytes, want at most %d", len(q.Text), s.o.Limits.Text))
		return
	case !(q.Threshold >= 0 && q.Threshold <= 1):
		writeProblem(w, http.StatusUnprocessableEntity, fmt.Sprintf("threshold %g, want 0 to 1", q.Threshold))
		return
	case q.Limit < 0 || q.Limit > 10_000:
		writeProblem(w, http.StatusUnprocessableEntity, fmt.Sprintf("limit %d, want 0 to 10000", q.Limit))
		return
	}
	if q.Limit == 0 {
		q.Limit = 100
	}
	found, err := s.o.Index.Query(r.Context(), index.Doc{Text: q.Text, Sketch: q.Sketch}, index.QueryOptions{Threshold: q.Threshold, Limit: q.Limit})
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.write(w, func(b []byte) []byte {
		b = append(b, `{"matches":[`...)
		for i := range found {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendMatch(b, &found[i])
		}
		return append(b, `]}`...)
	})
}

func (s *Server) add(w http.ResponseWriter, r *http.Request)      { s.addBy(w, r, false) }
func (s *Server) addIfNew(w http.ResponseWriter, r *http.Request) { s.addBy(w, r, true) }

// writable answers a request to change an index that may not be changed.
func (s *Server) writable(w http.ResponseWriter) bool {
	if s.o.Index != nil && s.o.ReadOnly {
		writeProblem(w, http.StatusForbidden, "the index is open for reading alone")
		return false
	}
	return true
}

func (s *Server) addBy(w http.ResponseWriter, r *http.Request, ifNew bool) {
	var q addRequest
	if !s.writable(w) || !s.decode(w, r, &q) {
		return
	}
	if len(q.Documents) == 0 {
		writeProblem(w, http.StatusUnprocessableEntity, "no documents")
		return
	}
	if len(q.Documents) > s.o.Limits.Batch {
		writeProblem(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("%d documents, want at most %d", len(q.Documents), s.o.Limits.Batch))
		return
	}
	now := time.Now().Unix()
	docs := make([]index.Doc, len(q.Documents))
	for i := range q.Documents {
		d := &q.Documents[i]
		switch {
		case len(d.Text) > s.o.Limits.Text:
			writeProblem(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("documents[%d]: a text of %d bytes, want at most %d", i, len(d.Text), s.o.Limits.Text))
			return
		case d.Text != "" && d.Sketch != nil:
			writeProblem(w, http.StatusUnprocessableEntity, fmt.Sprintf("documents[%d]: both a text and a sketch, want one of them", i))
			return
		case d.ID == "" || len(d.ID) > index.MaxID:
			writeProblem(w, http.StatusUnprocessableEntity, fmt.Sprintf("documents[%d]: an id of %d bytes, want 1 to %d", i, len(d.ID), index.MaxID))
			return
		case d.Time < 0:
			writeProblem(w, http.StatusUnprocessableEntity, fmt.Sprintf("documents[%d]: time %d, want none or seconds since 1970", i, d.Time))
			return
		}
		if d.Time == 0 {
			d.Time = now
		}
		docs[i] = index.Doc{ID: d.ID, Text: d.Text, Sketch: d.Sketch, Time: d.Time}
	}
	add := s.o.Index.Add
	if ifNew {
		add = s.o.Index.AddIfNew
	}
	results, err := add(r.Context(), docs)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.write(w, func(b []byte) []byte {
		b = append(b, `{"results":[`...)
		for i := range results {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(append(b, `{"state":"`...), results[i].State.String()...), '"')
			if m := results[i].Match; m != nil {
				b = appendMatch(append(b, `,"match":`...), m)
			}
			b = append(b, '}')
		}
		return append(b, `]}`...)
	})
}

func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	var q deleteRequest
	if !s.writable(w) || !s.decode(w, r, &q) {
		return
	}
	if len(q.IDs) == 0 {
		writeProblem(w, http.StatusUnprocessableEntity, "no ids")
		return
	}
	if len(q.IDs) > 10_000 {
		writeProblem(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("%d ids, want at most 10000", len(q.IDs)))
		return
	}
	n, err := s.o.Index.Delete(r.Context(), q.IDs...)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.write(w, func(b []byte) []byte {
		return append(strconv.AppendInt(append(b, `{"deleted":`...), int64(n), 10), '}')
	})
}

var jsonType = []string{"application/json"}

// write answers with what f appends.
func (s *Server) write(w http.ResponseWriter, f func([]byte) []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	defer giveBuffer(buf)
	buf.Reset()
	b := append(f(buf.AvailableBuffer()), '\n')
	h := w.Header()
	h["Content-Type"] = jsonType
	h["Content-Length"] = []string{strconv.Itoa(len(b))}
	w.Write(b)
}

// refuse answers with what has gone wrong with the index.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, similarity.ErrFormat):
		writeProblem(w, http.StatusUnprocessableEntity, "a sketch that is none of the index's method")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		writeProblem(w, http.StatusGatewayTimeout, "the index takes too long; what was to be added or deleted may have been in part, and can be sent again")
	case errors.Is(err, index.ErrReadOnly):
		writeProblem(w, http.StatusForbidden, "the index is open for reading alone")
	case errors.Is(err, index.ErrClosed):
		writeProblem(w, http.StatusServiceUnavailable, "the server is ending")
	default:
		s.o.Log.ErrorContext(r.Context(), "index", "error", err)
		writeProblem(w, http.StatusInternalServerError, "the index failed; the log says more")
	}
}

func appendMatch(b []byte, m *index.Match) []byte {
	b = appendString(append(b, `{"id":`...), m.ID)
	b = appendFloat(append(b, `,"score":`...), m.Score)
	if m.Distance >= 0 {
		b = strconv.AppendInt(append(b, `,"distance":`...), int64(m.Distance), 10)
	}
	b = strconv.AppendInt(append(b, `,"time":`...), m.Time, 10)
	return append(b, '}')
}

// appendFloat appends a finite number as encoding/json does but for the shape of exponents.
func appendFloat(b []byte, v float64) []byte {
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(b, v, format, -1, 64)
}

// appendString appends a JSON string.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			q, err := json.Marshal(s)
			if err != nil {
				return append(b, `""`...) // strings do not fail
			}
			return append(b, q...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
