package durable

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// tree returns the paths below a folder, with the content of files.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			out[name] = "folder"
			return nil
		}
		b, err := os.ReadFile(path)
		out[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func want(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	if got := tree(t, dir); !reflect.DeepEqual(got, want) {
		t.Errorf("there is %q, want %q", got, want)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}

func create(t *testing.T, path, text string) *File {
	t.Helper()
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, text); err != nil {
		t.Fatal(err)
	}
	return f
}

// A file replaces the earlier one when it is committed, and what a killed
// process has left of it is gone, however long it was.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	write(t, path, "old")
	write(t, filepath.Join(dir, ".f.new"), "left by another process")
	f := create(t, path, "new")
	want(t, dir, map[string]string{"f": "old", ".f.new": "new"})
	if _, err := Create(path); !errors.Is(err, ErrBusy) {
		t.Errorf("a second one at the same time: %v, want ErrBusy", err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	want(t, dir, map[string]string{"f": "new"})
	if err := create(t, path, "newer").Abort(); err != nil {
		t.Fatal(err)
	}
	want(t, dir, map[string]string{"f": "new"})
	broken := errors.New("broken")
	if err := Write(path, func(io.Writer) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("%v, want the error of the writer", err)
	}
	if err := f.Abort(); err != nil {
		t.Errorf("Abort behind Commit: %v", err)
	}
	want(t, dir, map[string]string{"f": "new"})
}

// What a link leads to is replaced and not the link. A device is written to.
func TestFileOfAnotherKind(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "to/f"), "old")
	if err := os.Symlink(filepath.Join("to", "f"), filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if err := create(t, filepath.Join(dir, "link"), "new").Commit(); err != nil {
		t.Fatal(err)
	}
	want(t, dir, map[string]string{"to": "folder", "to/f": "new", "link": "new"})
	if info, err := os.Lstat(filepath.Join(dir, "link")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	before, err := os.Stat(os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	if err := create(t, os.DevNull, "x").Commit(); err != nil {
		t.Error(err)
	}
	if err := create(t, os.DevNull, "x").Abort(); err != nil {
		t.Error(err)
	}
	if after, err := os.Stat(os.DevNull); err != nil || !os.SameFile(before, after) {
		t.Errorf("the device is another one: %v, %v", after, err)
	}
	if err := Write(dir, func(io.Writer) error { return nil }); err == nil {
		t.Error("a folder is replaced by a file")
	}
	if err := Write(filepath.Join(dir, "none", "f"), func(io.Writer) error { return nil }); err == nil {
		t.Error("a file in a folder that is not there: no error")
	}
}

// The new file has the permission bits of the old one, and other users cannot
// read it before that.
func TestFileKeepsTheMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	mode := func(path string) os.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	for _, want := range []os.FileMode{0o600, 0o755, 0o444, 0o666, 0} {
		write(t, filepath.Join(dir, ".f.new"), "left by another process, for all to read")
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		write(t, path, "old")
		if err := os.Chmod(path, want); err != nil {
			t.Fatal(err)
		}
		f := create(t, path, "new")
		if got := mode(f.Name()); got != 0o600 {
			t.Errorf("in the making its mode is %v, want %v", got, os.FileMode(0o600))
		}
		if err := f.Commit(); err != nil {
			t.Fatal(err)
		}
		if got := mode(path); got != want {
			t.Errorf("the mode is %v, want %v", got, want)
		}
	}
}

// A finished file that cannot get its name remains, and the error says where.
func TestFileRemains(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	f := create(t, path, "new")
	write(t, filepath.Join(path, "x"), "1")
	if err := f.Commit(); err == nil || !strings.Contains(err.Error(), "remains in "+f.Name()) {
		t.Errorf("the error is %v, want one that names %s", err, f.Name())
	}
	if err := f.Abort(); err != nil {
		t.Error(err)
	}
	want(t, dir, map[string]string{"f": "folder", "f/x": "1", ".f.new": "new"})
}

// What appears under the name of a folder in the making is not overwritten, and
// the finished folder remains.
func TestFolderRemains(t *testing.T) {
	for name, c := range map[string]struct {
		there, file, remains string
	}{
		"a file, for a file":     {"f", "a", ".f.partial/out/a"},
		"a file, for a folder":   {"f", "", ".f.partial/out"},
		"a folder, for a file":   {"f/x", "a", ".f.partial/out/a"},
		"a folder, for a folder": {"f/x", "", ".f.partial/out"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "f")
			f, err := CreateFolder(path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(f.Dir, "a"), "1")
			write(t, filepath.Join(dir, c.there), "there")
			is := map[string]string{c.there: "there", ".f.partial": "folder", ".f.partial/lock": "", ".f.partial/out": "folder", ".f.partial/out/a": "1"}
			if c.there != "f" {
				is["f"] = "folder"
			}
			where := filepath.Join(dir, c.remains)
			if err := f.Commit(c.file); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "remains in "+where) {
				t.Errorf("the error is %v, want that it exists, and one that names %s", err, where)
			}
			if err := f.Abort(); err != nil {
				t.Error(err)
			}
			want(t, dir, is)
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if f, err = CreateFolder(path); err != nil { // the lock has ended
				t.Fatal(err)
			}
			if err := f.Abort(); err != nil {
				t.Fatal(err)
			}
			want(t, dir, map[string]string{})
		})
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, c := range []struct {
		file string
		want map[string]string
	}{
		{"", map[string]string{"f": "folder", "f/a": "1", "f/b": "2"}},
		{"b", map[string]string{"f": "2"}},
	} {
		write(t, filepath.Join(dir, ".f.partial", "lock"), "")
		write(t, filepath.Join(dir, ".f.partial", "out", "left"), "by another process")
		f, err := CreateFolder(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(f.Dir, "a"), "1")
		write(t, filepath.Join(f.Dir, "b"), "2")
		if _, err := CreateFolder(path); !errors.Is(err, ErrBusy) {
			t.Errorf("a second one at the same time: %v, want ErrBusy", err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("it has its name already")
		}
		if err := f.Commit(c.file); err != nil {
			t.Fatal(err)
		}
		if err := f.Abort(); err != nil {
			t.Errorf("Abort behind Commit: %v", err)
		}
		want(t, dir, c.want)
		if f, err = CreateFolder(path); err != nil {
			t.Fatal(err)
		}
		if err := f.Abort(); err != nil {
			t.Fatal(err)
		}
		want(t, dir, c.want)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
}

// What was saved is loaded, and any other file is not.
func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if _, ok := Load(path); ok {
		t.Error("a file that is not there is loaded")
	}
	if err := Save(path, []byte("some data")); err != nil {
		t.Fatal(err)
	}
	if got, ok := Load(path); !ok || string(got) != "some data" {
		t.Errorf("loaded %q, %v", got, ok)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 1
		for _, b := range [][]byte{flipped, whole[:i]} {
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			if got, ok := Load(path); ok {
				t.Fatalf("loaded %q of %q", got, b)
			}
		}
	}
}
