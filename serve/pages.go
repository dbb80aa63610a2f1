package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"fmt"
	"hash/fnv"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// policy is what pages may do: run scripts and ask questions of this server, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// page headers go with everything that a browser shows.
func pageHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
}

// asset is a file that is served from memory, packed once.
type asset struct {
	mime, tag     string
	plain, packed []byte // packed is nil where that saves nothing
}

// pages adds what is there besides the API: the pages, its description and the metrics.
func (s *Server) pages() error {
	description, err := s.OpenAPI()
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	reference, err := s.reference()
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	open := func(pattern string, h http.HandlerFunc) { s.handle(&route{open: true}, pattern, h) }
	open("GET /openapi.json", newAsset("openapi.json", description, "application/json").serve)
	open("GET /docs", newAsset("docs.html", reference, "").serve)
	open("GET /docs.css", newAsset("docs.css", referenceStyle, "").serve)
	s.handle(&route{}, "GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if s.o.Index != nil {
			ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
			defer cancel()
			s.stats.get(ctx, s) // where that takes longer, the last count is shown
		}
		s.metrics.handler.ServeHTTP(w, r)
	})
	missing := func(w http.ResponseWriter, r *http.Request) {
		writeProblem(w, http.StatusNotFound, fmt.Sprintf("nothing is at %s; /docs says what there is", r.URL.Path))
	}
	files := map[string]*asset{}
	if s.o.Pages != nil {
		err := fs.WalkDir(s.o.Pages, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := fs.ReadFile(s.o.Pages, name)
			if err != nil {
				return err
			}
			files["/"+name] = newAsset(name, b, "")
			return nil
		})
		if err != nil {
			return fmt.Errorf("serve: pages: %w", err)
		}
		if index := files["/index.html"]; index != nil {
			files["/"] = index
		}
	}
	open("/", func(w http.ResponseWriter, r *http.Request) {
		f := files[r.URL.Path]
		known := s.known(r.URL.Path)
		switch {
		case f == nil && known != "":
			w.Header().Set("Allow", known)
			writeProblem(w, http.StatusMethodNotAllowed, fmt.Sprintf("%s is not asked by %s, want %s", r.URL.Path, r.Method, known))
		case f == nil:
			missing(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			writeProblem(w, http.StatusMethodNotAllowed, fmt.Sprintf("%s is not asked by %s, want GET", r.URL.Path, r.Method))
		default:
			f.serve(w, r)
		}
	})
	return nil
}

// known returns the methods by which operations of a path are asked, or "" where none has the path.
func (s *Server) known(at string) string {
	parts := strings.Split(at, "/")
	var methods []string
	for p, item := range s.api.OpenAPI().Paths {
		want := strings.Split(p, "/")
		same := len(want) == len(parts)
		for i := 0; same && i < len(want); i++ {
			same = want[i] == parts[i] || strings.HasPrefix(want[i], "{")
		}
		if !same {
			continue
		}
		if item.Get != nil {
			methods = append(methods, http.MethodGet, http.MethodHead)
		}
		if item.Post != nil {
			methods = append(methods, http.MethodPost)
		}
		if item.Delete != nil {
			methods = append(methods, http.MethodDelete)
		}
	}
	slices.Sort(methods)
	return strings.Join(slices.Compact(methods), ", ")
}

func newAsset(name string, b []byte, kind string) *asset {
	h := fnv.New64a()
	h.Write(b)
	a := &asset{mime: kind, tag: `"` + strconv.FormatUint(h.Sum64(), 16) + `"`, plain: b}
	if a.mime == "" {
		a.mime = mime.TypeByExtension(path.Ext(name))
	}
	switch path.Ext(name) { // the tables of the system differ
	case ".js":
		a.mime = "text/javascript; charset=utf-8"
	case ".css":
		a.mime = "text/css; charset=utf-8"
	case ".html":
		a.mime = "text/html; charset=utf-8"
	case ".svg":
		a.mime = "image/svg+xml"
	}
	if a.mime == "" {
		a.mime = "application/octet-stream"
	}
	var z bytes.Buffer
	w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression) // the level is one
	w.Write(b)
	w.Close()
	if z.Len() < len(b)*9/10 {
		a.packed = z.Bytes()
	}
	return a
}

