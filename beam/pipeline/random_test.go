package pipeline_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alike-go/alike/beam/pipeline"
	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/similarity"
)

// Corpora and settings of all kinds, mixed at random: what one machine says is what the pipeline says. A failure names the
// seed of its trial; ALIKE_SEED=N tries that one alone, and with ALIKE_KEEP=FOLDER leaves its files there.
func TestRandomTrials(t *testing.T) {
	first, n := uint64(1), 8
	if os.Getenv("ALIKE_LONG") == "1" {
		n = 200
	}
	if s := os.Getenv("ALIKE_SEED"); s != "" {
		seed, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		first, n = seed, 1
	}
	if _, err := alike(); err != nil {
		t.Fatal(err)
	}
	for seed := first; seed < first+uint64(n); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { newTrial(t, seed).run(t) })
	}
}

// trial is a corpus and settings, as the command takes them and as the pipeline does.
type trial struct {
	*rand.Rand
	dir    string
	format string
	inputs []string
	args   []string
	o      pipeline.Options
	texts  []string // so far, to be changed a little or taken again
}

func newTrial(t *testing.T, seed uint64) *trial {
	r := &trial{Rand: rand.New(rand.NewPCG(seed, 11)), dir: t.TempDir()}
	r.settings(t)
	r.corpus(t)
	return r
}

func pick[T any](r *trial, of ...T) T { return of[r.IntN(len(of))] }

// one says whether what happens once in so many times does.
func (r *trial) one(in int) bool { return r.IntN(in) == 0 }

func (r *trial) settings(t *testing.T) {
	features := pick(r, "width=3", "width=1", "tokens=rune,width=3")
	parse := func(spec string) similarity.Method {
		m, err := catalog.ParseAll([]string{spec}, features)
		if err != nil {
			t.Fatal(err)
		}
		return m[0]
	}
	flag := func(args ...string) { r.args = append(r.args, args...) }
	o := &r.o
	o.Runner, o.MaxDrop, o.Recall = "prism", 1, .95
	var err error
	method := pick(r, methods...)
	o.Method = parse(method)
	o.Threshold = pick(r, .5, .8, .9)
	flag("--features", features, "-m", method, "-t", fmt.Sprint(o.Threshold), "--max-drop", "100%")
	o.Candidates = o.Threshold
	if s, err := catalog.ScoreAt(o.Method, 3); err == nil {
		o.Candidates = s
	}
	if r.one(4) {
		o.Candidates = pick(r, .4, .7, 1)
		flag("--candidates", fmt.Sprint(o.Candidates))
	}
	switch r.IntN(3) {
	case 0:
		flag("--verify", "sketch")
		o.Candidates = max(o.Candidates, o.Threshold)
	case 1:
		verify := pick(r, "shingle", "shingle", "simhash", "minhash:bits=8")
		flag("--verify", verify)
		o.Verify = parse(verify)
	default:
		verify := "shingle"
		if x := o.Method.Features(); x != nil {
			verify = similarity.Spec("shingle", x.String())
		}
		o.Verify = parse(verify)
	}
	keep := pick(r, "first", "longest", "highest:n", "newest:day", "source", "source,longest", "highest:n,newest:day,longest", "longest,first")
	if o.Keep, err = dedup.ParsePolicy(keep); err != nil {
		t.Fatal(err)
	}
	flag("--keep", keep)
	if r.one(3) {
		mask := pick(r, "number", "time,url", "time,number,url")
		flag("--mask", mask)
		if o.Mask, err = clean.ParseMask(mask); err != nil {
			t.Fatal(err)
		}
	}
	if o.SkipBad = pick(r, 0, 1000, 1000, 1000); o.SkipBad > 0 {
		flag("--skip-bad", "1000")
	}
	if o.Explain = r.one(3); o.Explain {
		flag("--explain")
	}
	if o.Annotate = r.one(5); o.Annotate {
		flag("--annotate")
	} else if o.DropText = r.one(6); o.DropText {
		flag("--drop-text")
	}
	o.PieceBytes = int64(pick(r, 1, 30, 300, 3000, 1<<20))
	o.Waves = pick(r, 0, 2, 3)
	if !slices.Contains(methods[:4], method) { // of which texts meet in buckets
		o.Groups = pick(r, 0, 1, 3)
	}
	o.Documents = pick(r, 0, 0, int64(1), 8e9)
	o.Crowded = pick(r, 0, 1, 1)
}

