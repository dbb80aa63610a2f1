package jiebadict

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Unpack returns a directory that holds all files, uncompressed. The first call
// of a process verifies those that an earlier process left there and writes the
// ones that are missing or damaged; later calls return the same.
//
// The directory is alike/jieba-CHECKSUM in the user's cache directory
// (os.UserCacheDir), or, where that cannot be written, the same in a directory
// of the user's own in the temporary directory. Several processes may unpack at
// once: each writes aside and renames.
func Unpack() (dir string, err error) { return unpackOnce() }

var unpackOnce = sync.OnceValues(func() (string, error) { return unpackUnder(bases()) })

// unpackUnder unpacks under the first base that lets it, or says why each did not.
func unpackUnder(bases []string) (string, error) {
	failed := errors.New("jiebadict: no directory to unpack to")
	for _, base := range bases {
		dir := filepath.Join(base, "jieba-"+Sum(Files()...))
		err := UnpackTo(dir)
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
	// The user's number keeps users of a shared temporary directory out of each
	// other's way.
	return append(b, filepath.Join(os.TempDir(), fmt.Sprintf("alike-%d", os.Getuid())))
}

// UnpackTo makes dir hold all files, verified. It creates dir, leaves good files
// alone and replaces damaged ones.
func UnpackTo(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("jiebadict: unpack: %w", err)
	}
	for _, f := range Files() {
		if err := unpackFile(dir, f); err != nil {
			return fmt.Errorf("jiebadict: unpack %s: %w", f.Name, err)
		}
	}
	return nil
}

func unpackFile(dir string, f File) error {
	path := filepath.Join(dir, f.Name)
	if good(path, f) {
		return nil
	}
	content, err := Read(f)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, f.Name+".*.tmp")
	if err != nil {
		return err
	}
	_, err = tmp.Write(content)
	if err2 := tmp.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
		// Where an open file cannot be replaced, another process may just have
		// put a good one there.
		if good(path, f) {
			return nil
		}
		return err
	}
	return nil
}

// good reports whether the file is there with the right content. A file of
// another size is not read.
func good(path string, f File) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(f.Size) {
		return false
	}
	content, err := os.ReadFile(path)
	return err == nil && f.matches(content)
}
