package eval

import (
	"fmt"
	"strings"

	"github.com/alike-go/alike/datasets"
)

type part struct {
	name  string
	pairs []datasets.Pair
}

// split returns the pairs to tune on and the pairs to report on. The tuning part
// is the first of dev, train and test that is not reported on; a set without
// splits is halved by cluster under the seed.
func split(set *datasets.Set, report string, seed uint64) (tune, rep part, err error) {
	if len(set.Pairs) == 0 {
		return tune, rep, fmt.Errorf("eval: %s has no labelled pairs", set.Name)
	}
	choose, rsplit, ok := set.Roles()
	if !ok {
		set = set.SplitByComponent(seed, 0.5)
		choose, rsplit = datasets.Dev, datasets.Test
	}
	if report != "" && report != rsplit.String() {
		var have []string
		found := false
		for _, s := range []datasets.Split{datasets.Test, datasets.Train, datasets.Dev} {
			if len(set.Select(s)) == 0 {
				continue
			}
			have = append(have, s.String())
			if s.String() == report {
				rsplit, found = s, true
			} else {
				choose = s // dev, where it is not reported on, comes last
			}
		}
		if !found {
			return tune, rep, fmt.Errorf("eval: %s has no pairs in split %q, want %s", set.Name, report, strings.Join(have, " or "))
		}
	}
	tune = part{choose.String(), set.Select(choose)}
	rep = part{rsplit.String(), set.Select(rsplit)}
	if len(tune.pairs) == 0 || len(rep.pairs) == 0 {
		return tune, rep, fmt.Errorf("eval: %s has too few clusters to be divided into dev and test", set.Name)
	}
	return tune, rep, nil
}
