package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alike-go/alike/beam/pipeline"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
)

// notices returns a file of texts that say the same but for a time, an address and a number in most of their
// sentences: half of them in the very same words, the others in some of their own.
func notices(t *testing.T) string {
	t.Helper()
	words := strings.Fields("river market engine garden letter window bridge winter paper signal copper island")
	var b strings.Builder
	for i := range 240 {
		same := i / 4
		fmt.Fprintf(&b, `{"id":"n%d","text":"`, i)
		for s := range 8 {
			a, c := words[(same+s)%12], words[(same/3+5*s)%12]
			fmt.Fprintf(&b, "the %s of the %s in group%c was seen at 1%d:%02d on 20%02d-03-05 by %d people as http://x%d.example/%s/%d says. ",
				a, c, 'a'+same%26, s, i%60, i%90, i*i*997+s, i, a, i*31+s)
		}
		if i%2 == 1 {
			fmt.Fprintf(&b, "and the %s too", words[i%12])
		}
		b.WriteString("\"}\n")
	}
	file := filepath.Join(t.TempDir(), "notices.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// Texts that differ in what is masked are equal, as on one machine, wherever a worker reads them: by their hashes, in
// buckets, in groups, and when they verify.
func TestMask(t *testing.T) {
	file := notices(t)
	for _, kinds := range []string{"time,number,url", "time,number"} {
		mask, err := clean.ParseMask(kinds)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []struct {
			method string
			text   bool
		}{{"simhash", false}, {"simhash", true}, {"minhash:bits=8", false}, {"shingle", false}} {
			t.Run(fmt.Sprintf("%s/text=%v/%s", m.method, m.text, kinds), func(t *testing.T) {
				o := options(t, file, m.method, m.text)
				o.Runner, o.Mask = "prism", mask
				r := check(t, o, "--mask", kinds)
				if r.Report.Equal == 0 && kinds == "time,number,url" {
					t.Error("no two texts are equal")
				}
				o.Mask, o.Out = 0, filepath.Join(t.TempDir(), "bare")
				bare, err := pipeline.Run(context.Background(), o)
				if err != nil {
					t.Fatal(err)
				}
				if bare.Report.Equal > 0 || bare.Report.Kept <= r.Report.Kept {
					t.Errorf("%d texts are kept, %d without a mask", r.Report.Kept, bare.Report.Kept)
				}
			})
		}
	}
}

// A policy goes by the lengths of texts as they are compared.
func TestMaskLongest(t *testing.T) {
	var b strings.Builder
	for i := range 120 {
		text := fmt.Sprintf("the same words stand in all texts of the kind%c%c and in no other one of them %d", 'a'+i/4%26, 'a'+i/40, i)
		if i%4 == 1 {
			text += "123456789012345678901234567890" // the longest of its kind but for the mask
		}
		if i%4 == 2 {
			text += " at last"
		}
		fmt.Fprintf(&b, "{\"id\":\"l%d\",\"text\":%q}\n", i, text)
	}
	file := filepath.Join(t.TempDir(), "longest.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	o := options(t, file, "shingle:width=1", true)
	o.Runner, o.Mask = "prism", clean.Number
	var err error
	if o.Keep, err = dedup.ParsePolicy("longest"); err != nil {
		t.Fatal(err)
	}
	check(t, o, "-m", "shingle:width=1", "--mask", "number", "--keep", "longest")
	if kept := string(read(t, filepath.Join(o.Out, "kept-00000-of-00001.jsonl"))); strings.Contains(kept, "1234567890") || strings.Count(kept, "at last") != 30 {
		t.Errorf("kept is %s", kept)
	}
}