// text returns one for the corpus.
func (r *trial) text() (text string) {
	defer func() { r.texts = append(r.texts, text) }()
	word := func() string {
		if r.one(40) {
			return pick(r, "\"", "\"q\"", "a,b", "\t", "\n", "\r\n", "<b>x</b>", "&amp;", "\x00", "\u2028", "\ufeff", "中文字", "é", "12:30", "2024-05-06", "17", "http://a.b/c", "\U0001f600", "\\", "'", ";")
		}
		return fmt.Sprint("w", r.IntN(60))
	}
	switch k := r.IntN(20); {
	case k < 5 && len(r.texts) > 0:
		return pick(r, r.texts...)
	case k < 12 && len(r.texts) > 0:
		words := strings.Fields(pick(r, r.texts...))
		for range 1 + r.IntN(2) {
			if len(words) > 0 {
				words[r.IntN(len(words))] = word()
			}
		}
		if r.one(4) {
			words = append(words, word())
		}
		return strings.Join(words, " ")
	case k == 12:
		return ""
	case k == 13:
		return pick(r, "x", " ", "\ufeff", "\"", "-", "中", "17", "\n", "\ufeffx y")
	case k == 14 && r.one(5):
		return strings.Repeat(word()+" ", 3000)
	}
	var b strings.Builder
	for i := range 2 + r.IntN(40) {
		if i > 0 {
			b.WriteString(pick(r, " ", " ", " ", " ", "  "))
		}
		b.WriteString(word())
	}
	return b.String()
}

// corpus writes the inputs.
func (r *trial) corpus(t *testing.T) {
	r.format = pick(r, "jsonl", "jsonl", "jsonl", "jsonl", "csv", "tsv", "lines", "lines", "parquet", "text")
	if r.o.Annotate && r.format == "text" {
		r.format = "jsonl"
	}
	in := filepath.Join(r.dir, "in")
	src := datasets.Source{}
	flag := func(args ...string) { r.args = append(r.args, args...) }
	if src.Lossy = r.one(3); src.Lossy {
		flag("--lossy")
	}
	if src.HTML = r.one(6); src.HTML {
		flag("--html")
	}
	if r.format != "lines" && r.format != "text" && r.one(8) {
		src.ID = "id"
		flag("--id-field", "id")
	}
	pack := ""
	if r.format != "parquet" && r.one(5) {
		pack = ".gz"
	}
	names := 1 + r.IntN(3)
	var paths []string
	put(t, filepath.Join(in, "unused"), nil)
	folder := r.one(4) || r.format == "text"
	for f := range names {
		name := fmt.Sprintf("f%d.%s%s", f, r.format, pack)
		if r.format == "lines" || r.format == "text" {
			name = fmt.Sprintf("f%d.txt%s", f, pack)
		}
		if folder {
			for i := range pick(r, 1, 2, 3) {
				path := filepath.Join(in, fmt.Sprint("folder", f), fmt.Sprint(i, name))
				if i == 2 {
					path = filepath.Join(in, fmt.Sprint("folder", f), "more", fmt.Sprint(i, name))
				}
				if r.format != "text" {
					put(t, path, r.packed(pack, r.rows(t)))
					continue
				}
				for j := range r.IntN(8) + 1 {
					put(t, path[:len(path)-len(filepath.Ext(path))]+fmt.Sprint("-", j, filepath.Ext(path)), r.packed(pack, r.bytes(r.text())))
				}
			}
			paths = append(paths, filepath.Join(in, fmt.Sprint("folder", f)))
			continue
		}
		paths = append(paths, filepath.Join(in, name))
		put(t, paths[f], r.packed(pack, r.rows(t)))
	}
	if r.one(12) {
		paths = append(paths, paths[0])
	}
	for _, p := range paths {
		s := src
		s.Path, s.PathIDs = p, len(paths) > 1
		arg := p
		if r.format == "lines" || r.format == "text" {
			s.Format = r.format
			arg = r.format + ":" + p
		}
		r.inputs = append(r.inputs, arg)
		r.o.Sources = append(r.o.Sources, s)
	}
}

