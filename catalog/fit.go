package catalog

import (
	"bytes"
	"fmt"
	"os"

	"github.com/alike-go/alike/similarity"
)

// WithFit returns the methods, and those that learn from a corpus under the fit in
// a file. At least one method must take the fit. If the methods were named, each
// that learns must take it.
func WithFit(methods []similarity.Method, name string, named bool) ([]similarity.Method, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	out := make([]similarity.Method, len(methods))
	taken := false
	refused := fmt.Errorf("fit: %s: none of the methods learns from a corpus", name)
	for i, m := range methods {
		if out[i] = m; m.FitState() == similarity.FitUseless {
			continue
		}
		f, err := m.ReadFit(bytes.NewReader(data))
		if err != nil {
			if refused = fmt.Errorf("fit: %s: %w", name, err); named {
				return nil, refused
			}
			continue
		}
		out[i], taken = f, true
	}
	if !taken {
		return nil, refused
	}
	return out, nil
}