func (a *asset) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	pageHeaders(h)
	h.Set("Content-Type", a.mime)
	h.Set("ETag", a.tag)
	h.Set("Cache-Control", "no-cache") // asks whether the tag still holds
	h.Set("Vary", "Accept-Encoding")
	if r.Header.Get("If-None-Match") == a.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	b := a.plain
	if a.packed != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		b = a.packed
	}
	h.Set("Content-Length", strconv.Itoa(len(b)))
	if r.Method != http.MethodHead {
		w.Write(b)
	}
}

//go:embed docs.html
var referencePage string

//go:embed docs.css
var referenceStyle []byte

// reference is the page that describes the API, made of the same description that programs read.
func (s *Server) reference() ([]byte, error) {
	o := s.api.OpenAPI()
	type operationView struct {
		Method, Path string
		*huma.Operation
		Body    []field
		Answers []answerView
	}
	type group struct {
		Tag  string
		List []operationView
	}
	var groups []group
	for _, tag := range []string{"texts", "index", "data", "results", "plan", "jobs", "server"} {
		g := group{Tag: tag}
		for p, item := range o.Paths {
			for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "DELETE": item.Delete} {
				if op == nil || !slices.Contains(op.Tags, tag) {
					continue
				}
				v := operationView{Method: method, Path: p, Operation: op}
				if op.RequestBody != nil {
					v.Body = fieldsOf(o.Components.Schemas, schemaOf(op.RequestBody.Content), 0)
				}
				for status, a := range op.Responses {
					av := answerView{Status: status, Description: a.Description}
					if strings.HasPrefix(status, "2") {
						av.Fields = fieldsOf(o.Components.Schemas, schemaOf(a.Content), 0)
					}
					v.Answers = append(v.Answers, av)
				}
				slices.SortFunc(v.Answers, func(a, b answerView) int { return strings.Compare(a.Status, b.Status) })
				g.List = append(g.List, v)
			}
		}
		slices.SortFunc(g.List, func(a, b operationView) int {
			return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
		})
		groups = append(groups, g)
	}
	t, err := template.New("docs").Funcs(template.FuncMap{"sentence": sentence}).Parse(referencePage)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{"Info": o.Info, "Groups": groups, "Limits": s.o.Limits})
	return b.Bytes(), err
}

// sentence ends a summary as one.
func sentence(summary string) string {
	if strings.HasSuffix(summary, "?") {
		return summary
	}
	return summary + "."
}

type answerView struct {
	Status, Description string
	Fields              []field
}

// field is a line of the description of a request or answer.
type field struct {
	Name, Type, Doc string
	Required        bool
	Depth           int
}

func schemaOf(content map[string]*huma.MediaType) *huma.Schema {
	for _, m := range content {
		return m.Schema // there is one
	}
	return nil
}

// maxDepth is how deep the page follows objects within objects.
const maxDepth = 5

// fieldsOf lists the fields of a schema and of those within it.
func fieldsOf(r huma.Registry, sc *huma.Schema, depth int) []field {
	if sc == nil || depth >= maxDepth {
		return nil
	}
	if sc.Ref != "" {
		sc = r.SchemaFromRef(sc.Ref)
	}
	for sc.Type == huma.TypeArray && sc.Items != nil {
		if sc = sc.Items; sc.Ref != "" {
			sc = r.SchemaFromRef(sc.Ref)
		}
	}
	var out []field
	names := make([]string, 0, len(sc.Properties))
	for name := range sc.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		p := sc.Properties[name]
		out = append(out, field{name, typeOf(r, p), p.Description, slices.Contains(sc.Required, name), depth})
		out = append(out, fieldsOf(r, p, depth+1)...)
	}
	return out
}

// typeOf says in words what a value is.
func typeOf(r huma.Registry, sc *huma.Schema) string {
	if sc.Ref != "" {
		sc = r.SchemaFromRef(sc.Ref)
	}
	kind := sc.Type
	switch {
	case sc.Type == huma.TypeArray && sc.Items != nil:
		return "list of " + typeOf(r, sc.Items)
	case len(sc.Enum) > 0:
		var values []string
		for _, v := range sc.Enum {
			values = append(values, fmt.Sprint(v))
		}
		kind = strings.Join(values, " | ")
	case sc.ContentEncoding == "base64":
		kind = "base64"
	}
	if sc.Minimum != nil {
		kind += fmt.Sprintf(", from %v", *sc.Minimum)
	}
	if sc.Maximum != nil {
		kind += fmt.Sprintf(", to %v", *sc.Maximum)
	}
	if sc.Nullable {
		kind += ", or null"
	}
	return kind
}
