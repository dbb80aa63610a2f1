package jiebadict

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/alike-go/alike/internal/durable"
)

// Unpack returns a directory that contains all files, uncompressed. The first call of a
// process verifies the files that an earlier process left there, and writes files that
// are missing or damaged. Later calls return the same directory.
//
// The directory is alike/jieba-CHECKSUM in the user's cache directory
// (os.UserCacheDir). If that cannot be written, it is in a directory for the user in the
// temporary directory. Several processes may unpack at the same time.
func Unpack() (dir string, err error) { return unpackOnce() }

var unpackOnce = sync.OnceValues(func() (string, error) { return unpackUnder(bases()) })

// unpackUnder unpacks under the first base that can be written. The error names every
// base.
func unpackUnder(bases []string) (string, error) {
	failed := errors.New("jiebadict: no directory to unpack to")
	for _, base := range bases {
		dir := filepath.Join(base, "jieba-"+Sum(files()...))
		err := unpackTo(dir)
		if err == nil {
			return dir, nil
		}
		failed = fmt.Errorf("%w; %w", failed, err)
	}
	return "", failed
}

// bases returns the directories to unpack under, best first.
func bases() []string {
	var b []string
	if cache, err := os.UserCacheDir(); err == nil && filepath.IsAbs(cache) {
		b = append(b, filepath.Join(cache, "alike"))
	}
	// The user's number separates users of a shared temporary directory.
	return append(b, filepath.Join(os.TempDir(), fmt.Sprintf("alike-%d", os.Getuid())))
}

// unpackTo makes dir contain all files, verified. It creates dir, leaves good files
// alone and replaces damaged ones.
func unpackTo(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("jiebadict: unpack: %w", err)
	}
	for _, f := range files() {
		if err := unpackFile(filepath.Join(dir, f.Name), f); err != nil {
			return fmt.Errorf("jiebadict: unpack %s: %w", f.Name, err)
		}
	}
	return nil
}

// patience is how long unpackFile waits for another process.
const patience = 10 * time.Second

// unpackFile writes a file unless it is good. It waits while another process or
// goroutine writes the same file.
func unpackFile(path string, f File) error {
	start := time.Now()
	for !good(path, f) {
		content, err := Read(f)
		if err != nil {
			return err
		}
		err = durable.Replace(path, content)
		if err == nil || good(path, f) { // another process may have written it
			return nil
		}
		if !errors.Is(err, durable.ErrBusy) || time.Since(start) > patience {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// good reports whether the file exists with the right content. It does not read a file
// of another size.
func good(path string, f File) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(f.Size) {
		return false
	}
	content, err := os.ReadFile(path)
	return err == nil && f.matches(content)
}
