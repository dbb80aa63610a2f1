package main

import (
	"debug/buildinfo"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"github.com/alike-go/alike/eval"
)

// corpus is a generated one and what is run on it besides the defaults.
type corpus struct {
	set, make string
	args      []string
}

// measureMade runs the methods on generated corpora up to a hundred thousand documents. The
// first has all kinds of edits; those of the yardstick go on in measureMillion.
func measureMade(l *lab) ([]record, error) {
	return l.measureCorpora("made", []corpus{
		{"edits", "-n 20000 --share 0.5", []string{"", "--threshold 0.5"}},
		{"1 kB", "-n 100000 --mean 155", []string{""}},
		{"10^4", "-n 10000 --yardstick", []string{""}},
		{"10^5", "-n 100000 --yardstick", []string{""}},
	})
}

// measureMillion runs the methods on a million documents of 2.6 GB.
func measureMillion(l *lab) ([]record, error) {
	return l.measureCorpora("million", []corpus{{"10^6", "-n 1000000 --yardstick", []string{"", "--memory 1GiB"}}})
}

// measureHuge runs the methods on ten million short documents.
func measureHuge(l *lab) ([]record, error) {
	return l.measureCorpora("huge", []corpus{{"10^7 short", "-n 10000000 --mean 30", []string{"--memory 4GiB"}}})
}

func (l *lab) measureCorpora(section string, corpora []corpus) (out []record, err error) {
	for _, c := range corpora {
		dir := filepath.Join(l.dir, "corpus")
		if _, err := l.command(append(strings.Fields("datasets make "+c.make), dir)...); err != nil {
			return nil, err
		}
		for _, m := range methods {
			for _, args := range c.args {
				log.Printf("%s, %s %s", c.set, m, args)
				r := record{Section: section, Set: c.set, Variant: c.make, Method: m, Args: args}
				folder, err := l.dedup(filepath.Join(dir, "docs.jsonl"), &r)
				if err != nil {
					return nil, err
				}
				if err := r.judgeMade(filepath.Join(folder, "clusters.tsv"), filepath.Join(dir, "edits.tsv")); err != nil {
					return nil, err
				}
				out = append(out, r)
			}
		}
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// judgeMade holds clusters against the truth of a generated corpus, in which the id of a copy
// begins with that of its original and a tilde. Every copy is removable.
func (r *record) judgeMade(clusters, edits string) error {
	original := func(id string) string {
		id, _, _ = strings.Cut(id, "~")
		return id
	}
	kept := make(map[string]string)  // by cluster, the true cluster of the first
	removed := make(map[string]bool) // documents removed rightly
	err := rows(clusters, func(f []string) {
		id, cluster := f[0], f[1]
		switch k, ok := kept[cluster]; {
		case !ok:
			kept[cluster] = strings.Clone(original(id))
		case k == original(id):
			r.Right++
			removed[strings.Clone(id)] = true
		default:
			r.Wrong++
		}
	})
	if err != nil {
		return err
	}
	return rows(edits, func(f []string) {
		name := f[2] + ":" + f[3]
		i := slices.IndexFunc(r.Kinds, func(k kind) bool { return k.Name == name })
		if i < 0 {
			i = len(r.Kinds)
			r.Kinds = append(r.Kinds, kind{Name: strings.Clone(name)})
		}
		r.Removable++
		r.Kinds[i].Copies++
		if removed[f[0]] {
			r.Kinds[i].Found++
		}
	})
}

// machineOf describes the machine, and the commit that a command was built from.
func machineOf(command string) (eval.Machine, error) {
	m := eval.Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpuid.CPU.BrandName, CPUs: runtime.NumCPU()}
	info, err := buildinfo.ReadFile(command)
	if err != nil {
		return m, err
	}
	m.Go = info.GoVersion
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			m.Commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			m.Commit += "+changed"
		}
	}
	return m, nil
}
