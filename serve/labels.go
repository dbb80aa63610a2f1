package serve

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/eval/surrogate"
)

// labels are judgements, a file for each data set.
type labels struct {
	dir string
	mu  sync.Mutex // for reading and writing files
}

// judgements are the judgements of pairs of documents, by their ids.
type judgements map[[2]string]bool

// say returns "yes" or "no", or "" for a pair without a judgement.
func (j judgements) say(a, b string) string {
	switch alike, ok := j[surrogate.Key(a, b)]; {
	case !ok:
		return ""
	case alike:
		return "yes"
	}
	return "no"
}

// file returns the path of the judgements about a data set. The name must be in the
// catalogue. Unsafe characters are percent-encoded, so that no two names share a file.
func (l *labels) file(name string) string {
	b := make([]byte, 0, len(name)+len(".tsv"))
	for i, r := range name {
		_, size := utf8.DecodeRuneInString(name[i:])
		plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' && i > 0
		if plain || unicode.IsLetter(r) {
			b = append(b, name[i:i+size]...)
			continue
		}
		for _, c := range []byte(name[i : i+size]) {
			b = fmt.Appendf(b, "%%%02X", c)
		}
	}
	return filepath.Join(l.dir, string(b)+".tsv")
}

// read returns the judgements about a data set in the order of the file, or none if no
// judgements are kept.
func (l *labels) read(name string) ([]surrogate.Label, error) {
	if l.dir == "" {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return surrogate.ReadLabels(l.file(name))
}

// of returns the judgements about a data set.
func (l *labels) of(name string) (judgements, error) {
	list, err := l.read(name)
	if err != nil {
		return nil, err
	}
	return surrogate.Answers(list), nil
}

func (s *Server) registerLabels() {
	register(s, operation{method: "GET", path: "/v1/labels/{name}", id: "labels", tag: "data",
		summary: "What was judged about the documents of a data set or a dedup's result"}, s.listLabels)
	register(s, operation{method: "POST", path: "/v1/labels/{name}", id: "label", tag: "data", class: work, atOnce: true,
		summary: "Judge two documents", description: "The answer is kept in a file that alike choose --labels reads; a later one about the same two documents replaces it."}, s.label)
}

// labelled returns an error unless judgements about the data of a name can be kept.
func (s *Server) labelled(name string) error {
	if s.data.entries[name] == nil {
		return problem(http.StatusNotFound, "no data %q; /v1/data lists what there is", name)
	}
	if s.labels.dir == "" {
		return problem(http.StatusNotFound, "judgements are not kept here; alike serve --labels names a folder for them")
	}
	return nil
}

func (s *Server) listLabels(_ context.Context, in *Named) (*LabelsResponse, error) {
	if err := s.labelled(in.Name); err != nil {
		return nil, err
	}
	list, err := s.labels.read(in.Name)
	if err != nil {
		return nil, err
	}
	out := &LabelsResponse{Labels: []Label{}, File: filepath.Base(s.labels.file(in.Name))}
	for _, k := range list {
		out.Labels = append(out.Labels, Label{k.A, k.B, k.Alike})
	}
	return out, nil
}

type labelRequest struct {
	Named
	Body Label
}

func (s *Server) label(_ context.Context, in *labelRequest) (*Label, error) {
	if err := s.labelled(in.Name); err != nil {
		return nil, err
	}
	l := in.Body
	if l.A == l.B {
		return nil, problem(http.StatusUnprocessableEntity, "%q and itself, want two documents", l.A)
	}
	if strings.ContainsAny(l.A+l.B, "\t\r\n") {
		return nil, problem(http.StatusUnprocessableEntity, "an id with a tab or line break, which a file of labels cannot hold")
	}
	s.labels.mu.Lock()
	defer s.labels.mu.Unlock()
	if err := os.MkdirAll(s.labels.dir, 0o777); err != nil {
		return nil, err
	}
	if err := surrogate.AppendLabel(s.labels.file(in.Name), surrogate.Label{A: l.A, B: l.B, Alike: l.Alike}); err != nil {
		return nil, err
	}
	return &l, nil
}
