package datasets

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// stated returns the number that a README states by the first group of a
// pattern, and whether it does.
func stated(t *testing.T, readme, pattern string) (int, bool) {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(readme)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatalf("count %q: %v", m[1], err)
	}
	return n, true
}

// TestShared loads every set of the shared directory and holds it against the
// counts that its README states.
func TestShared(t *testing.T) {
	dir, ok := SharedDir()
	if !ok {
		if os.Getenv("ALIKE_REQUIRE_DATA") == "1" {
			t.Fatal("no shared data directory, and ALIKE_REQUIRE_DATA is 1")
		}
		t.Skip("no shared data directory: set ALIKE_DATA to run this test")
	}
	names := Shared()
	if len(names) == 0 {
		t.Fatalf("%s holds no set", dir)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if info, err := os.Stat(filepath.Join(dir, name, "docs.jsonl.gz")); raceDetector && err == nil && info.Size() > 200_000 {
				t.Skip("too slow under the race detector")
			}
			b, err := os.ReadFile(filepath.Join(dir, name, "README.md"))
			if err != nil {
				t.Fatal(err)
			}
			readme := string(b)
			s, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			check(t, s)
			if s.Description == "" || s.Licence == "" {
				t.Errorf("description %q, licence %q", s.Description, s.Licence)
			}
			if want, ok := stated(t, readme, `- documents: (\d+)`); !ok || len(s.Docs) != want {
				t.Errorf("%d documents, the README states %d", len(s.Docs), want)
			}
			if want, ok := stated(t, readme, "`pairs-ignore.tsv.gz`: (\\d+) pairs"); ok && len(s.Ignore) != want {
				t.Errorf("%d pairs to ignore, the README states %d", len(s.Ignore), want)
			}
			if s.Clusters != nil {
				checkClusters(t, s, readme)
				return
			}
			checkPairs(t, s, name, readme)
		})
	}
}

func checkClusters(t *testing.T, s *Set, readme string) {
	sizes := map[int]int{}
	for _, c := range s.Clusters {
		sizes[c]++
	}
	if want, ok := stated(t, readme, `clusters.tsv.gz.: \d+ documents in (\d+) clusters`); !ok || len(sizes) != want {
		t.Errorf("%d clusters, the README states %d", len(sizes), want)
	}
	pairs := 0
	for _, n := range sizes {
		pairs += n * (n - 1) / 2
	}
	if want, ok := stated(t, readme, `same-cluster pairs: (\d+)`); !ok || pairs != want {
		t.Errorf("%d pairs within clusters, the README states %d", pairs, want)
	}
	if want, ok := stated(t, readme, "`pairs-matches.tsv.gz`: (\\d+) pairs"); ok {
		positives := 0
		for _, p := range s.Pairs {
			positives += int(p.Label)
		}
		if positives != want {
			t.Errorf("%d positive pairs, the README states %d matches", positives, want)
		}
	}
}

func checkPairs(t *testing.T, s *Set, name, readme string) {
	counts := regexp.MustCompile("`pairs(?:-(\\w+))?\\.tsv\\.gz`: (\\d+) pairs").FindAllStringSubmatch(readme, -1)
	if len(counts) == 0 {
		t.Fatal("the README states no number of pairs")
	}
	for _, m := range counts {
		want, _ := strconv.Atoi(m[2])
		if m[1] == "ignore" {
			continue
		}
		set := s
		if m[1] != "" {
			var err error
			if set, err = Load(name + "/" + m[1]); err != nil {
				t.Fatal(err)
			}
			check(t, set)
		}
		if len(set.Pairs) != want {
			t.Errorf("%s: %d pairs, the README states %d", set.Name, len(set.Pairs), want)
		}
	}
}
