package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"github.com/alike-go/alike/eval"
)

// apiConfig configures huma: JSON only, no links to schemas, and no reference page of
// huma's, because that page loads from other hosts.
func apiConfig(version string) huma.Config {
	format := huma.Format{Marshal: marshal, Unmarshal: json.Unmarshal}
	registry := huma.NewMapRegistry("#/components/schemas/", schemaName)
	registry.RegisterTypeAlias(reflect.TypeFor[eval.Figure](), reflect.TypeFor[undefinable]())
	registry.RegisterTypeAlias(reflect.TypeFor[eval.Floats](), reflect.TypeFor[string]())
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "alike", Version: version,
				Description: "Which documents are alike, and what shows it. Spans are half-open ranges of bytes, and in fields that end in _utf16 of UTF-16 code units.",
			},
			Components: &huma.Components{
				Schemas:         registry,
				SecuritySchemes: map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer", Description: "wanted where the server was started with --token-file"}},
			},
		},
		Formats:       map[string]huma.Format{"application/json": format, "json": format},
		DefaultFormat: "application/json",
	}
}

// marshal writes JSON, or nothing if that fails.
func marshal(w io.Writer, v any) error {
	var b bytes.Buffer
	if err := encodeJSON(&b, v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// encodeJSON writes JSON without HTML escaping: the result is never embedded in HTML.
func encodeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// undefinable is the schema of a figure: a number, or null if it is undefined.
type undefinable float64

// Schema implements huma.SchemaProvider.
func (undefinable) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Nullable: true, Format: "double"}
}

// schemaName names the schema of a type: by the type, after its package if that is
// another one, so that types of the same name in two packages have two schemas.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := huma.DefaultSchemaNamer(t, hint)
	pkg := path.Base(t.PkgPath())
	if pkg == "." || pkg == "serve" || pkg == "v2" || t.Name() == "" {
		return name
	}
	r := []rune(pkg)
	return string(unicode.ToUpper(r[0])) + string(r[1:]) + name
}

// operation describes a route.
type operation struct {
	method, path string
	id           string
	summary      string
	description  string
	tag          string
	class        class
	atOnce       bool  // the handler needs no slot, although its class works or takes seconds
	status       int   // if not 200
	body         int64 // maximum length of a request, if not Limits.Body
	errors       []int
	open, stream bool
	writes       bool // changes the index
}

