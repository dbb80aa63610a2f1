package local

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/repeats"
	"github.com/alike-go/alike/internal/durable"
)

// leakWriter writes training data without the documents in which test documents
// occur: a folder such as Run makes. Rows are written as they are compared.
type leakWriter struct {
	folder        *durable.Folder
	in            *input
	ending        string
	kept, removed sink
	why           *bufio.Writer
	clusters      *bufio.Writer
	files         []*aside
	parser        datasets.Parser

	sizes  map[int]int // of clusters
	report Report
}

// newLeakWriter begins the folder, or returns nil if none is wanted.
func (l *leaks) newLeakWriter(in *input) (w *leakWriter, err error) {
	if l.o.Clean == "" {
		return nil, nil
	}
	all := slices.Clone(in.sources)
	for _, set := range l.o.Tests {
		all = append(all, set.Sources...)
	}
	if err := cmp.Or(CheckPlaces(all, l.o.Clean), oneFile(in.sources)); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(l.o.Clean); err == nil {
		return nil, fmt.Errorf("dedup: %s exists already", l.o.Clean)
	}
	w = &leakWriter{in: in, sizes: make(map[int]int)}
	if l.o.Cut {
		w.report.Below = &BelowReport{}
	}
	if w.folder, err = durable.CreateFolder(l.o.Clean); err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.abort())
		}
	}()
	open, ending, err := newSinks(w.folder.Dir, "", false, in.sources)
	if err != nil {
		return nil, err
	}
	w.ending = ending
	if w.kept, err = open("kept"); err != nil {
		return nil, err
	}
	if w.removed, err = open("removed"); err != nil {
		return nil, err
	}
	for name, to := range map[string]**bufio.Writer{whyFile: &w.why, clustersFile: &w.clusters} {
		f, err := create(filepath.Join(w.folder.Dir, name))
		if err != nil {
			return nil, err
		}
		w.files = append(w.files, f)
		*to = bufio.NewWriterSize(f, 1<<16)
	}
	w.clusters.WriteString(clustersHeader)
	return w, nil
}

// keep writes a row that stays. A nil writer writes nothing.
func (w *leakWriter) keep(raw datasets.RawRow, text string) error {
	if w == nil {
		return nil
	}
	w.report.Documents++
	w.report.Kept++
	w.report.Bytes += int64(len(text))
	return w.kept.write(raw, &w.parser)
}

// remove writes a row that does not, and why.
func (w *leakWriter) remove(raw datasets.RawRow, text string, why *Removal) error {
	if w == nil {
		return nil
	}
	to := w.removed
	if why.Reason == reasonBad {
		w.report.Unreadable++
		if !treeOrParquet(raw, w.kept) {
			to, why.Raw = nowhere{}, raw.Bytes
		}
	} else {
		w.report.Documents++
		w.report.Leaked++
		w.report.Bytes += int64(len(text))
		if b := w.report.Below; b != nil {
			b.Gone += int64(len(text))
		}
		w.sizes[why.Cluster]++
		fmt.Fprintf(w.clusters, "%s\t%d\n", why.ID, why.Cluster)
	}
	if err := to.write(raw, &w.parser); err != nil {
		return err
	}
	return w.say(why)
}

// cut writes a row that stays with what is left of its text, and what was cut out.
func (w *leakWriter) cut(raw datasets.RawRow, text, rest string, why *Removal) error {
	w.report.Documents++
	w.report.Kept++
	w.report.Bytes += int64(len(text))
	b := w.report.Below
	b.Cut++
	b.Cuts += int64(len(why.Cuts))
	b.Gone += int64(len(text) - len(rest))
	if _, files := w.kept.(*tree); files {
		if err := wholeFile(&raw); err != nil {
			return err
		}
	}
	if err := change(w.kept, raw, rest, &w.parser); err != nil {
		return err
	}
	if err := w.removed.write(raw, &w.parser); err != nil {
		return err
	}
	return w.say(why)
}

// say writes a line of why.jsonl.
func (w *leakWriter) say(why *Removal) error {
	enc := json.NewEncoder(w.why)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(why); err != nil {
		return fmt.Errorf("dedup: %s: %w", whyFile, err)
	}
	return nil
}

// commit gives the folder its name.
func (w *leakWriter) commit(o *LeakOptions) error {
	if w == nil {
		return nil
	}
	err := errors.Join(w.why.Flush(), w.clusters.Flush(), w.close())
	if err != nil {
		return errors.Join(err, w.abort())
	}
	r := &w.report
	r.Rows = r.Documents + r.Unreadable
	r.Clusters = len(w.sizes)
	for _, n := range w.sizes {
		r.Largest = max(r.Largest, n)
	}
	r.Settings = Settings{
		Method: o.method(), Candidates: o.Threshold, Recall: 1, Verify: o.method(), Threshold: o.Threshold, Cohesion: o.Threshold,
		Keep: "first", Clean: o.Mask.String(), Passage: o.Passage.String(),
	}
	r.Reading = w.in.sources[0].Reading()
	r.Sources = w.in.origins()
	for _, set := range o.Tests {
		for _, s := range set.Sources {
			r.Against = append(r.Against, Origin{Path: cmp.Or(s.Name, s.Path)})
		}
	}
	layout := layout{Version: layoutVersion, Ending: w.ending, Tree: w.ending == "", Sources: r.Sources}
	if r.Below != nil {
		layout.Version, layout.Cut = cutsVersion, true
		r.Settings.Below = "passages of test documents"
	}
	err = layout.write(w.folder.Dir, w.in, 0)
	if err == nil {
		err = r.write(w.folder.Dir)
	}
	if err != nil {
		return errors.Join(err, w.folder.Abort())
	}
	return prefixed(w.folder.Commit(""))
}

// close closes the files.
func (w *leakWriter) close() (err error) {
	for _, s := range []sink{w.kept, w.removed} {
		if s != nil {
			err = errors.Join(err, s.close())
		}
	}
	for _, f := range w.files {
		err = errors.Join(err, f.close())
	}
	w.kept, w.removed, w.files = nil, nil, nil
	return err
}

// abort removes what was written.
func (w *leakWriter) abort() error {
	if w == nil {
		return nil
	}
	return errors.Join(w.close(), w.folder.Abort())
}

// removal says why a training document is removed.
func (l *leaks) removal(ref dedup.Ref, o *occurrence) *Removal {
	item := int(l.parts[o.part].item)
	why := &Removal{
		ID: o.id, Ref: ref, At: o.at, Reason: reasonLeaked, Score: o.contained, Method: l.o.method(), Cluster: item + 1,
		Kept: l.test(item), Shared: o.shared,
	}
	if l.o.Passage.set() {
		why.Rule, why.Words = o.rule.String(), o.longest.Words
	}
	return why
}

// cut says what was cut out of a training document, and why.
func (l *leaks) cut(ref dedup.Ref, o *occurrence, cuts []repeats.Cut) *Removal {
	why := l.removal(ref, o)
	why.Reason, why.Cluster, why.Shared = reasonCut, 0, nil
	for _, c := range cuts {
		why.Cuts = append(why.Cuts, Cut{Start: c.Start, End: c.End, Test: l.test(c.Kept.Doc)})
	}
	return why
}

// test names a test document.
func (l *leaks) test(item int) *Kept {
	it := &l.items[item]
	return &Kept{ID: it.id, Ref: it.ref, At: it.at, Against: true}
}

// method names the score.
func (o *LeakOptions) method() string {
	name := "shingle:measure=overlap"
	if f := o.Features.String(); f != "" {
		name += "," + f
	}
	return name
}
