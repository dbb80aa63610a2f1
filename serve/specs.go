package serve

import (
	"net/http"
	"strings"
	"sync"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/similarity"
)

// specs caches the methods that requests name, so that each is parsed once.
type specs struct {
	mu    sync.Mutex
	known map[string]similarity.Method
}

// maxSpecs is the maximum number of cached methods. A full cache is emptied.
const maxSpecs = 1000

// maxSpec is the maximum length of a spec, in bytes.
const maxSpec = 4096

// maxBytes is the maximum size of a sketch of a short text, in bytes. It bounds what a
// spec makes each text cost.
const maxBytes = 1 << 20

// parse returns the methods that specs name, or the default methods if there are none.
func (k *specs) parse(list []string, features string) ([]similarity.Method, error) {
	if len(list) == 0 {
		list = catalog.Defaults()
	}
	if len(features) > maxSpec {
		return nil, problem(http.StatusUnprocessableEntity, "features of %d bytes, want at most %d", len(features), maxSpec)
	}
	methods := make([]similarity.Method, len(list))
	for i, spec := range list {
		m, err := k.one(spec, features)
		if err != nil {
			return nil, err
		}
		methods[i] = m
	}
	return methods, nil
}

func (k *specs) one(spec, features string) (similarity.Method, error) {
	if len(spec) > maxSpec {
		return nil, problem(http.StatusUnprocessableEntity, "a spec of %d bytes, want at most %d", len(spec), maxSpec)
	}
	name, _, _ := strings.Cut(spec, ":")
	if strings.TrimSpace(name) == catalog.Exec {
		return nil, problem(http.StatusUnprocessableEntity, "%s runs a command, and no request may", catalog.Exec)
	}
	key := spec + "\x00" + features
	k.mu.Lock()
	m, ok := k.known[key]
	k.mu.Unlock()
	if ok {
		return m, nil
	}
	parsed, err := catalog.ParseAll([]string{spec}, features)
	if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	m = parsed[0]
	c := m.NewCollection()
	c.Add("a")
	if n := c.Bytes(0); n > maxBytes {
		return nil, problem(http.StatusUnprocessableEntity, "%s takes %d bytes a text, want at most %d here", spec, n, maxBytes)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) >= maxSpecs || k.known == nil {
		k.known = map[string]similarity.Method{}
	}
	k.known[key] = m
	return m, nil
}

// nameOf returns the name of a method in the catalog.
func nameOf(m similarity.Method) string {
	name, _, _ := strings.Cut(m.String(), ":")
	return name
}

// checkText returns an error if a text is too long.
func (s *Server) checkText(what, text string) error {
	if len(text) > s.o.Limits.Text {
		return problem(http.StatusRequestEntityTooLarge, "%s: a text of %d bytes, want at most %d", what, len(text), s.o.Limits.Text)
	}
	return nil
}

// checkSlow returns an error if a text is too long for one of the methods on demand. The
// time of these grows with the product of two lengths.
func checkSlow(methods []similarity.Method, texts ...string) error {
	for _, m := range methods {
		if e, err := catalog.Lookup(nameOf(m)); err != nil || !e.OnDemand {
			continue
		}
		for _, t := range texts {
			if len(t) > slowText {
				return problem(http.StatusRequestEntityTooLarge, "a text of %d bytes, want at most %d for %s", len(t), slowText, nameOf(m))
			}
		}
	}
	return nil
}
