package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/similarity"
)

// Options says what to do. Fields that package local has too mean the same there.
type Options struct {
	// Sources are files, folders, or files of a file system of Beam, read in their
	// order. All are read in the same way: only Path and Format may differ.
	Sources []datasets.Source

	// Against are old documents, which are kept and not written. Duplicates of them
	// are removed from Sources. They come before Sources in every order, and are
	// read in the same way.
	Against []datasets.Source

	// Out is the folder to make. In a file system of Beam it must not exist before,
	// and it is complete when report.json is in it.
	Out string

	Method             similarity.Method
	Candidates, Recall float64
	Verify             similarity.Method // nil means that the sketches decide
	Threshold          float64
	Keep               dedup.Policy
	Limits             dedup.Limits
	Judged             *dedup.Judged // every worker holds all judgements
	SkipBad            int
	OnBad              func(error)
	MaxDrop            float64
	DropText           bool
	Annotate, Explain  bool
	Mask               clean.Mask // what texts are compared without

	// Runner is the registered name of a runner of Beam.
	Runner string

	// PieceBytes is how much of a file one worker reads at a time. Zero means 64 MiB.
	PieceBytes int64

	// Groups is the number of groups that a method's own join takes two at a time.
	// Zero means one per groupBytes of input if the method joins better than it
	// fills buckets, and none otherwise.
	Groups int

	// Documents is the number of documents that buckets are laid out for, as in
	// similarity.JoinOptions: it only decides the number and length of keys. Zero
	// means an estimate from the size of the input. Up to ten million that is the
	// layout of package local.
	Documents int64

	// Crowded is the number of members, estimated from a sample, from which on a
	// bucket is cut in blocks before it is sent. Then no worker gets all of it. Zero
	// means a sound number.
	Crowded int

	// Waves is how many waves decide before the rest is swept on one worker. Zero means a sound number.
	Waves int
}

// groupBytes is the bytes of text in a group of documents. A worker joins two
// groups at a time in memory.
const groupBytes = 128 << 20

// Shuffle says how much went through one shuffle.
type Shuffle struct {
	Name            string `json:"name"`
	Bytes, Elements int64
}

// Result is what a run did.
type Result struct {
	// Report is the report of package local for the same input, except for two
	// fields: it has no sums of the sources, and Scored counts every verified pair
	// exactly once. With Judged, Active, Scored and Chaining do not count pairs that only
	// judgements link, and WithoutFeatures counts judged documents even if the policy
	// none removes them.
	Report local.Report

	// Shuffles are what workers sent each other, if the runner tells.
	Shuffles []Shuffle
}

