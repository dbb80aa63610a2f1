package alike_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// lines runs go list and returns the lines it prints.
func lines(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
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
			for _, dep := range lines(t, "-deps", pkg) {
				if strings.HasPrefix(dep, module) && dep != pkg && !own[dep] && !strings.HasPrefix(dep, pkg+"/") && !strings.HasPrefix(dep, module+"/feature/internal") {
					t.Errorf("%s imports %s", m, dep)
				}
				for _, b := range barred {
					if dep == strings.TrimSuffix(b, "/") || strings.HasPrefix(dep, b) {
						t.Errorf("%s drags in %s", m, dep)
					}
				}
			}
		})
	}
}

// Nothing here needs a C compiler, except the tests of feature/segment.
func TestPureGo(t *testing.T) {
	t.Setenv("CGO_ENABLED", "1") // without it go list ignores files of cgo
	for _, pkg := range lines(t, "-deps", "-f", "{{if and .CgoFiles (not .Standard)}}{{.ImportPath}}{{end}}", "./...") {
		if pkg != "" {
			t.Errorf("the cgo package %s is built in", pkg)
		}
	}
}

// All methods together drag in no cgo, no store and no server either.
func TestCatalogIsLight(t *testing.T) {
	for _, dep := range lines(t, "-deps", module+"/catalog") {
		for _, b := range []string{"runtime/cgo", "net/http", "database/sql", "github.com/yanyiwu/", "github.com/spf13/", "github.com/apache/beam", "github.com/redis/", "github.com/tsuna/"} {
			if strings.HasPrefix(dep, strings.TrimSuffix(b, "/")) {
				t.Errorf("catalog drags in %s", dep)
			}
		}
	}
}

