package catalog

import (
	"strings"
	"testing"
)

func TestDiffer(t *testing.T) {
	for spec, span := range map[string]float64{
		"words": 0, "shingle:width=3": 4, "shingle:bag=true,tokens=single,width=5": 5, "bloom:tokens=single,width=4": 4,
		"minhash:" + DifferFeatures: 3, "minhash:scheme=bottom," + DifferFeatures: 3, "shingle:measure=overlap," + DifferFeatures: 3,
	} {
		m, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		model, err := Differ(m)
		if err != nil || model.Span != span || model.Overlap != strings.Contains(spec, "overlap") || (model.Noise != nil) != strings.Contains(spec, "minhash") {
			t.Errorf("%s: %+v, %v, want span %v", spec, model, err, span)
		}
	}
	for _, spec := range []string{"cosine", "simhash", "winnow", "manber", "edit", "rule80", "shingle", "shingle:width=2", "minhash:width=8", "shingle:width=3-4",
		"shingle:tokens=rune,width=3", "shingle:stop=en,width=3", "shingle:top=9,width=3", "bloom:score=raw,width=3"} {
		m, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Differ(m); err == nil || !strings.Contains(err.Error(), "want ") || !strings.Contains(err.Error(), m.String()) {
			t.Errorf("%s: error %v, want one that names what has a model", spec, err)
		}
	}
}