// settings checks the options and returns the settings of the workers.
func (o *Options) settings() (settings, error) {
	var none settings
	switch {
	case len(o.Sources) == 0:
		return none, errors.New("beam: no sources")
	case o.Out == "":
		return none, errors.New("beam: no folder to write to")
	case !utf8.ValidString(o.Out): // settings are sent as JSON
		return none, fmt.Errorf("beam: the name of the folder %q is no UTF-8", o.Out)
	case o.Method == nil:
		return none, errors.New("beam: no method")
	case math.IsNaN(o.Threshold) || o.Threshold <= 0 || o.Threshold > 1:
		return none, fmt.Errorf("beam: threshold is %v, want more than 0 and at most 1", o.Threshold)
	case math.IsNaN(o.MaxDrop) || o.MaxDrop < 0 || o.MaxDrop > 1:
		return none, fmt.Errorf("beam: MaxDrop is %v, want 0 to 1", o.MaxDrop)
	case o.Groups < 0 || o.Documents < 0 || o.Waves < 0 || o.Crowded < 0 || o.PieceBytes < 0 || o.SkipBad < 0:
		return none, fmt.Errorf("beam: Groups %d, Documents %d, Waves %d, Crowded %d, PieceBytes %d, SkipBad %d: want none below 0", o.Groups, o.Documents, o.Waves, o.Crowded, o.PieceBytes, o.SkipBad)
	case o.Annotate && o.DropText:
		return none, errors.New("beam: Annotate keeps all rows as they are; it goes without DropText")
	}
	if err := o.Limits.Check(); err != nil {
		return none, fmt.Errorf("beam: %w", err)
	}
	if _, err := clean.New(clean.Options{Mask: o.Mask}); err != nil {
		return none, fmt.Errorf("beam: %w", err)
	}
	for _, old := range o.Against {
		if local.IsSketchFile(old.Path) {
			return none, fmt.Errorf("beam: %s holds sketches and no texts: want the documents that they were made of", old.Path)
		}
	}
	for _, m := range []similarity.Method{o.Method, o.Verify} {
		if m == nil {
			continue
		}
		if m.FitState() == similarity.Fitted {
			return none, fmt.Errorf("beam: %s was fitted on a corpus, which workers cannot be told: want a method without a fit", m)
		}
		if _, err := parse(m.String()); err != nil {
			return none, err
		}
	}
	s := settings{
		Method: o.Method.String(), Candidates: cmp.Or(o.Candidates, o.Threshold), Recall: cmp.Or(o.Recall, similarity.DefaultRecall),
		Threshold: o.Threshold, Keep: o.Keep.String(), Limits: o.Limits, Read: o.Sources[0], SkipBad: o.SkipBad,
		MaxDrop: cmp.Or(o.MaxDrop, 1), Out: o.Out, DropText: o.DropText, Annotate: o.Annotate, Explain: o.Explain, Mask: o.Mask, Old: len(o.Against), Groups: o.Groups, Crowded: cmp.Or(o.Crowded, crowdedMembers),
	}
	if o.Verify != nil {
		s.Verify = o.Verify.String()
	}
	if o.Judged != nil {
		s.Judged, s.JudgedSum = o.Judged.All(), o.Judged.String()
	}
	return s, nil
}

// largestCarried is the maximum size in bytes of a sketch that postings carry.
const largestCarried = 16

// documentBytes is the assumed input per document if their number is not stated.
// fewDocuments is how many the layout of package local serves.
const (
	documentBytes = 2000
	fewDocuments  = 10_000_000
)

// slotBytes is the input per slot. Slots are larger or smaller if that makes more
// of them than the postings of a piece fill, or fewer than there may be workers.
const slotBytes = 16 << 20

// layout decides how texts meet.
func (o *Options) layout(s *settings, input int64) (design string, recall float64, err error) {
	if s.Documents = o.Documents; s.Documents == 0 && input/documentBytes > fewDocuments {
		s.Documents = input / documentBytes
	}
	s.SlotBits = min(20, max(6, bits.Len64(uint64(input/slotBytes))))
	c := o.Method.NewCollection()
	join := similarity.JoinOptions{Threshold: s.Candidates, Recall: s.Recall, Documents: s.Documents, Workers: 1}
	b, err := c.Buckets(join)
	switch {
	case err != nil && !errors.Is(err, similarity.ErrNoBuckets):
		return "", 0, err
	case err != nil || b.Tables <= 2: // as in package local
		if s.Groups == 0 {
			s.Groups = int(1 + input/groupBytes)
		}
		st, err := c.Join(context.Background(), nil, join, func(similarity.Pair) error { return nil })
		return st.Design, st.Recall, err
	}
	if o.Groups > 0 { // a join misses pairs of one bucket that score below Candidates
		return "", 0, fmt.Errorf("beam: texts of %s meet in buckets, by which more is found than in groups: want no Groups", o.Method)
	}
	c.Add("a text that is long enough to have a sketch of the size that sketches have, or nearly")
	s.Carry = c.Bytes(0) <= largestCarried
	return b.Design, b.Recall(s.Candidates), nil
}

