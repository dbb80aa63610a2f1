package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/alike-go/alike/dedup/pairs"
	"github.com/alike-go/alike/docs/internal/kit"
)

var commandAttacks = []attack{
	{"commands killed", "every other command that writes a file or a folder is killed at a random moment and run again: the output is absent or whole, the second run gives the bytes of a run that was not killed, and nothing else is left", commandsKilled},
	{"passages killed", "`alike passages --resume` and `alike gather --resume` on 140 MB are killed at forty random moments and run again: the bytes of runs that were not killed, and nothing else is left", passagesKilled},
	{"update killed", "`alike dedup --against OLD --update` of a file is killed: OLD is the old one or the new one, whole, and `--resume` gives the new one", updateKilled},
	{"commands on a full disk", "every command that writes runs on a file system of 4 kB to 2 MB: exit code 2 and an error, no output, no crash, inputs unchanged; with room again it gives the right bytes", commandsFull},
	{"damaged results", "files of a finished run (kept, removed, layout, report, sketches) get random flips, zeroes and cuts, then `alike restore`, `alike report` and `--against kept.sketches` read them: an error or the right bytes", resultsDamaged},
}

// writer is a command that writes OUT.
type writer struct {
	args  string // with OUT where the output goes
	again string // further arguments of a run after a kill, such as --resume
	grows bool   // OUT grows record by record instead of appearing whole
}

// writers need docs.jsonl, a data set in set, the result of a dedup in result, and
// pairs in pairs.parquet.
var writers = []writer{
	{args: "datasets make -n 2000 --mean 100 --seed 3 OUT"},
	{args: "datasets convert docs.jsonl -o OUT.csv.gz"},
	{args: "datasets convert docs.jsonl -o OUT.parquet"},
	{args: "datasets convert set -o OUT"},
	{args: "sketch docs.jsonl -o OUT --buckets", grows: true},
	{args: "cluster pairs.parquet --documents 200000 --max-drop 100% -o OUT"},
	{args: "pairs docs.jsonl -m minhash -t 0.5 -o OUT.tsv"},
	{args: "pairs docs.jsonl -m simhash -k 8 -o OUT.parquet"},
	{args: "fit -m cosine -o OUT docs.jsonl"},
	{args: "restore result -o OUT.jsonl"},
	{args: "report result -o OUT.html"},
	{args: "eval --data set --repeat -1 --resamples -1 -m shingle -m simhash -m cosine --out OUT.jsonl", again: "--resume", grows: true},
	{args: "passages docs.jsonl -l 30 -o OUT.tsv --resume OUT.work"},
	{args: "dedup docs.jsonl --sketches -o OUT", again: "--resume"},
	{args: "dedup docs.jsonl -f csv -m simhash -o OUT", again: "--resume"},
	{args: "dedup docs.jsonl --level passage --max-drop 100% -o OUT", again: "--resume"},
}

// with returns the arguments. Names of files become paths in the arena, and OUT
// becomes out.
func (w writer) with(a *arena, out string, again bool) []string {
	args := strings.Fields(w.args)
	if again {
		args = append(args, strings.Fields(w.again)...)
	}
	for i, arg := range args {
		if _, err := os.Stat(a.at(arg)); err == nil && i > 0 {
			args[i] = a.at(arg)
		}
		if rest, ok := strings.CutPrefix(arg, "OUT"); ok {
			args[i] = out + rest
		}
	}
	return args
}

// path returns where the output is.
func (w writer) path(out string) string {
	for _, arg := range strings.Fields(w.args) {
		if rest, ok := strings.CutPrefix(arg, "OUT"); ok {
			return out + rest
		}
	}
	panic("reliability: no OUT in " + w.args)
}