func (r *trial) packed(how string, b []byte) []byte {
	if how == "" {
		return b
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

// bytes breaks some texts.
func (r *trial) bytes(s string) []byte {
	b := []byte(s)
	if r.one(60) && len(b) > 0 {
		b[r.IntN(len(b))] = 0xff
	}
	return b
}

// rows makes a file of the format.
func (r *trial) rows(t *testing.T) []byte {
	var b bytes.Buffer
	n := pick(r, 0, 1, 5, 30, 60)
	if r.format != "jsonl" && r.format != "lines" {
		n = max(n, 1)
	}
	if r.format == "csv" {
		return r.table(n)
	}
	if r.format == "parquet" {
		w, err := datasets.NewWriter(&b, "parquet")
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if err := w.Write([]datasets.Field{{Name: "id", Value: r.id(i)}, {Name: "text", Value: r.text()}, {Name: "n", Value: fmt.Sprint(r.IntN(9))}, {Name: "day", Value: r.day()}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	end := pick(r, "\n", "\n", "\r\n")
	if r.one(5) {
		b.WriteString("\ufeff")
	}
	if r.format == "tsv" {
		b.WriteString("id\ttext\tn\tday" + end)
	}
	flat := strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")
	for i := range n {
		var line []byte
		switch r.format {
		case "lines":
			line = r.bytes(flat.Replace(r.text()))
		case "tsv":
			line = []byte(r.id(i) + "\t" + string(r.bytes(flat.Replace(r.text()))) + "\t" + fmt.Sprint(r.IntN(9)) + "\t" + r.day())
			if r.one(40) {
				line = []byte("too few")
			}
		default:
			row := map[string]any{"text": r.text()}
			if id := r.id(i); id != "" {
				row["id"] = id
			}
			if !r.one(4) {
				row["n"] = pick[any](r, 1, 2, 3.5, -7, 0, "12", "x", nil, 1e300, true)
			}
			if !r.one(4) {
				row["day"] = r.day()
			}
			line, _ = json.Marshal(row)
			switch r.IntN(60) {
			case 0:
				line = []byte("no JSON")
			case 1:
				line = []byte(`{"n":1}`)
			case 2:
				line = append([]byte("\ufeff"), line...)
			case 3:
				line = append([]byte("  "), line...)
			case 4:
				line = []byte(`{"text":["a"]}`)
			case 5:
				line = bytes.Replace(line, []byte("w1"), []byte("\xff"), 1)
			}
		}
		b.Write(line)
		if i < n-1 || !r.one(3) {
			b.WriteString(end)
		}
		if r.one(10) {
			b.WriteString(pick(r, "\n", "\r\n", "\n\n\n"))
		}
		if r.one(20) && r.format != "tsv" {
			b.WriteString(pick(r, "  \n", " \n \n", "\t\n"))
		}
	}
	return b.Bytes()
}

func (r *trial) id(i int) string {
	if r.one(50) {
		return "a\tb"
	}
	return pick(r, fmt.Sprint("d", i), fmt.Sprint("d", i), fmt.Sprint("d", i), "", "same", "é\"<")
}

func (r *trial) day() string {
	return pick(r, "2024-05-06", "2023-01-01T10:00:00Z", "", "soon", "1999-12-31")
}

// table makes a CSV file.
func (r *trial) table(n int) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = r.one(3)
	if r.one(5) {
		b.WriteString("\ufeff")
	}
	w.Write([]string{"id", "text", "n", "day"})
	for i := range n {
		w.Write([]string{r.id(i), string(r.bytes(r.text())), fmt.Sprint(r.IntN(9)), r.day()})
		w.Flush()
		switch r.IntN(40) {
		case 0:
			b.WriteString("a,b\n")
		case 1:
			b.WriteString("\n")
		case 2:
			b.WriteString("\r\n\n")
		case 3:
			b.WriteString("1,\"x\"y,3,4\n")
		}
	}
	w.Flush()
	out := b.Bytes()
	if r.one(3) {
		out = bytes.TrimRight(out, "\r\n")
	}
	return out
}

// content returns the rows of files with what else stands in them.
func (r *trial) content(t *testing.T, files []string) (rows []string) {
	for _, f := range files {
		raw, err := datasets.OpenRaw(datasets.Source{Path: f, Format: r.format, Lossy: true})
		if err != nil {
			t.Fatal(err)
		}
		var p datasets.Parser
		for {
			row, err := raw.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.format != "parquet" {
				rows = append(rows, string(row.Bytes))
				continue
			}
			rec, err := p.Record(row)
			rows = append(rows, fmt.Sprint(rec.Fields, err))
		}
		raw.Close()
	}
	return rows
}

func (r *trial) run(t *testing.T) {
	path, err := alike()
	if err != nil {
		t.Fatal(err)
	}
	one := filepath.Join(r.dir, "one")
	args := slices.Concat([]string{"dedup"}, r.inputs, []string{"-o", one}, byThreshold(r.args))
	said, failed := exec.Command(path, args...).CombinedOutput()
	r.o.Out = filepath.Join(r.dir, "out")
	bad := 0
	r.o.OnBad = func(error) { bad++ }
	result, err := pipeline.Run(context.Background(), r.o)
	defer func() {
		if t.Failed() {
			t.Logf("%s\n%s\n%+v", strings.Join(args, " "), said, r.o)
			if keep := os.Getenv("ALIKE_KEEP"); keep != "" {
				os.CopyFS(keep, os.DirFS(r.dir))
			}
		}
	}()
	if (err == nil) != (failed == nil) {
		t.Fatalf("one machine: %v\nthe pipeline: %v", failed, err)
	}
	if err != nil {
		a := strings.TrimPrefix(strings.TrimSpace(string(said)), "alike: ")
		if !strings.HasSuffix(a, err.Error()) {
			t.Errorf("one machine says %q\nthe pipeline says %q", a, err)
		}
		if left, _ := filepath.Glob(filepath.Join(r.dir, ".*")); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
		return
	}
	if bad != result.Report.Unreadable {
		t.Errorf("%d bad rows told, %d reported", bad, result.Report.Unreadable)
	}
	parts := func(dir, name, rest string) (all []string) {
		all, _ = filepath.Glob(filepath.Join(dir, name+rest))
		slices.Sort(all)
		return all
	}
	join := func(files []string) string {
		var b []byte
		for _, f := range files {
			b = append(b, read(t, f)...)
		}
		return string(b)
	}
	differ := func(what, got, want string) {
		if got != want {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Errorf("%s differs at %d:\ngot  %.300q\nwant %.300q", what, i, got[max(0, i-80):], want[max(0, i-80):])
		}
	}
	for _, name := range []string{"why", "clusters"} {
		differ(name, join(parts(r.o.Out, name, "-*")), join(parts(one, name, ".*")))
	}
	for _, name := range []string{"kept", "removed", "annotated"} {
		if r.format == "text" {
			got, want := map[string]string{}, map[string]string{}
			for dir, to := range map[string]map[string]string{r.o.Out: got, one: want} {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					for k, v := range tree(t, filepath.Join(dir, name)) {
						to[k] = v
					}
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
			continue
		}
		got, want := parts(r.o.Out, name, "-*"), parts(one, name, ".*")
		if len(want) > 0 != (len(got) > 0) {
			t.Errorf("%s: got %q, want %q", name, got, want)
			continue
		}
		if a, b := r.content(t, got), r.content(t, want); !slices.Equal(a, b) {
			differ(name, strings.Join(a, "|"), strings.Join(b, "|"))
		}
		plain := len(want) > 0 && !strings.HasSuffix(want[0], ".gz")
		if plain && (r.format == "jsonl" || r.format == "lines") {
			differ(name+" bytes", join(got), join(want))
		}
	}
	a, b := report(t, r.o.Out), report(t, one)
	for _, rep := range []map[string]any{a, b} {
		if r.o.Verify != nil { // one machine need not compare all
			delete(rep, "scored")
			delete(rep, "chaining")
		}
		if r.o.Documents > 0 || r.o.Groups > 0 {
			delete(rep, "design")
			delete(rep, "recall")
		}
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("report %v, want %v", a, b)
	}
	if r.o.Annotate || r.o.DropText {
		return
	}
	back := filepath.Join(r.dir, "back")
	if out, err := exec.Command(path, "restore", r.o.Out, "-o", back).CombinedOutput(); err != nil {
		t.Errorf("restore: %v: %s", err, out)
		return
	}
	wantBack := filepath.Join(r.dir, "wantback")
	if out, err := exec.Command(path, "restore", one, "-o", wantBack).CombinedOutput(); err != nil {
		t.Errorf("restore of one machine: %v: %s", err, out)
		return
	}
	if info, err := os.Stat(back); err == nil && !info.IsDir() {
		differ("restored", string(read(t, back)), string(read(t, wantBack)))
		return
	}
	if got, want := tree(t, back), tree(t, wantBack); !reflect.DeepEqual(got, want) {
		t.Errorf("restored: got %q, want %q", got, want)
	}
}