// Run removes duplicates. The folder Out appears when all is done.
func Run(ctx context.Context, o Options) (*Result, error) {
	if o.Annotate {
		o.MaxDrop = 1 // nothing is dropped
	}
	set, err := o.settings()
	if err != nil {
		return nil, err
	}
	all, err := pieces(o.Against, o.Sources, cmp.Or(o.PieceBytes, defaultPieceBytes))
	if err != nil {
		return nil, err
	}
	fresh := all[set.oldPieces(all):]
	if err := sameFormat(fresh); err != nil {
		return nil, err
	}
	if err := sameColumns(ctx, fresh, &set.Read); err != nil {
		return nil, err
	}
	if o.Annotate {
		if err := fresh[0].checkColumns(ctx, &set.Read); err != nil {
			return nil, err
		}
	}
	input, err := inputBytes(ctx, all)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	r.Report.Design, r.Report.Recall, err = o.layout(&set, input)
	if err != nil {
		return nil, err
	}
	set.NewGroup = set.group(&fresh[0])
	began := time.Now()
	if !remote(o.Out) {
		if err := local.CheckPlaces(slices.Concat(o.Against, o.Sources), o.Out); err != nil {
			return nil, err
		}
		if set.Out, err = makeFolder(o.Out, set.folders(fresh[0].Format)); err != nil {
			return nil, fmt.Errorf("beam: %w", err)
		}
		defer os.RemoveAll(set.Out)
	}
	p, root := beam.NewPipelineWithRoot()
	if err := build(root, all, set, max(2, cmp.Or(o.Waves, defaultWaves))); err != nil {
		return nil, err
	}
	result, err := beam.Run(ctx, cmp.Or(o.Runner, "prism"), p)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("beam: %w", context.Cause(ctx))
		}
		return nil, fmt.Errorf("beam: %w", err)
	}
	r.shuffles(result)
	sum, err := set.summary(ctx)
	if err != nil {
		return nil, err
	}
	r.report(&o, &set, sum)
	if err := r.repeats(ctx, &set, all, sum); err != nil {
		return nil, err
	}
	r.Report.Run = local.Timing{Seconds: time.Since(began).Seconds(), Stages: []local.Stage{{Name: "pipeline", Seconds: time.Since(began).Seconds()}}}
	if err := o.refuse(sum, &r.Report); err != nil {
		return nil, err
	}
	var layout []byte
	if !o.Annotate {
		if layout, err = local.PiecesLayout(r.Report.Sources, sum.Laid, o.DropText); err != nil {
			return nil, err
		}
	}
	return r, set.finish(ctx, layout, &r.Report, o.Out)
}

// makeFolder makes the folder that outputs are written to until they are complete,
// with folders in it. A killed run's folder is not used again, because its workers
// may still be writing there.
func makeFolder(out string, folders []string) (string, error) {
	if _, err := os.Lstat(out); err == nil {
		return "", fmt.Errorf("%s exists already", out)
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+".partial-*")
	if err != nil {
		return "", err
	}
	err = os.Chmod(dir, 0o777)
	for _, name := range folders {
		err = errors.Join(err, os.Mkdir(filepath.Join(dir, name), 0o777))
	}
	if err != nil {
		os.RemoveAll(dir)
	}
	return dir, err
}

// folders returns the folders of the outputs, which exist even if no text goes to
// them.
func (s *settings) folders(format string) []string {
	switch {
	case format != "text":
		return nil
	case s.DropText:
		return []string{"kept"}
	}
	return []string{"kept", "removed"}
}

// oldPieces returns how many pieces are of old sources. They come first.
func (s *settings) oldPieces(all []piece) int {
	n := slices.IndexFunc(all, func(p piece) bool { return !s.old(p.Source) })
	return max(n, 0)
}

// sameFormat refuses files of different formats.
func sameFormat(all []piece) error {
	for i := range all {
		if all[i].Format != all[0].Format {
			return fmt.Errorf("beam: %s is %s, %s is %s: files of different formats do not go into one output", all[0].Files[0].Name, all[0].Format, all[i].Files[0].Name, all[i].Format)
		}
	}
	return nil
}

