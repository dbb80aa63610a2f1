package datasets

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alike-go/alike/internal/splitmix"
)

func TestTriangle(t *testing.T) {
	k := 0
	for i := 1; i < 60; i++ {
		for j := range i {
			if gi, gj := triangle(k); gi != i || gj != j {
				t.Fatalf("pair %d is (%d, %d), want (%d, %d)", k, gi, gj, i, j)
			}
			k++
		}
	}
	const n = 1 << 15
	if i, j := triangle(n*(n-1)/2 - 1); i != n-1 || j != n-2 {
		t.Errorf("the last pair is (%d, %d)", i, j)
	}
}

func TestChoose(t *testing.T) {
	r := splitmix.Stream(1)
	counts := make([]int, 10)
	for range 3000 {
		got := choose(&r, 10, 3)
		if len(got) != 3 || got[0] >= got[1] || got[1] >= got[2] || got[0] < 0 || got[2] > 9 {
			t.Fatalf("choose(10, 3) is %v", got)
		}
		for _, i := range got {
			counts[i]++
		}
	}
	// Each is expected 900 times with a standard deviation of 25.1; six of them
	// are not exceeded by chance, and the seed is fixed.
	for i, n := range counts {
		if n < 750 || n > 1050 {
			t.Errorf("%d was chosen %d times of 3000, expected 900", i, n)
		}
	}
	if got := choose(&r, 3, 5); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("choose(3, 5) is %v", got)
	}
	if got := choose(&r, 0, 5); len(got) != 0 {
		t.Errorf("choose(0, 5) is %v", got)
	}
}

// clustered makes a folder of n clusters of the size, with texts of which those
// of neighbouring clusters share words.
func clustered(n, size int, id func(cluster, member int) string) (docs, clusters string) {
	var d, c strings.Builder
	c.WriteString("id\tcluster\n")
	for i := range n {
		for j := range size {
			fmt.Fprintf(&d, `{"id":%q,"text":"w%d w%d v%d only%d and%d"}`+"\n", id(i, j), i, i+1, i/10, i*size+j, j)
			fmt.Fprintf(&c, "%s\tc%d\n", id(i, j), i)
		}
	}
	return d.String(), c.String()
}

func TestSample(t *testing.T) {
	docs, clusters := clustered(400, 3, func(c, m int) string { return fmt.Sprintf("%d-%d", c, m) })
	dir := files("docs.jsonl", docs, "clusters.tsv", clusters, "pairs-ignore.tsv", pairsHead+"0-0\t1-0\t1\n5-0\t5-1\t1\n")
	s, err := readFolder(dir, "x", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, s)
	again, err := readFolder(dir, "x", "", nil)
	if err != nil || again.Checksum() != s.Checksum() {
		t.Errorf("a second reading differs: %v", err)
	}
	counts := map[string]int{}
	side := map[int]Split{} // by cluster
	seen := map[[2]int]bool{}
	for _, p := range s.Pairs {
		counts[fmt.Sprintf("%s %v", p.Kind, p.Split)]++
		if seen[ordered(p.A, p.B)] {
			t.Errorf("the pair %v is drawn twice", p)
		}
		seen[ordered(p.A, p.B)] = true
		for _, d := range []int{p.A, p.B} {
			if c := s.Clusters[d]; side[c] != None && side[c] != p.Split {
				t.Fatalf("cluster %d is in both splits", c)
			}
			side[s.Clusters[d]] = p.Split
		}
	}
	// 400 clusters of 3 pairs, less the one to ignore; twice as many negatives, as
	// many hard ones as there are positives, or nearly: the documents that come
	// last find most of their neighbours taken.
	if n := counts["same dev"] + counts["same test"]; n != 1199 {
		t.Errorf("%d positive pairs, want 1199", n)
	}
	for _, split := range []Split{Dev, Test} {
		same, hard, random := counts["same "+split.String()], counts["hard "+split.String()], counts["random "+split.String()]
		if same < 580 || hard+random != 2*same || hard > same || 10*hard < 9*same {
			t.Errorf("%v: %d positive, %d hard and %d random pairs", split, same, hard, random)
		}
	}
}

// TestSampleTables checks that tables are compared with each other only.
func TestSampleTables(t *testing.T) {
	docs, clusters := clustered(200, 3, func(c, m int) string { return fmt.Sprintf("%s%d", []string{"left", "right1", "right2"}[m], 1000+c) })
	s, err := readFolder(files("docs.jsonl", docs, "clusters.tsv", clusters, "pairs-matches.tsv", pairsHead), "x", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, s)
	if s.Sources[0] != "left" || len(s.Sources) != len(s.Docs) {
		t.Errorf("sources %q", s.Sources)
	}
	for _, p := range s.Pairs {
		a, b := s.Docs[p.A].ID, s.Docs[p.B].ID
		if strings.HasPrefix(a, "left") == strings.HasPrefix(b, "left") {
			t.Fatalf("%s is paired with %s", a, b)
		}
	}
}