// inputs makes the files that writers read.
func (a *arena) inputs(ctx context.Context) {
	a.corpus("docs.jsonl", "doc", 4000)
	kit.Check(os.WriteFile(a.at("pairs.parquet"), nil, 0o666))
	// Each document is alike to one shortly before it, or to none.
	var list []pairs.Pair
	for i := int64(1); i < 200_000; i++ {
		if a.rand.IntN(2) == 0 {
			list = append(list, pairs.Pair{A: max(0, i-1-a.rand.Int64N(20)), B: i, Score: 0.8 + 0.2*a.rand.Float64()})
		}
	}
	kit.Check(parquet.WriteFile(a.at("pairs.parquet"), list))
	for _, args := range [][]string{
		{"datasets", "make", "-n", "300", "--mean", "60", a.at("set")},
		{"dedup", a.at("docs.jsonl"), "--sketches", "-o", a.at("result")},
	} {
		a.must(ctx, args...)
	}
}

// contents returns a checksum of each file under a path. That of report.json
// leaves out the times. It returns nil if there is nothing.
func contents(path string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if d.Name() == "report.json" {
			var m map[string]any
			if err := json.Unmarshal(b, &m); err != nil {
				return fmt.Errorf("%s: %w", p, err)
			}
			delete(m, "run")
			b, _ = json.Marshal(m)
		}
		rel, _ := filepath.Rel(path, p)
		out[rel] = fmt.Sprintf("%x", sha256.Sum256(b))
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return out, err
}