// sameColumns refuses tables of different columns: their pieces could not be
// concatenated.
func sameColumns(ctx context.Context, all []piece, like *datasets.Source) error {
	if format := all[0].Format; len(all) == 1 || format != "csv" && format != "tsv" && format != "parquet" {
		return nil
	}
	first, err := all[0].open(ctx, 0, like)
	if err != nil {
		return err
	}
	c, err := datasets.NewCopier(io.Discard, first.RawReader)
	for i := 1; i < len(all) && err == nil; i++ {
		var r *opened
		if r, err = all[i].open(ctx, 0, like); err == nil {
			err = errors.Join(c.Fits(r.RawReader), r.close())
		}
	}
	return errors.Join(err, first.close())
}

// inputBytes returns the size of the input.
func inputBytes(ctx context.Context, all []piece) (int64, error) {
	var n int64
	size := func(path string) (int64, error) {
		if !remote(path) {
			info, err := os.Stat(path)
			if err != nil {
				return 0, err
			}
			return info.Size(), nil
		}
		system, err := filesystem.New(ctx, path)
		if err != nil {
			return 0, err
		}
		n, err := system.Size(ctx, path)
		return n, errors.Join(err, system.Close())
	}
	for _, p := range all {
		if p.To > 0 {
			n += p.To - p.From
			continue
		}
		for _, f := range p.Files {
			of, err := size(f.Path)
			if err != nil {
				return 0, fmt.Errorf("beam: %w", err)
			}
			n += of
		}
	}
	return n, nil
}

func (r *Result) shuffles(p beam.PipelineResult) {
	if p == nil {
		return
	}
	for _, d := range p.Metrics().AllMetrics().Distributions() {
		if d.Namespace() != shuffleNamespace {
			continue
		}
		i := slices.IndexFunc(r.Shuffles, func(s Shuffle) bool { return s.Name == d.Name() })
		if i < 0 {
			i = len(r.Shuffles)
			r.Shuffles = append(r.Shuffles, Shuffle{Name: d.Name()})
		}
		r.Shuffles[i].Bytes += d.Result().Sum
		r.Shuffles[i].Elements += d.Result().Count
	}
}

// ShuffleBytes returns the bytes of all shuffles, 0 if the runner does not tell.
func (r *Result) ShuffleBytes() (n int64) {
	for _, s := range r.Shuffles {
		n += s.Bytes
	}
	return n
}

// summary reads the summary of the workers.
func (s *settings) summary(ctx context.Context) (*summary, error) {
	in, err := openFile(ctx, s.Out+"/"+summaryFile)
	if err != nil {
		return nil, fmt.Errorf("beam: the workers have left no summary; do they write to the same folder? %w", err)
	}
	data, err := io.ReadAll(in)
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, fmt.Errorf("beam: %w", err)
	}
	var sum summary
	if err := json.Unmarshal(data, &sum); err != nil {
		return nil, fmt.Errorf("beam: summary: %w", err)
	}
	return &sum, nil
}

