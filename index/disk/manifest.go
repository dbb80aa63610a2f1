package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/similarity"
)

// The names of files in an index.
const (
	manifestName = "MANIFEST"
	lockName     = "LOCK"
)

func segmentName(file uint64) string { return fmt.Sprintf("%08d.segment", file) }
func logName(file uint64) string     { return fmt.Sprintf("%08d.log", file) }

// manifest says which files make up an index, and how to recognise them. It is
// replaced as a whole.
type manifest struct {
	Version  int          `json:"version"`
	ID       uint64       `json:"id"` // of the index, random; its logs repeat it
	Header   []byte       `json:"header"`
	Segments []segmentRef `json:"segments"` // in ascending order of the documents' numbers
	Logs     []logRef     `json:"logs"`     // in the order in which they were written; the last one is open
	File     uint64       `json:"file"`     // greater than the numbers of all files
	Number   uint64       `json:"number"`   // of the first document that is not in a segment
}

// damage is an error that wraps similarity.ErrFormat. Its message is its own.
type damage string

func (d damage) Error() string { return string(d) }
func (d damage) Unwrap() error { return similarity.ErrFormat }

func damaged(format string, args ...any) error { return damage(fmt.Sprintf(format, args...)) }

// segmentRef names a segment. A manifest of version 1 has only File; then Size is
// 0.
type segmentRef struct {
	File uint64 `json:"file"`
	Size int64  `json:"size"`
	Sum  uint32 `json:"sum"` // of the footer, which has a checksum of everything before it
	Docs int64  `json:"docs"`
}

// logRef names a log.
type logRef struct {
	File    uint64 `json:"file"`
	Batches uint64 `json:"batches"` // minimum number of batches; the open log may have more
	Old     bool   `json:"old,omitempty"`
}

// holds says what is lost with a log.
func (ref logRef) holds() string {
	if ref.Batches == 0 {
		return "its batches"
	}
	return fmt.Sprintf("at least %d batches", ref.Batches)
}

const manifestVersion = 2

// manifestV1 is a manifest of version 1. It has only the numbers of files. All
// logs from number Log on belong to the index.
type manifestV1 struct {
	Header   []byte   `json:"header"`
	Segments []uint64 `json:"segments"`
	Log      uint64   `json:"log"`
	File     uint64   `json:"file"`
	Number   uint64   `json:"number"`
}

// readManifest returns the manifest of a directory. The error wraps
// index.ErrNone if there is no index.
func readManifest(dir string) (manifest, error) {
	var m manifest
	path := filepath.Join(dir, manifestName)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		// A folder with documents has had a manifest. Before the first manifest is
		// written, only a log without batches may be there.
		segments, err := listed(dir, segmentName)
		if err != nil {
			return m, err
		}
		logs, err := (&manifest{}).strays(dir)
		if err == nil && len(segments)+len(logs) > 0 {
			err = damaged("disk: %s is missing, but there are files of an index", path)
		}
		if err == nil {
			err = fmt.Errorf("disk: %s: %w", dir, index.ErrNone)
		}
		return m, err
	}
	if err != nil {
		return m, fmt.Errorf("disk: %w", err)
	}
	var v struct{ Version int }
	body, ok := unseal(raw)
	if !ok || json.Unmarshal(body, &v) != nil {
		return m, fmt.Errorf("disk: %s: %w", path, similarity.ErrFormat)
	}
	switch v.Version {
	case 1:
		var old manifestV1
		if err = json.Unmarshal(body, &old); err == nil {
			return old.manifest(dir)
		}
	case manifestVersion:
		if err = json.Unmarshal(body, &m); err == nil && len(m.Logs) > 0 {
			return m, nil
		}
	default:
		return m, fmt.Errorf("disk: %s: version %d, want %d: %w", path, v.Version, manifestVersion, similarity.ErrSettings)
	}
	return m, fmt.Errorf("disk: %s: %w", path, similarity.ErrFormat)
}