// differ says how two contents differ. It returns "" if they are equal.
func differ(got, want map[string]string) string {
	var parts []string
	for name := range want {
		if _, ok := got[name]; !ok {
			parts = append(parts, name+" is missing")
		} else if got[name] != want[name] {
			parts = append(parts, name+" differs")
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			parts = append(parts, name+" is too much")
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// names returns the names in a folder, also of hidden files.
func names(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out, err
}

func commandsKilled(ctx context.Context, a *arena) {
	a.inputs(ctx)
	before := kit.Must(contents(a.dir))
	want, took := make([]map[string]string, len(writers)), make([]time.Duration, len(writers))
	for i, w := range writers {
		out := filepath.Join(a.at("want"), fmt.Sprint(i), "out")
		kit.Check(os.MkdirAll(filepath.Dir(out), 0o777))
		took[i] = a.must(ctx, w.with(a, out, false)...).took
		want[i] = kit.Must(contents(w.path(out)))
	}
	kit.Check(os.RemoveAll(a.at("want")))
	for range a.rounds(ctx) {
		for i, w := range writers {
			dir := a.at("out")
			kit.Check(os.MkdirAll(dir, 0o777))
			out := filepath.Join(dir, "out")
			ran := false // a run has ended by itself, and so has cleaned up
			for kills := 0; kills < 2; kills++ {
				r := a.alikeKilled(ctx, a.upTo(took[i]*5/4), w.with(a, out, kills > 0)...)
				if r.code >= 0 {
					ran = true
					break
				}
				a.count("kills", 1)
				got, err := contents(w.path(out))
				if err != nil {
					a.broke("killed, %v: %v", r, err)
				} else if d := differ(got, want[i]); !w.grows && got != nil && d != "" {
					a.broke("killed, and OUT is there and not whole: %v: %s", r, d)
				} else if got != nil && d == "" {
					break // it was killed after its last step
				}
			}
			got, err := contents(w.path(out))
			if err == nil && differ(got, want[i]) != "" {
				r := a.alikeRuns(ctx, w.with(a, out, true)...)
				a.count("runs after a kill", 1)
				ran = true
				// Some commands ask the user to remove what a killed one has left.
				if left, ok := asksToRemove(dir, r); ok {
					a.count("asked to remove what was left", 1)
					kit.Check(os.RemoveAll(left))
					r = a.alikeRuns(ctx, w.with(a, out, true)...)
				}
				if r.code != 0 {
					a.broke("after a kill: %v", r)
				}
				got, err = contents(w.path(out))
			}
			kit.Check(err)
			for name := range got {
				// It may be a file of another worker on the same folder.
				if base := filepath.Base(name); strings.HasPrefix(base, ".") && strings.HasSuffix(base, ".new") && strings.HasPrefix(w.args, "sketch ") {
					delete(got, name)
					a.count("hidden files left by sketch", 1)
				}
			}
			if d := differ(got, want[i]); d != "" {
				a.broke("alike %s, killed and run again: %s", w.args, d)
			}
			left := kit.Must(names(dir))
			if len(left) != 1 && ran {
				a.broke("alike %s, killed and run again, leaves %q", w.args, left)
			}
			kit.Check(os.RemoveAll(dir))
		}
		a.unchanged(before)
	}
}

// asksToRemove returns the path in a folder that a failed command asks the user to
// remove.
func asksToRemove(dir string, r result) (path string, ok bool) {
	if r.code != 2 || !bytes.Contains(r.stderr, []byte("remove")) {
		return "", false
	}
	list, err := names(dir)
	if err != nil {
		return "", false
	}
	for _, name := range list {
		if path = filepath.Join(dir, name); strings.Contains(name, ".part") && bytes.Contains(r.stderr, []byte(path)) {
			return path, true
		}
	}
	return "", false
}

// unchanged breaks a promise if the files of the arena have changed.
func (a *arena) unchanged(before map[string]string) {
	after := kit.Must(contents(a.dir))
	if d := differ(after, before); d != "" {
		a.broke("inputs: %s", d)
	}
}

// passagesKilled kills runs in all their stages. The texts are long enough that
// there is something to go on with while they are read.
func passagesKilled(ctx context.Context, a *arena) {
	a.must(ctx, "datasets", "make", a.at("made"), "-n", "40000", "--seed", fmt.Sprint(a.rand.Uint32()))
	kit.Check(os.WriteFile(a.at("queries.jsonl"), kit.Must(os.ReadFile(a.at("made/docs.jsonl")))[:8<<20], 0o666))
	before := kit.Must(contents(a.dir))
	commands := [][]string{
		{"passages", a.at("made/docs.jsonl"), "-o", "OUT/passages.tsv", "--occurrences", "OUT/places.csv"},
		{"gather", a.at("queries.jsonl"), "--skip-bad", "1", "--against", a.at("made/docs.jsonl"), "--other-ids", "-o", "OUT/sources.tsv"},
	}
	for range a.rounds(ctx) {
		for kills, i := 0, 0; kills < 40; i++ {
			to := func(out string) []string {
				kit.Check(os.MkdirAll(out, 0o777))
				return strings.Split(strings.ReplaceAll(strings.Join(commands[i%2], "\x00"), "OUT", out), "\x00")
			}
			whole := a.must(ctx, to(a.at("whole"))...)
			args := append(to(a.at("killed")), "--resume", a.at("killed/work"))
			for {
				r := a.alikeKilled(ctx, a.upTo(whole.took), args...)
				if r.code == 0 {
					break
				}
				if r.code > 0 {
					a.broke("killed and run again: %v", r)
					return
				}
				a.count("kills", 1)
				if kills++; kills%10 == 0 {
					if r = a.alikeRuns(ctx, args...); r.code != 0 {
						a.broke("killed and run again: %v", r)
					}
					break
				}
			}
			if d := differ(kit.Must(contents(a.at("killed"))), kit.Must(contents(a.at("whole")))); d != "" {
				a.broke("alike %s, killed and run again: %s", commands[i%2], d)
			}
			kit.Check(os.RemoveAll(a.at("killed")))
			kit.Check(os.RemoveAll(a.at("whole")))
			a.unchanged(before)
		}
	}
}

func updateKilled(ctx context.Context, a *arena) {
	texts := a.corpus("new.jsonl", "doc", 6000)
	b := kit.Must(os.ReadFile(a.at("new.jsonl")))
	end := 0 // of the first 1500 documents, which are the old ones
	for range len(texts) / 4 {
		end += bytes.IndexByte(b[end:], '\n') + 1
	}
	kit.Check(os.WriteFile(a.at("old0.jsonl"), b[:end], 0o666))
	a.must(ctx, "dedup", a.at("old0.jsonl"), "-o", a.at("first"))
	old := kit.Must(os.ReadFile(a.at("first/kept.jsonl")))
	fresh := func() {
		for _, name := range []string{"out", "out.partial"} {
			kit.Check(os.RemoveAll(a.at(name)))
		}
		kit.Check(os.WriteFile(a.at("old.jsonl"), old, 0o666))
	}
	args := []string{"dedup", a.at("new.jsonl"), "--against", a.at("old.jsonl"), "--update", "--resume", "-o", a.at("out")}
	fresh()
	r := a.must(ctx, args...)
	want := kit.Must(os.ReadFile(a.at("old.jsonl")))
	if bytes.Equal(want, old) {
		kit.Check(errors.New("the update adds nothing"))
	}
	for range a.rounds(ctx) {
		fresh()
		for kills := 0; ; kills++ {
			after := a.upTo(r.took)
			if kills == 4 {
				after = patience
			}
			r := a.alikeKilled(ctx, after, args...)
			now, err := os.ReadFile(a.at("old.jsonl"))
			if err != nil || !bytes.Equal(now, old) && !bytes.Equal(now, want) {
				a.broke("killed, OLD has %d bytes, want the %d of the old or the %d of the new one: %v", len(now), len(old), len(want), err)
				break
			}
			if r.code < 0 {
				a.count("kills", 1)
			} else if r.code != 0 {
				a.broke("%v", r)
				break
			}
			if _, err := os.Stat(a.at("out")); err == nil {
				break
			}
		}
		now, err := os.ReadFile(a.at("old.jsonl"))
		if err != nil || !bytes.Equal(now, want) {
			a.broke("after --resume OLD has %d bytes, want %d: %v", len(now), len(want), err)
		}
		a.count("updates", 1)
	}
}

func commandsFull(ctx context.Context, a *arena) {
	a.inputs(ctx)
	before := kit.Must(contents(a.dir))
	want := make([]map[string]string, len(writers))
	for i, w := range writers {
		dir := a.at("want")
		kit.Check(os.MkdirAll(dir, 0o777))
		a.must(ctx, w.with(a, filepath.Join(dir, "out"), false)...)
		want[i] = kit.Must(contents(w.path(filepath.Join(dir, "out"))))
		kit.Check(os.RemoveAll(dir))
	}
	for range a.rounds(ctx) {
		for i, w := range writers {
			// From almost no room to nearly enough for some commands.
			disk := kit.Must(a.tmpfs(ctx, 4<<10+a.rand.Int64N(2<<20)))
			err := kit.Try(func() { a.full(ctx, disk, w, want[i]) })
			kit.Check(errors.Join(err, disk.unmount()))
		}
		a.unchanged(before)
	}
}

// full runs a command on a small disk, and again after the disk has grown.
func (a *arena) full(ctx context.Context, disk *disk, w writer, want map[string]string) {
	out := filepath.Join(disk.dir, "out")
	r := a.alikeRuns(ctx, w.with(a, out, false)...)
	got, err := contents(w.path(out))
	switch {
	case r.code == 0:
		a.count("fitted", 1)
		if d := differ(got, want); err != nil || d != "" {
			a.broke("exit code 0 on a full disk: %s: %s %v", w.args, d, err)
		}
		return
	case r.code != 2 || len(bytes.TrimSpace(r.stderr)) == 0:
		a.broke("on a full disk: %v", r)
	case !w.grows && got != nil && differ(got, want) != "":
		a.broke("on a full disk OUT is there and not whole: %s: %s", w.args, differ(got, want))
	}
	a.count("full disks", 1)
	kit.Check(disk.resize(ctx, 1<<30))
	if left, ok := asksToRemove(disk.dir, r); ok {
		a.broke("what failed by itself has to be cleaned up by hand: %s: %v", left, r)
	}
	r = a.alikeRuns(ctx, w.with(a, out, true)...)
	got, err = contents(w.path(out))
	if d := differ(got, want); r.code != 0 || err != nil || d != "" {
		a.broke("with room again: %v: %s %v", r, d, err)
	}
	if left := kit.Must(names(disk.dir)); len(left) != 1 {
		a.broke("with room again alike %s leaves %q", w.args, left)
	}
}

// damage changes a file as disks and people do, and says how. ok is false if
// nothing has changed.
func damage(r *rand.Rand, path string) (how string, ok bool, err error) {
	b, err := os.ReadFile(path)
	if err != nil || len(b) == 0 {
		return "", false, err
	}
	was := bytes.Clone(b)
	at := r.IntN(len(b))
	switch r.IntN(5) {
	case 0:
		bit := r.IntN(8)
		b[at] ^= 1 << bit
		how = fmt.Sprintf("bit %d of byte %d of %d flipped", bit, at, len(b))
	case 1:
		end := min(len(b), at+1+r.IntN(4096))
		clear(b[at:end])
		how = fmt.Sprintf("bytes %d to %d of %d zeroed", at, end, len(b))
	case 2:
		b = b[:at]
		how = fmt.Sprintf("cut at byte %d of %d", at, len(was))
	case 3:
		end := min(len(b), at+1+r.IntN(512))
		b = slices.Delete(b, at, end)
		how = fmt.Sprintf("bytes %d to %d of %d removed", at, end, len(was))
	case 4:
		extra := make([]byte, 1+r.IntN(64))
		for i := range extra {
			extra[i] = byte(r.Uint32())
		}
		b = slices.Insert(b, at, extra...)
		how = fmt.Sprintf("%d random bytes inserted at byte %d of %d", len(extra), at, len(was))
	}
	if bytes.Equal(b, was) {
		return "", false, nil
	}
	return filepath.Base(path) + ": " + how, true, os.WriteFile(path, b, 0o666)
}

func resultsDamaged(ctx context.Context, a *arena) {
	a.inputs(ctx)
	original := kit.Must(os.ReadFile(a.at("docs.jsonl")))
	against := []string{"dedup", a.at("docs.jsonl"), "--verify", "sketch", "--dry-run", "--against"}
	want := a.must(ctx, append(against, a.at("result/kept.sketches"))...)
	files := kit.Must(names(a.at("result")))
	for range a.rounds(ctx) {
		dir := a.at("damaged")
		kit.Check(os.CopyFS(dir, os.DirFS(a.at("result"))))
		name := files[a.rand.IntN(len(files))]
		how, ok, err := damage(a.rand, filepath.Join(dir, name))
		kit.Check(err)
		if ok {
			a.count("damaged files", 1)
			r := a.alikeRuns(ctx, "restore", dir, "-o", a.at("back.jsonl"))
			back, err := os.ReadFile(a.at("back.jsonl"))
			switch {
			case r.code == 0 && !bytes.Equal(back, original):
				a.broke("%s: restore gives other bytes and says nothing (%v)", how, err)
			case r.code == 0:
				a.count("restored right", 1)
			case r.code != 2 || back != nil:
				a.broke("%s: %v, and %d bytes are restored", how, r, len(back))
			default:
				a.count("restore refused", 1)
			}
			r = a.alikeRuns(ctx, "report", dir, "-o", a.at("page.html"))
			if r.code != 0 && r.code != 2 {
				a.broke("%s: %v", how, r)
			}
			if name == "kept.sketches" {
				r = a.alikeRuns(ctx, append(against, filepath.Join(dir, name))...)
				switch {
				case r.code == 0 && summary(r) != summary(want):
					a.broke("%s: --against says nothing of it and finds others: %s", how, excerpt(r.stderr))
				case r.code == 0:
					a.count("sketches read right", 1)
				default:
					a.count("sketches refused", 1)
				}
			}
		}
		kit.Check(errors.Join(os.RemoveAll(dir), os.RemoveAll(a.at("back.jsonl")), os.RemoveAll(a.at("page.html"))))
	}
}

// summary is what a deduplication says, but for its times.
func summary(r result) string {
	var out []string
	for line := range strings.Lines(string(r.stdout) + string(r.stderr)) {
		if !strings.Contains(line, " s ") && !strings.Contains(line, " s,") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}
