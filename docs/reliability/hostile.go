package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
)

var hostileAttacks = []attack{
	{"hostile inputs", "valid files of every format are mutated, cut, spliced, repeated and compressed, and given to every command that reads files: exit code 0, 1 or 2, an error with a name in it, no crash, at most 1 GiB of memory and 60 s", inputsHostile},
	{"hostile flags", "every command gets random flags with random values: exit code 0, 1 or 2, no crash, no hanging", flagsHostile},
}

// hostileMemory is the maximum memory in bytes of a command, for an input of some
// hundred kilobytes. A command that has started, with the Chinese dictionary,
// takes less than 200 MiB.
const hostileMemory = 1 << 30

// samples makes a valid file of each format, some with traps in them.
func (a *arena) samples(ctx context.Context) []string {
	texts := a.corpus("in.jsonl", "doc", 60)
	for _, to := range []string{"in.csv", "in.tsv", "in.parquet", "in.jsonl.gz", "in.csv.zst"} {
		a.must(ctx, "datasets", "convert", a.at("in.jsonl"), "-o", a.at(to))
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(make([]byte, 50<<20))
	z.Close()
	made := map[string]string{
		"in.txt":      strings.Join(texts[:5], "\n"),
		"zeros.gz":    packed.String(),
		"deep.jsonl":  `{"id":"a","text":` + strings.Repeat("[", 100_000) + "\n",
		"marks.jsonl": "\xef\xbb\xbf\xef\xbb\xbf{\"id\":\"\u202e\x1b[31m\",\"text\":\"\x00\x00\"}\n{\"text\":\"a\",\"text\":\"b\",\"id\":1e999}\n",
		"wide.csv":    strings.Repeat("a,", 200_000) + "text\n" + strings.Repeat("1,", 200_000) + "x\n",
		"quote.csv":   "id,text\n1,\"" + strings.Repeat("never closed ", 10_000),
		"utf16.txt":   "\xff\xfea\x00b\x00",
		"empty.jsonl": "",
	}
	var out []string
	for name, text := range made {
		kit.Check(os.WriteFile(a.at(name), []byte(text), 0o666))
	}
	for _, name := range kit.Must(names(a.dir)) {
		out = append(out, a.at(name))
	}
	return out
}

// mutate returns a hostile variant of a file. It may insert parts of other files.
func mutate(r *rand.Rand, b []byte, others [][]byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(3) {
		if len(b) == 0 {
			return []byte{byte(r.Uint32())}
		}
		at := r.IntN(len(b))
		switch r.IntN(9) {
		case 0: // flips
			for range 1 + r.IntN(16) {
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			}
		case 1:
			b = b[:at]
		case 2: // another file's middle
			o := others[r.IntN(len(others))]
			if len(o) > 0 {
				from := r.IntN(len(o))
				b = slices.Insert(b, at, o[from:min(len(o), from+r.IntN(4096))]...)
			}
		case 3: // a part repeated
			end := min(len(b), at+1+r.IntN(200))
			b = slices.Insert(b, at, bytes.Repeat(b[at:end], 1+r.IntN(50))...)
		case 4: // extreme numbers
			v := []uint64{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 62, 1<<63 - 1, 1 << 63, 1<<64 - 1}[r.IntN(9)]
			var e [10]byte
			n := binary.PutUvarint(e[:], v)
			if r.IntN(2) == 0 {
				n = 8
				binary.LittleEndian.PutUint64(e[:], v)
			}
			copy(b[at:], e[:n])
		case 5:
			b = slices.Insert(b, at, bytes.Repeat([]byte{[]byte("\n\"{[,\t\x00\xff")[r.IntN(8)]}, 1+r.IntN(100_000))...)
		case 6:
			b = slices.Delete(b, at, min(len(b), at+1+r.IntN(100)))
		case 7: // all of it random
			for i := range b[:min(len(b), 4096)] {
				b[i] = byte(r.Uint32())
			}
		case 8:
			b = bytes.ReplaceAll(b, []byte(`"id"`), []byte(`"text"`))
		}
	}
	if len(b) > 1<<20 {
		b = b[:1<<20]
	}
	return b
}

// readers are the commands that read files. IN is a hostile file, GOOD a valid
// one, INDEX the URL of an index, and OUT is not there.
var readers = []string{
	"dedup IN -o OUT", "dedup IN -o OUT -m simhash --html --mask time,number,url", "dedup GOOD -o OUT --against IN", "dedup IN -o OUT --skip-bad 100 --lossy -f csv",
	"dedup IN --dry-run --strip-boilerplate 2", "dedup GOOD --against IN --verify sketch --dry-run", "pairs IN -m minhash -t 0.5", "pairs IN --against GOOD -m shingle -t 0.3 --skip-bad 9",
	"pairs GOOD -m simhash -k 3 --truth IN", "leak IN GOOD --passage 5 --clean OUT", "leak GOOD IN", "leak GOOD --tests IN", "sketch --for leak IN -o OUT", "sketch IN --buckets -o OUT", "sketch IN --buckets -o OUT --verify sketch -m simhash",
	"cluster IN --documents 1000 -o OUT", "compare IN GOOD", "compare IN IN -m cosine -m bloom", "fit -o OUT IN", "compare --fit IN -m cosine GOOD GOOD", "datasets convert IN -o OUT.jsonl",
	"datasets convert IN -o OUT.parquet", "eval --data IN --repeat -1 --resamples 10", "report IN -o OUT.html", "score --truth en --pairs IN", "score --truth en --clusters IN", "score --truth IN --removed GOOD",
	"stress IN -n 20 --lengths 50", "choose IN --budget 1s --no-speed", "index import INDEX IN", "index add INDEX IN", "index query INDEX IN", "index delete INDEX --ids IN", "diff IN",
	"choose GOOD --labels IN --budget 1s --no-speed", "eval --config IN",
}

func inputsHostile(ctx context.Context, a *arena) {
	files := a.samples(ctx)
	// Files that alike itself has made are inputs too.
	for _, args := range [][]string{
		{"dedup", a.at("in.jsonl"), "--sketches", "-o", a.at("result")},
		{"fit", "-m", "cosine", "-o", a.at("in.fit"), a.at("in.jsonl")},
		{"index", "create", "disk:" + a.at("index"), "-m", "simhash", "-k", "3"},
		{"index", "add", "disk:" + a.at("index"), a.at("in.jsonl")},
		{"pairs", a.at("in.jsonl"), "-m", "shingle", "-t", "0.3", "-o", a.at("pairs.tsv")},
		{"datasets", "make", "-n", "200", "--mean", "40", a.at("set")},
		{"eval", "--data", a.at("set"), "--repeat", "-1", "--resamples", "10", "-m", "shingle", "--out", a.at("records.jsonl")},
	} {
		a.must(ctx, args...)
	}
	x := a.must(ctx, "index", "export", "disk:"+a.at("index"))
	kit.Check(os.WriteFile(a.at("export.jsonl"), x.stdout, 0o666))
	files = append(files, a.at("result/kept.sketches"), a.at("result/report.json"), a.at("result/why.jsonl"), a.at("in.fit"), a.at("pairs.tsv"), a.at("records.jsonl"), a.at("export.jsonl"))
	var all [][]byte
	for _, name := range files {
		b := kit.Must(os.ReadFile(name))
		all = append(all, b)
	}
	most, longest := int64(0), time.Duration(0)
	for round := range a.rounds(ctx) {
		k := a.rand.IntN(len(files))
		b := all[k]
		if a.rand.IntN(10) > 0 {
			b = mutate(a.rand, b, all)
		}
		// The name says the format, and is mostly right.
		ending := filepath.Base(files[k])
		if a.rand.IntN(8) == 0 {
			ending = filepath.Base(files[a.rand.IntN(len(files))])
		}
		in, out := a.at("hostile-"+ending), a.at("out")
		kit.Check(os.WriteFile(in, b, 0o666))
		line := readers[a.rand.IntN(len(readers))]
		if round < len(readers) {
			line = readers[round]
		}
		args := strings.Fields(strings.NewReplacer("INDEX", "disk:"+a.at("index"), "IN", in, "GOOD", a.at("in.jsonl"), "OUT", out).Replace(line))
		r := a.alikeRuns(ctx, args...)
		a.count(fmt.Sprintf("with exit code %d", r.code), 1)
		most, longest = max(most, r.peak), max(longest, r.took)
		switch {
		case r.code < 0 || r.code > 2:
			a.broke("%v", r)
		case r.code == 2 && !bytes.HasPrefix(r.stderr, []byte("alike: ")) && !bytes.Contains(r.stderr, []byte("\nalike: ")):
			a.broke("no error that says alike: %v", r)
		case r.peak > hostileMemory:
			a.broke("%d MiB for %d bytes: %v", r.peak>>20, len(b), r)
		case r.took > time.Minute:
			a.broke("%v for %d bytes: %v", r.took, len(b), r)
		}
		if a.isBroken() {
			return // and the input stays
		}
		list := kit.Must(filepath.Glob(out + "*"))
		for _, name := range append(list, in) {
			kit.Check(os.RemoveAll(name))
		}
		if round%100 == 99 {
			if r = a.alikeRuns(ctx, "index", "verify", "disk:"+a.at("index")); r.code != 0 {
				a.broke("after hostile inputs: %v", r)
			}
		}
	}
	a.count("MiB at most", int(most>>20))
	a.count("seconds at most", int(longest.Seconds()+0.5))
}

func flagsHostile(ctx context.Context, a *arena) {
	a.corpus("in.jsonl", "doc", 30)
	commands := []string{"choose", "cluster", "compare", "datasets make", "datasets convert", "dedup", "diff", "eval", "fit", "index create", "index query", "leak", "methods", "pairs", "plan", "report", "restore", "score", "sketch", "stress", "stress leak"}
	values := []string{"", "-1", "0", "1", "2", "0.5", "NaN", "Inf", "-Inf", "1e308", "1e-308", "99999999999999999999", "9223372036854775807", "-9223372036854775808", "2147483648", "\x00"[:0], "é\xff", "../..", "-", "simhash:bits=0",
		"minhash:size=1000000000000", "shingle:width=99999999", "exec:false", "tokens=jieba,width=100", "a,b,c", "mixed:0.5*1e300", "0/0", "5/3", "1GiB", "-1GiB", "99999999999TB", "50%", "-5%", "1e99%", "newest:", "time,,url", "csv", "text"}
	flags := map[string][]string{}
	for _, c := range commands {
		r := a.must(ctx, append(strings.Fields(c), "-h")...)
		for line := range strings.Lines(string(r.stdout)) {
			if _, name, ok := strings.Cut(line, "--"); ok && strings.HasPrefix(strings.TrimSpace(line), "-") {
				flags[c] = append(flags[c], strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '\n' })[0])
			}
		}
	}
	for range a.rounds(ctx) {
		c := commands[a.rand.IntN(len(commands))]
		args := strings.Fields(c)
		for range a.rand.IntN(5) {
			f := flags[c][a.rand.IntN(len(flags[c]))]
			// A terminal, a year of work or gigabytes of output break no promise.
			if slices.Contains([]string{"review", "docs", "budget", "repeat", "resamples", "exact"}, f) {
				continue
			}
			args = append(args, "--"+f+"="+values[a.rand.IntN(len(values))])
		}
		for range a.rand.IntN(3) {
			args = append(args, []string{"in.jsonl", "none", "en", "", "disk:none", "-"}[a.rand.IntN(6)])
		}
		cmd := exec.Command("timeout", append([]string{"-s", "KILL", "20", a.alike}, args...)...)
		cmd.Dir = a.dir // files of random names are made there
		r := kit.Must(a.process(ctx, cmd, nil))
		a.count("commands", 1)
		if r.code > 2 || r.code < 0 {
			if r.code == 137 || r.code == -1 {
				a.count("ended after 20 s of work", 1)
				continue
			}
			a.broke("%v", r)
		}
		if a.isBroken() {
			return
		}
	}
}