// manifest converts a manifest of version 1. It adds the logs that are in the
// directory.
func (old manifestV1) manifest(dir string) (manifest, error) {
	m := manifest{Version: 1, Header: old.Header, File: old.File, Number: old.Number}
	for _, file := range old.Segments {
		m.Segments = append(m.Segments, segmentRef{File: file})
	}
	m.Logs = []logRef{{File: old.Log, Old: true}}
	logs, err := listed(dir, logName)
	if err != nil {
		return m, err
	}
	for _, file := range logs {
		if file <= old.Log {
			continue
		}
		isOld, err := isOldLog(filepath.Join(dir, logName(file)))
		if err != nil {
			return m, fmt.Errorf("disk: %w", err)
		}
		if isOld {
			m.Logs = append(m.Logs, logRef{File: file, Old: true})
		}
	}
	return m, nil
}

// newID returns the identity of a new index. It is random, so that files of
// another index with the same settings are recognised.
func newID() uint64 { return rand.Uint64() }

// listed returns the numbers of the files of a kind in a directory, ascending.
// name returns the name of the file with a number.
func listed(dir string, name func(file uint64) string) ([]uint64, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("disk: %w", err)
	}
	var files []uint64
	for _, e := range entries {
		var file uint64
		if _, err := fmt.Sscanf(e.Name(), "%d.", &file); err == nil && name(file) == e.Name() {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files, nil
}

// strays returns the logs that have batches and that the manifest should name but
// does not. The documents of logs before the first named one are in segments. A
// log without batches may be new: a writer makes a log before it names it.
func (m *manifest) strays(dir string) ([]uint64, error) {
	logs, err := listed(dir, logName)
	if err != nil {
		return nil, err
	}
	var strays []uint64
	for _, file := range logs {
		if len(m.Logs) > 0 && file < m.Logs[0].File || slices.ContainsFunc(m.Logs, func(l logRef) bool { return l.File == file }) {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, logName(file)))
		if err != nil {
			return nil, fmt.Errorf("disk: %w", err)
		}
		if info.Size() > int64(logHeader) {
			strays = append(strays, file)
		}
	}
	return strays, nil
}

// strayed is the error of a stray log.
func strayed(path string) error {
	return damaged("disk: %s: not named by %s, which is older", path, manifestName)
}

// checkStrays returns an error if there is a stray log.
func (m *manifest) checkStrays(dir string) error {
	strays, err := m.strays(dir)
	if err == nil && len(strays) > 0 {
		err = strayed(filepath.Join(dir, logName(strays[0])))
	}
	return err
}

// missing returns the error of opening a file that the manifest names. If the file
// is not there, it says what is lost.
func missing(err error, path, what string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return damaged("disk: %s is missing: %s are lost", path, what)
	}
	return err
}

// open opens the segment and checks that it is the one that is named.
func (ref segmentRef) open(dir string) (*segment, error) {
	g, err := openSegment(dir, ref.File)
	if err != nil {
		return nil, missing(err, filepath.Join(dir, segmentName(ref.File)), ref.holds())
	}
	if err := ref.check(g); err != nil {
		g.release()
		return nil, err
	}
	return g, nil
}

// holds says what is lost with a segment.
func (ref segmentRef) holds() string {
	if ref.Size == 0 {
		return "its documents"
	}
	return fmt.Sprintf("its %d documents", ref.Docs)
}

// check returns an error if a segment is not the one that is named.
func (ref segmentRef) check(g *segment) error {
	if ref.Size != 0 && ref != g.ref() {
		return damaged("disk: %s: not the file that %s names", g.path, manifestName)
	}
	return nil
}

// write replaces the manifest of a directory. After an error, replaced says
// whether the new manifest may be on disk.
func (m manifest) write(dir string) (replaced bool, err error) {
	body, err := json.Marshal(m)
	if err != nil {
		panic("disk: " + err.Error()) // it is numbers and bytes
	}
	path := filepath.Join(dir, manifestName)
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return false, fmt.Errorf("disk: %w", err)
	}
	_, err = f.Write(seal(body))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(path+".new", path)
		replaced = err == nil
	}
	if err == nil {
		err = durable.SyncDir(dir)
	}
	if err != nil {
		return replaced, fmt.Errorf("disk: manifest: %w", err)
	}
	return true, nil
}