// huma returns the operation for OpenAPI.
func (op operation) huma() huma.Operation {
	errors := append([]int{http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, op.errors...)
	h := huma.Operation{
		Method: op.method, Path: op.path, OperationID: op.id, Summary: op.summary, Description: op.description,
		Tags: []string{op.tag}, DefaultStatus: op.status, MaxBodyBytes: op.body,
	}
	if !op.open {
		errors = append(errors, http.StatusUnauthorized)
		h.Security = []map[string][]string{{"token": {}}, {}}
	}
	if op.method == http.MethodPost {
		errors = append(errors, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	}
	if strings.Contains(op.path, "{") {
		errors = append(errors, http.StatusNotFound)
	}
	slices.Sort(errors)
	h.Errors = slices.Compact(errors)
	return h
}

// output is an answer with a body.
type output[T any] struct{ Body T }

// register adds an operation whose handler takes a parsed request. Handlers that work on
// texts or take seconds run when there is a slot; see Server.do.
func register[I, O any](s *Server, op operation, f func(context.Context, *I) (*O, error)) {
	if op.body == 0 {
		op.body = s.o.Limits.Body
	}
	s.pending = &route{class: op.class, open: op.open, body: op.body, stream: op.stream}
	h := op.huma()
	h.BodyReadTimeout = s.o.Limits.Time // the guard's; otherwise huma replaces its deadline
	slots := map[class]chan struct{}{work: s.slots, heavy: s.heavy}[op.class]
	huma.Register(s.api, h, func(ctx context.Context, in *I) (*output[*O], error) {
		var out *O
		call := func(ctx context.Context) (err error) {
			out, err = f(ctx, in)
			return err
		}
		var err error
		if slots == nil || op.atOnce {
			err = s.failure(ctx, call(ctx))
		} else {
			err = s.do(ctx, slots, call)
		}
		if err != nil {
			return nil, err // the handler may still run and set out
		}
		return &output[*O]{out}, nil
	})
}

// nothing is the request of a route without parameters.
type nothing struct{}

// Named is the request of a route with a name in its path.
type Named struct {
	Name string `path:"name" doc:"as it is listed"`
}

// Page says which part of a list to return.
type Page struct {
	Offset int `query:"offset" minimum:"0" doc:"how many to pass over"`
	Limit  int `query:"limit" minimum:"0" maximum:"1000" default:"50" doc:"how many at most"`
}

// cut returns the part of n items.
func (p Page) cut(n int) (from, to int) {
	from = min(p.Offset, n)
	return from, from + min(p.Limit, n-from)
}

// listed returns the items of a part of a list, as far as their texts fit into an answer.
// item returns one item and the length of its texts.
func listed[T any](p Page, found []int, item func(i int) (T, int)) []T {
	from, to := p.cut(len(found))
	list, size := []T{}, 0
	for _, i := range found[from:to] {
		x, n := item(i)
		if size += n; size > maxTexts {
			break
		}
		list = append(list, x)
	}
	return list
}

// sortBy sorts numbers ascending by a score, or descending.
func sortBy(found []int, descending bool, score func(i int) float64) {
	slices.SortStableFunc(found, func(a, b int) int {
		if descending {
			a, b = b, a
		}
		return cmp.Compare(score(a), score(b))
	})
}

// body is a request with a body.
type body[T any] struct{ Body T }

// register adds all operations.
func (s *Server) register() {
	register(s, operation{method: "GET", path: "/health", id: "health", tag: "server", open: true,
		summary: "Is the server there?"}, s.health)
	register(s, operation{method: "GET", path: "/ready", id: "ready", tag: "server", open: true,
		summary: "Does the server take requests?", description: "The status is 503 while it starts or ends."}, s.readiness)
	register(s, operation{method: "GET", path: "/v1/about", id: "about", tag: "server",
		summary: "What this server offers, and its limits"}, s.about)
	s.registerTexts()
	s.registerPassages()
	s.registerIndex()
	s.registerData()
	s.registerDedup()
	s.registerLabels()
	s.registerRecords()
	s.registerPlan()
	s.registerJobs()
	nullable(s.api.OpenAPI().Components.Schemas)
}

// nullable marks references to objects in the schemas of package eval as nullable. huma
// cannot mark a type that it refers to.
func nullable(r huma.Registry) {
	for name, sc := range r.Map() {
		if !strings.HasPrefix(name, "Eval") && name != "RecordItem" {
			continue
		}
		for key, p := range sc.Properties {
			if p.Ref != "" {
				sc.Properties[key] = &huma.Schema{AnyOf: []*huma.Schema{{Ref: p.Ref}, {Type: "null"}}, Nullable: true, Description: p.Description}
			}
		}
	}
}

func (s *Server) health(context.Context, *nothing) (*health, error) {
	return &health{Status: s.status(), Version: s.o.Version}, nil
}

func (s *Server) readiness(context.Context, *nothing) (*health, error) {
	if st := s.status(); st != "ok" {
		return nil, problem(http.StatusServiceUnavailable, "the server is %s", st)
	}
	return &health{Status: "ok", Version: s.o.Version}, nil
}

func (s *Server) status() string {
	return map[int32]string{starting: "starting", ready: "ok", stopping: "stopping"}[s.state.Load()]
}

func (s *Server) about(context.Context, *nothing) (*about, error) {
	l := s.o.Limits
	return &about{
		Version: s.o.Version,
		Index:   s.o.Index != nil, Writes: s.o.Index != nil && !s.o.ReadOnly,
		Data: len(s.data.names), Records: s.records.count(), Labels: s.o.Labels != "",
		Limits: limitsR{Text: l.Text, Body: int(l.Body), Batch: l.Batch},
	}, nil
}
