package alike_test

import (
	"os/exec"
	"strings"
	"testing"
)

// list runs go list and returns the lines it prints.
func list(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return strings.Fields(string(out))
}

const module = "github.com/alike-go/alike"

// A user who imports one method gets that method: no cgo, no store, no server, no
// command line, and none of the other methods.
func TestAMethodImportsAlone(t *testing.T) {
	methods := []string{"shingle", "cosine", "bloomsim", "rabinkarp", "simhash", "align"}
	// A method may also import its own sub-packages, and these.
	own := map[string]bool{}
	for _, pkg := range []string{"similarity", "similarity/author", "feature", "internal/intersect", "internal/parallel", "internal/scan", "internal/setjoin", "internal/settings", "internal/splitmix"} {
		own[module+"/"+pkg] = true
	}
	// What a method may not drag in, by import path or prefix.
	barred := []string{"runtime/cgo", "net/http", "database/sql", "os/exec", "github.com/yanyiwu/", "github.com/spf13/", "github.com/olekukonko/", "github.com/apache/beam", "github.com/redis/", "github.com/tsuna/", "github.com/danielgtaylor/", "github.com/prometheus/"}
	for _, m := range methods {
		t.Run(m, func(t *testing.T) {
			pkg := module + "/" + m
			for _, dep := range list(t, "-deps", pkg) {
				if strings.HasPrefix(dep, module) && dep != pkg && !own[dep] && !strings.HasPrefix(dep, pkg+"/") && !strings.HasPrefix(dep, module+"/feature/internal") {
					t.Errorf("%s imports %s", m, dep)
				}
				for _, b := range barred {
					if dep == strings.TrimSuffix(b, "/") || strings.HasPrefix(dep, b) {
						t.Errorf("%s drags in %s", m, dep)
					}
				}
			}
			for _, line := range list(t, "-deps", "-f", "{{if .CgoFiles}}{{if not .Standard}}{{.ImportPath}}{{end}}{{end}}", pkg) {
				t.Errorf("%s drags in the cgo package %s", m, line)
			}
		})
	}
}

// The arrows between our packages point down only.
func TestArrowsPointDown(t *testing.T) {
	allowed := map[string][]string{
		"feature":         {"internal/settings", "internal/splitmix"},
		"similarity":      {"feature", "internal/parallel"},
		"external":        {"feature", "internal/settings", "similarity"},
		"datasets":        {"internal/durable", "internal/splitmix"},
		"eval":            {"datasets", "feature", "internal/jsonl", "internal/parallel", "similarity"},
		"eval/plots":      {"eval", "internal/charts", "internal/durable"},
		"internal/charts": {},
		"eval/score":      {"datasets", "eval", "similarity"},
		"eval/stress":     {"datasets", "datasets/plant", "eval", "eval/internal/sketch", "eval/plots", "feature", "internal/jsonl", "internal/parallel", "similarity"},
		"eval/choose":     {"catalog", "datasets", "eval", "eval/internal/resample", "eval/internal/sketch", "feature", "internal/jsonl", "internal/parallel", "similarity"},
		"eval/surrogate":  {"catalog", "datasets", "datasets/plant", "eval/choose", "eval/internal/resample", "eval/internal/sketch", "similarity"},
		"eval/report":     {"datasets", "datasets/plant", "dedup", "dedup/local", "eval", "eval/stress", "feature", "internal/charts"},
		"dedup":           {},
		"dedup/clean":     {"internal/splitmix"},
		"dedup/steps":     {"dedup", "internal/extsort", "similarity"},
		"dedup/local":     {"datasets", "dedup", "dedup/clean", "dedup/steps", "feature", "index", "internal/durable", "internal/extsort", "internal/filelock", "internal/parallel", "similarity"},
		"dedup/sketches":  {"datasets", "dedup", "dedup/clean", "dedup/steps", "internal/parallel", "similarity"},
		"dedup/pairs":     {"dedup", "dedup/local", "dedup/sketches", "dedup/steps"},
		"sql":             {"dedup/sketches", "feature", "rabinkarp", "shingle", "simhash", "similarity"},
		"index":           {"internal/extsort", "internal/parallel", "similarity"},
		"index/memory":    {"index"},
		"index/disk":      {"index", "internal/durable", "internal/extsort", "internal/filelock", "internal/scan", "similarity"},
		"index/redis":     {"index", "index/internal/problems", "index/internal/remote", "internal/parallel", "similarity"},
		"index/hbase":     {"index", "index/internal/problems", "index/internal/remote", "internal/parallel", "similarity"},
		"index/plan":      {"simhash", "simhash/hamming", "similarity"},
		"serve/web":       {},
		"serve": {"bloomsim", "catalog", "datasets", "dedup", "dedup/local", "eval", "eval/choose", "eval/surrogate", "feature", "index", "index/plan",
			"internal/parallel", "simhash", "simhash/hamming", "similarity"},

		"internal/setjoin":  {"internal/intersect", "internal/parallel", "internal/splitmix", "similarity"},
		"internal/settings": {},
		"similarity/author": {"feature", "similarity"},
	}
	for pkg, may := range allowed {
		for _, dep := range list(t, "-f", `{{join .Imports "\n"}}`, module+"/"+pkg) {
			own, ok := strings.CutPrefix(dep, module+"/")
			if !ok || strings.HasPrefix(own, pkg+"/") {
				continue
			}
			found := false
			for _, m := range may {
				found = found || own == m
			}
			if !found {
				t.Errorf("%s imports %s", pkg, own)
			}
		}
	}
	for _, importer := range list(t, "-f", `{{$p := .ImportPath}}{{range .Imports}}{{if eq . "`+module+`/feature/gojieba"}}{{$p}}{{end}}{{end}}`, "./...") {
		if importer != module+"/catalog" {
			t.Errorf("%s imports feature/gojieba, only catalog may", importer)
		}
	}
}