// house lists every package and the packages of ours that it imports, by floor. A
// package imports only what stands above it. CONTRIBUTING.md draws the floors.
// A new arrow is a decision: add it here, and say in the commit why.
var house = []struct{ pkg, imports string }{
	// Tools that know nothing of documents.
	{"internal/splitmix", ""},
	{"internal/parallel", ""},
	{"internal/settings", ""},
	{"internal/proportion", ""},
	{"internal/filelock", ""},
	{"internal/durable", "internal/filelock"},
	{"internal/extsort", ""},
	{"internal/jsonl", "internal/durable"},
	{"internal/terminal", ""},
	{"internal/charts", ""},
	{"internal/intersect", ""},
	{"internal/scan", ""},
	{"internal/mapped", "internal/scan"},
	// Text to features, and what a method is.
	{"feature/internal/token", ""},
	{"feature", "feature/internal/token internal/settings internal/splitmix"},
	{"feature/jiebadict", "feature"},
	{"feature/segment", "feature feature/jiebadict"},
	{"internal/common", "feature"},
	{"similarity", "feature internal/parallel"},
	{"similarity/author", "feature similarity"},
	{"similarity/similaritytest", "similarity"},
	{"internal/setjoin", "internal/intersect internal/parallel internal/splitmix similarity"},
	// The methods; none imports another.
	{"align", "feature internal/intersect internal/setjoin internal/settings internal/splitmix similarity"},
	{"bloomsim/internal/popcount", ""},
	{"bloomsim", "bloomsim/internal/popcount feature internal/parallel internal/settings similarity similarity/author"},
	{"cosine", "feature internal/parallel internal/settings similarity similarity/author"},
	{"external", "feature internal/intersect internal/settings similarity"},
	{"rabinkarp/internal/lanes", ""},
	{"rabinkarp", "feature internal/intersect internal/setjoin internal/settings internal/splitmix rabinkarp/internal/lanes similarity"},
	{"shingle/internal/lanes", ""},
	{"shingle", "feature internal/intersect internal/setjoin internal/settings internal/splitmix shingle/internal/lanes similarity similarity/author"},
	{"simhash/hamming/internal/scatter", ""},
	{"simhash/hamming", "internal/parallel internal/scan simhash/hamming/internal/scatter"},
	{"simhash", "feature internal/settings internal/splitmix simhash/hamming similarity similarity/author"},
	// Documents and the truth about them.
	{"datasets", "internal/durable internal/splitmix"},
	{"datasets/inside/gen", "datasets"},
	{"internal/tables", "datasets internal/durable internal/jsonl internal/terminal"},
	{"datasets/plant", "datasets internal/durable internal/splitmix"},
	// The rules of deduplication, and indexes.
	{"dedup", ""},
	{"index/internal/problems", ""},
	{"index", "dedup index/internal/problems internal/extsort similarity"},
	{"index/internal/remote", "index similarity"},
	{"index/memory", "index"},
	{"index/disk", "index internal/durable internal/extsort internal/mapped internal/scan similarity"},
	{"index/redis", "index index/internal/problems index/internal/remote similarity"},
	{"index/hbase", "index index/internal/problems index/internal/remote internal/parallel similarity"},
	{"index/indextest", "dedup index index/memory rabinkarp shingle simhash similarity"},
	{"index/ingest", "datasets dedup index internal/parallel similarity"},
	{"index/plan", "simhash simhash/hamming similarity"},
	// Passages below the document.
	{"passages", "feature internal/durable internal/extsort internal/mapped internal/parallel internal/proportion rabinkarp"},
	// Deduplication.
	{"dedup/repeats", "feature passages"},
	{"dedup/clean", "internal/splitmix"},
	{"dedup/steps", "dedup internal/extsort similarity"},
	{"dedup/local", "datasets dedup dedup/clean dedup/repeats dedup/steps feature index internal/durable internal/extsort internal/filelock internal/parallel internal/proportion internal/splitmix passages similarity"},
	{"dedup/sketches", "datasets dedup dedup/clean dedup/steps internal/parallel similarity"},
	{"dedup/pairs", "dedup dedup/local dedup/sketches dedup/steps internal/durable"},
	{"sql", "dedup/sketches feature rabinkarp shingle simhash similarity"},
	// Measurement, with methods as values.
	{"eval/internal/resample", ""},
	{"eval/internal/sketch", "feature internal/parallel similarity"},
	{"eval", "datasets eval/internal/resample eval/internal/sketch feature internal/jsonl internal/parallel similarity"},
	{"eval/plots", "eval internal/charts internal/durable"},
	{"eval/spans", ""},
	{"eval/score", "datasets eval eval/spans feature internal/parallel similarity"},
	{"eval/stress", "datasets datasets/plant eval eval/internal/sketch eval/plots internal/jsonl internal/parallel internal/proportion similarity"},
	// The list of all methods, and what chooses among them.
	{"catalog", "align bloomsim cosine external feature feature/jiebadict feature/segment internal/settings rabinkarp shingle simhash similarity"},
	{"eval/choose", "catalog datasets eval eval/internal/resample eval/internal/sketch feature internal/jsonl internal/parallel similarity"},
	{"eval/surrogate", "align datasets datasets/plant dedup eval eval/choose eval/internal/resample eval/internal/sketch internal/parallel internal/proportion similarity"},
	{"eval/review", "datasets eval/score eval/surrogate internal/common internal/terminal"},
	// What users meet.
	{"eval/report", "catalog datasets datasets/plant dedup/local eval eval/choose eval/stress internal/charts internal/common passages similarity"},
	{"internal/cli", "catalog datasets dedup eval/surrogate similarity"},
	{"internal/verdict", "align catalog dedup feature simhash similarity"},
	{"serve", "bloomsim catalog datasets dedup dedup/local eval eval/choose eval/surrogate feature index index/plan internal/parallel internal/settings internal/verdict passages simhash simhash/hamming similarity"},
	{"serve/web", ""},
	{"cmd/alike", "*"},
}

// Packages import exactly what house lists, and only packages above them.
func TestArrowsPointDown(t *testing.T) {
	imports := map[string]string{}
	for _, line := range lines(t, "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...") {
		var own []string
		for _, dep := range strings.Fields(line) {
			if pkg, ok := strings.CutPrefix(dep, module+"/"); ok {
				own = append(own, pkg)
			}
		}
		if len(own) > 0 && !strings.HasPrefix(own[0], "docs") {
			slices.Sort(own[1:])
			imports[own[0]] = strings.Join(own[1:], " ")
		}
	}
	above := map[string]bool{}
	for _, p := range house {
		got, ok := imports[p.pkg]
		if !ok {
			t.Errorf("there is no package %s", p.pkg)
		}
		delete(imports, p.pkg)
		if p.imports != "*" && got != p.imports {
			t.Errorf("%s imports\n%s, want\n%s", p.pkg, got, p.imports)
		}
		for dep := range strings.FieldsSeq(got) {
			if !above[dep] {
				t.Errorf("%s imports %s, which does not stand above it", p.pkg, dep)
			}
		}
		above[p.pkg] = true
	}
	for pkg := range imports {
		t.Errorf("package %s has no place in the house", pkg)
	}
}