// report fills in the report from the summary.
func (r *Result) report(o *Options, s *settings, sum *summary) {
	n := func(name string) int { return int(sum.Counts[name]) }
	rep := &r.Report
	rep.Rows, rep.Unreadable, rep.Bytes = n("rows"), n("unreadable"), sum.Counts["bytes"]
	rep.Documents = rep.Rows - rep.Unreadable
	rep.Equal, rep.Alike, rep.First = n("equal"), n("alike"), n("first")
	rep.Judged = n("judged")
	rep.Kept = rep.Documents - rep.Removed()
	rep.Unpaired, rep.Reading = sum.Counts["unpaired"], s.Read.Reading()
	rep.WithoutFeatures = n("empty")
	rep.Clusters = n("clusters")
	for _, l := range sum.Largest {
		rep.Largest = l.Size
		rep.LargestAt = s.place(l.Source, l.Row)
	}
	rep.Chaining = dedup.Chaining{Components: n("components"), Documents: n("component documents"), Largest: n("largest component"), Apart: n("apart"), Partial: n("chaining partial") > 0}
	rep.Texts = rep.Documents + n("old rows") - n("old unreadable") - n("doubles")
	rep.Active, rep.Scored = n("active"), sum.Counts["scored"]
	rep.Missing = sum.Counts["missing"]
	alone := local.Options{
		Method: o.Method, Verify: o.Verify, Candidates: s.Candidates, Recall: s.Recall, Threshold: s.Threshold, Keep: o.Keep, Limits: o.Limits, Judged: o.Judged,
		Clean: clean.Options{Mask: s.Mask},
	}
	rep.Settings = alone.Settings()
	rows := make([]int, len(o.Against)+len(o.Sources))
	for _, p := range sum.Pieces {
		rows[p.Source] += p.Rows
	}
	origins := func(sources []datasets.Source, rows []int) (out []local.Origin) {
		for i, src := range sources {
			out = append(out, local.Origin{Path: cmp.Or(src.Name, src.Path), Rows: rows[i]})
		}
		return out
	}
	rep.Against, rep.Sources = origins(o.Against, rows), origins(o.Sources, rows[s.Old:])
}

// repeats reports which ids repeat.
func (r *Result) repeats(ctx context.Context, s *settings, all []piece, sum *summary) (err error) {
	if r.Report.Repeated = int(sum.Repeats.N); sum.Repeats.N == 0 {
		return nil
	}
	i := slices.IndexFunc(all, func(p piece) bool { return bytes.Equal(p.key(), sum.Repeats.Piece) })
	if i < 0 {
		return errCut
	}
	r.Report.RepeatedID, err = s.idAt(ctx, &all[i], sum.Repeats.Row, starts(sum.Pieces, nil)[string(sum.Repeats.Piece)])
	return err
}

// refuse returns the error of a run that has written nothing.
func (o *Options) refuse(sum *summary, rep *local.Report) error {
	for i, b := range sum.Bad {
		bad := &datasets.BadRow{File: b.File, Line: b.Line, Err: errors.New(b.Error)}
		if i >= o.SkipBad {
			return bad
		}
		if o.OnBad != nil {
			o.OnBad(bad)
		}
	}
	if err := lacking(o.Limits, o.Keep, sum.Counts, o.Sources[len(o.Sources)-1].FieldNames); err != nil {
		return err
	}
	if o.Judged != nil && sum.Counts["judged texts"] == 0 && rep.Texts > 0 {
		return fmt.Errorf("beam: no document has an id of those judged (%v)", o.Judged)
	}
	if limit := cmp.Or(o.MaxDrop, 1); rep.DropShare() > limit {
		return &local.DropError{Report: rep, Max: limit}
	}
	return nil
}

// finish writes the layout, if there is one, and the report, and gives the folder its name.
func (s *settings) finish(ctx context.Context, layout []byte, rep *local.Report, out string) error {
	report, err := json.MarshalIndent(rep, "", "  ")
	if err != nil {
		return fmt.Errorf("beam: report: %w", err)
	}
	for _, f := range []struct {
		name    string
		content []byte
	}{{local.LayoutFile, layout}, {"report.json", append(report, '\n')}} {
		if f.content == nil {
			continue
		}
		if err := s.writeFile(ctx, f.name, f.content); err != nil {
			return err
		}
	}
	if remote(s.Out) {
		return nil
	}
	if err := os.Remove(filepath.Join(s.Out, summaryFile)); err != nil {
		return fmt.Errorf("beam: %w", err)
	}
	if err := os.Rename(s.Out, out); err != nil {
		return fmt.Errorf("beam: %w", err)
	}
	return nil
}
