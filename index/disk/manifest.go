package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// The names of files in an index.
const (
	manifestName = "MANIFEST"
	lockName     = "LOCK"
)

func segmentName(file uint64) string { return fmt.Sprintf("%08d.segment", file) }
func logName(file uint64) string     { return fmt.Sprintf("%08d.log", file) }

// manifest says which files make up an index. It is replaced as a whole: what it does not name
// is not there.
type manifest struct {
	Version  int      `json:"version"`
	Header   []byte   `json:"header"`
	Segments []uint64 `json:"segments"` // in ascending order of the documents' numbers
	Log      uint64   `json:"log"`      // the first log; those after it count too
	File     uint64   `json:"file"`     // greater than those of all files
	Number   uint64   `json:"number"`   // the next document's, but for what the logs hold
}

const manifestVersion = 1

// readManifest returns the manifest of a directory. The error wraps index.ErrNone where there
// is none.
func readManifest(dir string) (manifest, error) {
	var m manifest
	raw, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("disk: %s: %w", dir, index.ErrNone)
	}
	if err != nil {
		return m, fmt.Errorf("disk: %w", err)
	}
	body, ok := unseal(raw)
	if !ok || json.Unmarshal(body, &m) != nil {
		return m, fmt.Errorf("disk: %s: %w", filepath.Join(dir, manifestName), similarity.ErrFormat)
	}
	if m.Version != manifestVersion {
		return m, fmt.Errorf("disk: %s: version %d, want %d: %w", filepath.Join(dir, manifestName), m.Version, manifestVersion, similarity.ErrSettings)
	}
	return m, nil
}

// write replaces the manifest of a directory.
func (m manifest) write(dir string) error {
	body, err := json.Marshal(m)
	if err != nil {
		panic("disk: " + err.Error()) // it is numbers and bytes
	}
	path := filepath.Join(dir, manifestName)
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	_, err = f.Write(seal(body))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err == nil {
		err = syncDir(dir)
	}
	if err != nil {
		return fmt.Errorf("disk: manifest: %w", err)
	}
	return nil
}

// syncDir makes the names in a directory durable, where the system can.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
