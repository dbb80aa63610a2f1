package cli

import (
	"fmt"
	"os"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval/surrogate"
)

// ReadJudged reads judged pairs, as alike review and alike choose keep them. It returns
// nil for no name, and for a file in which nothing was judged yet.
func ReadJudged(name string) (*dedup.Judged, error) {
	if name == "" {
		return nil, nil
	}
	if _, err := os.Stat(name); err != nil {
		return nil, fmt.Errorf("--judged: %w", err)
	}
	labels, err := surrogate.ReadLabels(name)
	if err != nil || len(labels) == 0 {
		return nil, err
	}
	var all []dedup.Judgement
	for _, l := range labels {
		all = append(all, dedup.Judgement{A: l.A, B: l.B, Same: l.Alike})
	}
	j, err := dedup.NewJudged(all)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return j, nil
}
