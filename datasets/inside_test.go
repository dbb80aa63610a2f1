package datasets

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// TestInside holds the sets inside the binary against what they are for: small
// but real, short and long, with real and planted edits, enough of everything
// for an F1 that is known to .05, and the counts of their own READMEs.
func TestInside(t *testing.T) {
	// The checksums pin the sets: results made on them are comparable only while
	// they stay. They are those of the files as committed.
	sums := map[string]string{
		"en": "af4e387d08423acd0c8db1be92318e77f3efe6ab43f7606a6197b652bcb69a8d",
		"zh": "d66e838d6504393b0549edd241538d3b3e383d1580382a1358f317b3db419f94",
	}
	planted := []string{"substitute", "delete", "insert", "mixed", "move", "truncate", "quote", "style", "ocr"}
	for _, name := range Inside() {
		t.Run(name, func(t *testing.T) {
			s, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			check(t, s)
			if got := s.Checksum(); got != sums[name] {
				t.Errorf("the checksum is %s, want %s", got, sums[name])
			}
			if s.Name != name || s.Graded || s.Clusters != nil || s.Description == "" || !strings.Contains(s.Licence, "public domain") {
				t.Errorf("name %q, graded %t, description %q, licence %q", s.Name, s.Graded, s.Description, s.Licence)
			}
			b, err := fs.ReadFile(inside, "inside/"+name+"/README.md")
			if err != nil {
				t.Fatal(err)
			}
			if want, ok := stated(t, string(b), `- documents: (\d+)`); !ok || len(s.Docs) != want || want < 400 {
				t.Errorf("%d documents, the README states %d", len(s.Docs), want)
			}
			long, used := 0, make([]Split, len(s.Docs))
			texts := map[string]bool{}
			for _, d := range s.Docs {
				if texts[d.Text] {
					t.Errorf("the text of %s is that of another document", d.ID)
				}
				texts[d.Text] = true
				if len([]rune(d.Text)) >= 600 {
					long++
				}
			}
			if long < 200 || long > len(s.Docs)/2 {
				t.Errorf("%d of %d documents are long", long, len(s.Docs))
			}
			kinds := map[string]int{}
			for _, p := range s.Pairs {
				kinds[p.Kind]++
				for _, d := range []int{p.A, p.B} {
					if used[d] != None && used[d] != p.Split {
						t.Fatalf("%s is in pairs of %v and of %v", s.Docs[d].ID, used[d], p.Split)
					}
					used[d] = p.Split
				}
			}
			for _, k := range planted {
				if kinds["planted-"+k] < 10 {
					t.Errorf("%d planted pairs of the kind %s", kinds["planted-"+k], k)
				}
			}
			if name == "en" {
				checkGospels(t, s)
			}
			comp := s.Components()
			for _, split := range []Split{Dev, Test} {
				checkSplit(t, s, split, comp, string(b))
			}
			if n := len(s.Select(Dev)) + len(s.Select(Test)); n != len(s.Pairs) {
				t.Errorf("%d of %d pairs are in dev or test", n, len(s.Pairs))
			}
		})
	}
}

func checkSplit(t *testing.T, s *Set, split Split, comp []int, readme string) {
	t.Helper()
	pairs := s.Select(split)
	independent := map[int]bool{}
	alike, hard := 0, 0
	for _, p := range pairs {
		switch {
		case p.Label == 1:
			alike++
			independent[comp[p.A]] = true
		case p.Kind == "hard":
			hard++
		}
	}
	negative := len(pairs) - alike
	if alike < 200 || len(independent) < 200 || negative < 2*alike || negative > 3*alike || 2*hard < negative {
		t.Errorf("%v: %d alike in %d components, %d not, %d of these hard", split, alike, len(independent), negative, hard)
	}
	if want, ok := stated(t, readme, `- `+split.String()+`: (\d+) pairs`); !ok || len(pairs) != want {
		t.Errorf("%v: %d pairs, the README states %d", split, len(pairs), want)
	}
	if want, ok := stated(t, readme, `- `+split.String()+`: \d+ pairs, of them (\d+) alike`); !ok || alike != want {
		t.Errorf("%v: %d pairs are alike, the README states %d", split, alike, want)
	}
}

// checkGospels wants no negative pair of two Gospels: they tell the same events,
// so that nobody can call two passages of them unlike without reading both.
func checkGospels(t *testing.T, s *Set) {
	t.Helper()
	book := func(doc int) string {
		_, place, _ := strings.Cut(s.Docs[doc].ID, ":")
		b, _, _ := strings.Cut(place, ".")
		if slices.Contains([]string{"Matthew", "Mark", "Luke", "John"}, b) {
			return b
		}
		return ""
	}
	within := 0
	for _, p := range s.Pairs {
		a, b := book(p.A), book(p.B)
		switch {
		case p.Label == 1 || a == "" || b == "":
		case a != b:
			t.Errorf("%s and %s are a negative of two Gospels", s.Docs[p.A].ID, s.Docs[p.B].ID)
		default:
			within++
		}
	}
	if within == 0 {
		t.Error("no negative lies within a Gospel: the ids are not read")
	}
}

// TestInsideSize keeps the binary small.
func TestInsideSize(t *testing.T) {
	var size int64
	err := fs.WalkDir(inside, ".", func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if err != nil || size > 900_000 {
		t.Errorf("%d bytes are embedded, want at most 900,000 (%v)", size, err)
	}
}