func TestSampleCaps(t *testing.T) {
	docs, clusters := clustered(25, 60, func(c, m int) string { return fmt.Sprintf("%d-%d", c, m) })
	s, err := readFolder(files("docs.jsonl", docs, "clusters.tsv", clusters), "x", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	perCluster := map[int]int{}
	positives := 0
	for _, p := range s.Pairs {
		if p.Label == 1 {
			perCluster[s.Clusters[p.A]]++
			positives++
		}
	}
	if positives != samplePositives {
		t.Errorf("%d positive pairs, want %d of 25,000", positives, samplePositives)
	}
	for c, n := range perCluster {
		if n > samplePerCluster {
			t.Errorf("cluster %d has %d pairs", c, n)
		}
	}
	if n := len(s.Pairs) - positives; n > sampleMaxNegative {
		t.Errorf("%d negative pairs", n)
	}
}

// TestNearest compares the index with comparing all documents.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	docs := make([]Doc, 40)
	for i := range docs {
		var words []string
		for range r.IntN(30) {
			words = append(words, fmt.Sprintf("w%d", r.IntN(60)))
		}
		docs[i].Text = strings.Join(words, " ") + string([]rune{'子' + rune(r.IntN(3)), '曰'})
	}
	o := newOverlap(docs, func(i int) bool { return i%5 != 0 })
	sets := make([]map[uint64]bool, len(docs))
	for i, d := range docs {
		sets[i] = map[uint64]bool{}
		for _, f := range lexicalFeatures(d.Text) {
			sets[i][f] = true
		}
	}
	for i := range docs {
		if i%5 == 0 {
			continue
		}
		share := func(j int) float64 {
			n := 0
			for f := range sets[i] {
				if sets[j][f] {
					n++
				}
			}
			return float64(n) / float64(len(sets[i])+len(sets[j])-n)
		}
		var want []int
		for j := range docs {
			if j != i && j%5 != 0 && share(j) > 0 {
				want = append(want, j)
			}
		}
		slices.SortStableFunc(want, func(a, b int) int {
			switch {
			case share(a) > share(b):
				return -1
			case share(a) < share(b):
				return 1
			}
			return 0
		})
		if got := o.nearest(i); !slices.Equal(got, want) {
			t.Fatalf("nearest to %d: %v, want %v", i, got, want)
		}
	}
}

func TestLexicalFeatures(t *testing.T) {
	tests := []struct {
		text string
		want int // words that are not Han, and neighbours, the first with nothing before it
	}{
		{"", 0}, {" .,", 0}, {"one", 2}, {"One two", 4}, {"天地", 2}, {"a天b", 5},
	}
	for _, test := range tests {
		if got := lexicalFeatures(test.text); len(got) != test.want {
			t.Errorf("%q has %d features, want %d", test.text, len(got), test.want)
		}
	}
	if !slices.Equal(lexicalFeatures("One two"), lexicalFeatures("one, TWO")) {
		t.Error("case or punctuation changes the features")
	}
}

// TestSampleOfManyDocuments draws hard pairs of a set that has more documents than
// are looked at; the pairs are still labelled by the clusters.
func TestSampleOfManyDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("50,000 documents")
	}
	s := &Set{}
	for i := range 50_000 {
		s.Docs = append(s.Docs, Doc{ID: strconv.Itoa(i), Text: strings.Repeat("w"+strconv.Itoa(i%1000)+" ", 1+i%5) + strconv.Itoa(i)})
		s.Clusters = append(s.Clusters, i/2)
	}
	s.sample()
	kinds := map[string]int{}
	for _, p := range s.Pairs {
		kinds[p.Kind]++
		if p.Alike() != (s.Clusters[p.A] == s.Clusters[p.B]) {
			t.Fatalf("pair %+v", p)
		}
	}
	if kinds["same"] != samplePositives || kinds["hard"] != sampleMaxNegative/2 || kinds["random"] != sampleMaxNegative/2 {
		t.Errorf("%v", kinds)
	}
}

// A reader of such a folder gives documents their source as a field; what a
// document states itself goes before.
func TestReadSources(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"docs.jsonl":        `{"id":"abt12","text":"a"}` + "\n" + `{"id":"buy3","text":"b"}` + "\n" + `{"id":"buy4","text":"c","source":"shop"}` + "\n",
		"clusters.tsv":      "id\tcluster\n",
		"pairs-matches.tsv": "id1\tid2\tlabel\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Open(Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got []string
	for row, err := range r.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		source, _ := row.Get("source")
		got = append(got, source)
	}
	if want := []string{"abt", "buy", "shop"}; !slices.Equal(got, want) {
		t.Errorf("sources %q, want %q", got, want)
	}
}
