package serve

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/alike-go/alike/eval"
)

// recordFiles is a folder of files of records. It notices files that appear or change
// while the server runs.
type recordFiles struct {
	dir   string
	mu    sync.Mutex
	known map[string]*recordFile
}

type recordFile struct {
	info    os.FileInfo
	records []eval.Record
	err     error
}

// maxRecordFile is the maximum length of a file of records, in bytes.
const maxRecordFile = 1 << 30

func (f *recordFiles) open(dir string) error {
	f.dir, f.known = dir, map[string]*recordFile{}
	if dir == "" {
		return nil
	}
	if _, err := os.ReadDir(dir); err != nil {
		return fmt.Errorf("serve: records: %w", err)
	}
	return nil
}

// list returns the names of the files, ascending.
func (f *recordFiles) list() []string {
	if f.dir == "" {
		return nil
	}
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".jsonl" {
			names = append(names, e.Name())
		}
	}
	return names
}

func (f *recordFiles) count() int { return len(f.list()) }

// read returns the records of a file by name. The name must be listed: it is compared
// with the list and never opened as a path.
func (f *recordFiles) read(name string) ([]eval.Record, error) {
	if !slices.Contains(f.list(), name) {
		return nil, problem(http.StatusNotFound, "no records %q; /v1/records lists them", name)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	path := filepath.Join(f.dir, name)
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("serve: records: %w", err)
	}
	if k := f.known[name]; k != nil && k.info.Size() == info.Size() && k.info.ModTime().Equal(info.ModTime()) {
		return k.records, k.err
	}
	k := &recordFile{info: info}
	if len(f.known) >= 64 {
		clear(f.known)
	}
	f.known[name] = k
	if info.Size() > maxRecordFile {
		k.err = problem(http.StatusRequestEntityTooLarge, "%s has %d bytes, want at most %d", name, info.Size(), maxRecordFile)
		return nil, k.err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("serve: records: %w", err)
	}
	if k.records, _, err = eval.ReadRecords(bytes.NewReader(b), name); err == nil && len(k.records) == 0 {
		err = fmt.Errorf("%s has no records", name)
	}
	if err != nil {
		k.records, k.err = nil, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	return k.records, k.err
}

type diffRequest struct {
	Named
	With string `query:"with" maxLength:"1000" doc:"name of another file of records; none compares every two methods of the one"`
}

func (s *Server) registerRecords() {
	register(s, operation{method: "GET", path: "/v1/records", id: "records", tag: "results", class: work,
		summary: "Files of records of alike eval"}, s.listRecords)
	register(s, operation{method: "GET", path: "/v1/records/{name}", id: "records-of", tag: "results", class: work,
		summary: "The records of a file, and which of them no other beats"}, s.recordsOf)
	register(s, operation{method: "GET", path: "/v1/records/{name}/diff", id: "records-diff", tag: "results", class: heavy,
		summary: "The differences of two runs, or of every two methods of one"}, s.diff)
}

func (s *Server) listRecords(ctx context.Context, _ *nothing) (*recordsResponse, error) {
	files := []RecordFile{}
	for _, name := range s.records.list() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := RecordFile{Name: name, Datasets: []string{}}
		records, err := s.records.read(name)
		if err != nil {
			f.Error = err.Error()
		}
		f.Records = len(records)
		for _, r := range records {
			f.Details = f.Details || r.Details != nil
			if !slices.Contains(f.Datasets, r.Dataset) {
				f.Datasets = append(f.Datasets, r.Dataset)
			}
		}
		files = append(files, f)
	}
	return &recordsResponse{files}, nil
}

func (s *Server) recordsOf(_ context.Context, in *Named) (*RecordsOf, error) {
	records, err := s.records.read(in.Name)
	if err != nil {
		return nil, err
	}
	items := []RecordItem{}
	for _, same := range eval.ByData(records) {
		best, states := eval.Standings(same, eval.DefaultMargin)
		front := front(same)
		for i, r := range same {
			r.Details = nil
			items = append(items, RecordItem{r, front[i], i == best, states[i]})
		}
	}
	return &RecordsOf{in.Name, items}, nil
}

// front reports which records no other beats in F1, bytes and sketching speed. Baselines
// neither beat others nor are on the front.
func front(records []eval.Record) []bool {
	axes := make([][]float64, len(records))
	for i, r := range records {
		if !r.Baseline {
			axes[i] = []float64{float64(r.F1), -float64(r.BytesPerDoc), float64(r.SketchMBs)}
		}
	}
	return eval.Front(axes)
}

func (s *Server) diff(_ context.Context, in *diffRequest) (*DiffResponse, error) {
	a, err := s.records.read(in.Name)
	if err != nil {
		return nil, err
	}
	var found []eval.Comparison
	if in.With == "" {
		found, err = eval.Grid(a, eval.DefaultMargin)
	} else {
		var b []eval.Record
		if b, err = s.records.read(in.With); err != nil {
			return nil, err
		}
		found, err = eval.Diff(a, b, eval.DefaultMargin)
	}
	if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	return &DiffResponse{append([]eval.Comparison{}, found...)}, nil
}
