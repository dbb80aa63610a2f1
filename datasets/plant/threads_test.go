package plant

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/datasets"
)

func newThreads(t *testing.T, o MakeOptions, share float64) *Threads {
	t.Helper()
	threads, err := NewThreads(o, share)
	if err != nil {
		t.Fatal(err)
	}
	return threads
}

// Each reply quotes a line of what it answers and adds words. Each copy has the
// words of its original, but for the list in the header and the footer.
func TestThreads(t *testing.T) {
	for _, lang := range []Lang{English, Chinese} {
		t.Run(string(lang), func(t *testing.T) {
			const n = 3000
			byID := map[string]Document{}
			var docs []Document
			copies, equal, replies := 0, 0, 0
			for d, err := range newThreads(t, MakeOptions{Lang: lang, Mean: 60, Words: 5000, Seed: 1}, 0.3).Docs(n) {
				if err != nil || !utf8.ValidString(d.Text) || byID[d.ID].ID != "" {
					t.Fatalf("%+v, %v", d, err)
				}
				byID[d.ID] = d
				docs = append(docs, d)
				switch {
				case d.Copy > 0:
					copies++
					o := byID[d.Original]
					if o.Copies != 1 || o.ID == d.ID {
						t.Fatalf("%s is a copy of %+v", d.ID, o)
					}
					if d.Text == o.Text {
						equal++
					}
					if (d.Record.Touched == 0) != (d.Text == o.Text) {
						t.Errorf("%s: %+v", d.ID, d.Record)
					}
					if a, b := body(o.Text), body(d.Text); a != b {
						t.Errorf("%s: the words are\n%s\nand of the copy\n%s", d.ID, a, b)
					}
				case d.Answers != "":
					replies++
					p, ok := byID[d.Answers]
					if !ok || !quotes(d.Text, p.Text) || strings.Contains(p.Text, strings.SplitN(d.Text, "\n\n", 2)[1]) {
						t.Errorf("%s, an answer to %s:\n%s\n%s", d.ID, d.Answers, p.Text, d.Text)
					}
				}
			}
			if len(docs) != n+copies {
				t.Errorf("%d documents, %d of them copies, want %d messages", len(docs), copies, n)
			}
			// Binomial: 900 copies with a standard deviation of 25, a fourth of them equal.
			if copies < 800 || copies > 1000 || equal < 150 || equal > 300 || replies < n/2 {
				t.Errorf("%d copies, %d of them equal, %d replies", copies, equal, replies)
			}
			// Fewer messages are a beginning.
			fewer := slices.Collect(seconds(newThreads(t, MakeOptions{Lang: lang, Mean: 60, Words: 5000, Seed: 1}, 0.3), 100))
			if !reflect.DeepEqual(fewer, docs[:len(fewer)]) {
				t.Error("the first 100 messages are others")
			}
		})
	}
}

// seconds yields documents without errors.
func seconds(t *Threads, n uint64) func(func(Document) bool) {
	return func(yield func(Document) bool) {
		for d := range t.Docs(n) {
			if !yield(d) {
				return
			}
		}
	}
}

// body returns the characters of a message between the first line, which names
// the list, and the footer, without blanks. Lines break elsewhere in a copy, so
// marks of quotes are left out too.
func body(text string) string {
	_, text, _ = strings.Cut(text, "\n")
	for _, footer := range []string{"_____\nYou", "--\nTo leave", "_____\n您", "--\n退订"} {
		text, _, _ = strings.Cut(text, footer)
	}
	return strings.NewReplacer(" ", "", "\n", "", ">", "").Replace(text)
}

// quotes reports whether a line of 10 bytes or more of the parent's text below its
// header stands in a reply.
func quotes(reply, parent string) bool {
	for _, line := range strings.Split(strings.SplitN(parent, "\n\n", 2)[1], "\n") {
		if line = strings.Trim(line, "> "); len(line) >= 2 && strings.Contains(body(reply), body("\n"+line)) {
			return true
		}
	}
	return false
}

// The truth of threads says that replies are not alike to what they quote.
func TestWriteThreads(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	stats, err := Write(dir, newThreads(t, MakeOptions{Mean: 20, Words: 500}, 0.2).Docs(200), WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	clustered, err := datasets.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	planted, err := datasets.Load(dir + "/planted")
	if err != nil {
		t.Fatal(err)
	}
	if len(clustered.Docs) != stats.Documents || stats.Documents != 200+stats.Copies || stats.Copies == 0 || stats.Alike != stats.Copies {
		t.Errorf("%d documents, %+v", len(clustered.Docs), stats)
	}
	replies := 0
	for _, p := range planted.Pairs {
		if same := clustered.Clusters[p.A] == clustered.Clusters[p.B]; same != p.Alike() {
			t.Errorf("%+v, same cluster: %v", p, same)
		}
		if p.Kind == kindReply {
			replies++
		}
	}
	if replies < 100 {
		t.Errorf("%d replies among 200 messages", replies)
	}
}

func TestNewThreadsRefuses(t *testing.T) {
	for _, share := range []float64{-0.1, 1.1} {
		if _, err := NewThreads(MakeOptions{}, share); err == nil {
			t.Errorf("a share of %v is accepted", share)
		}
	}
	if _, err := NewThreads(MakeOptions{Lang: "fr"}, 0); err == nil {
		t.Error("French is accepted")
	}
}
