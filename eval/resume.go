package eval

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// pending returns the methods of a run that it has no records of, in their
// order, and the records of the others. A record belongs to a run if it is of the
// same data, the same method with the same fit, and the same configuration: Record.Key
// is a checksum of these, but for the number of workers and how often speed was
// measured.
func pending(set *datasets.Set, methods []similarity.Method, cfg Config, have []Record) (todo []similarity.Method, done []Record, err error) {
	cfg, err = cfg.withDefaults()
	if err != nil {
		return nil, nil, err
	}
	at := map[string]int{}
	for i, r := range have {
		at[r.Key] = i
	}
	checksum := set.Checksum()
	for _, m := range methods {
		if i, ok := at[key(checksum, m, cfg, cfg.joins(set))]; ok {
			done = append(done, have[i])
		} else {
			todo = append(todo, m)
		}
	}
	return todo, done, nil
}

func key(checksum string, m similarity.Method, cfg Config, joined bool) string {
	h := sha256.New()
	report := ""
	if cfg.Report != datasets.None {
		report = cfg.Report.String()
	}
	fmt.Fprintf(h, "%s\n%s\n%s\n%s %s %d %d %d %t %t %t", checksum, m, m.Settings(),
		report, cfg.Pairs, cfg.MaxDocs, cfg.Seed, cfg.Resamples, cfg.Repeat > 0, cfg.Details, cfg.Reference != nil)
	if joined { // what does not matter to the others leaves their keys as they were
		fmt.Fprintf(h, "\njoin %v %v %t", cfg.Floor, cfg.Recall, cfg.Exact)
	}
	if cfg.StrictSplits {
		fmt.Fprint(h, "\nstrict splits")
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
