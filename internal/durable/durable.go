// Package durable makes files and folders that appear under their names when
// they are complete, and not before.
//
// Until then the file NAME is written beside its place as ".NAME.new", and the
// folder NAME as ".NAME.partial". A process that is killed leaves that behind,
// and the next one that makes NAME takes it over. A lock, which the system
// releases when a process ends, keeps two processes apart.
//
// Both content and name are synced: after a power cut there is the old state or
// the new one.
//
// Packages and commands that write files use it. What the files hold does not
// belong here.
package durable

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/internal/filelock"
)

// ErrBusy is the error for a name that another process is making.
var ErrBusy = errors.New("another run is making it")

// Lock opens a file, which it creates if there is none, and takes its lock. The
// lock ends when the file is closed. The error is ErrBusy if another process
// has the lock.
func Lock(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		ok, err := filelock.Try(f)
		if err == nil && !ok {
			err = ErrBusy
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		// Its owner may have renamed or removed the file since it was opened
		// here.
		own, err1 := f.Stat()
		now, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(own, now) {
			return f, nil
		}
		f.Close()
	}
}

// hidden returns the name under which a file or folder is made.
func hidden(path, ending string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+ending)
}

// SyncDir puts the names in a folder on the disk. It does nothing if the system
// cannot sync folders, or if the folder is not readable.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // a file system that cannot sync folders
	}
	return errors.Join(err, d.Close())
}

// SyncTree puts a folder on the disk, with all files and folders in it.
func SyncTree(dir string) error {
	paths := make(chan string)
	errs := make([]error, 16) // file systems sync several files about as fast as one
	var wait sync.WaitGroup
	for i := range errs {
		wait.Go(func() {
			for path := range paths {
				errs[i] = cmp.Or(errs[i], syncFile(path))
			}
		})
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return SyncDir(path)
		case d.Type().IsRegular():
			paths <- path
		}
		return nil
	})
	close(paths)
	wait.Wait()
	return cmp.Or(err, errors.Join(errs...))
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0) // Windows syncs only what it may write to
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Rename gives a finished file or folder its name, and syncs the name. The
// content must be synced already. It is an error if the name exists. If Rename
// cannot give the name, the result remains, and the error says where.
func Rename(from, to string) error {
	err := os.Link(from, to) // refuses a name that exists, but links files only
	if err == nil {
		return errors.Join(os.Remove(from), SyncDir(filepath.Dir(to)))
	}
	if !errors.Is(err, fs.ErrExist) {
		if _, err = os.Lstat(to); err == nil {
			err = fmt.Errorf("%s: %w", to, fs.ErrExist)
		} else {
			err = os.Rename(from, to)
		}
	}
	if err != nil {
		return remains(err, from)
	}
	return SyncDir(filepath.Dir(to))
}

// remains says where a finished result is that did not get its name.
func remains(err error, path string) error {
	return fmt.Errorf("%w; the result is complete and remains in %s", err, path)
}

// finish renames or removes a locked file, then ends the lock. When the lock has
// ended, another process may own a file of that name. Windows cannot rename or
// remove an open file, so there the lock ends first.
func finish(lock *os.File, do func(name string) error) error {
	if runtime.GOOS == "windows" {
		if err := lock.Close(); err != nil {
			return err
		}
		return do(lock.Name())
	}
	return errors.Join(do(lock.Name()), lock.Close())
}

// RemoveLock removes the file of a lock, and its folder if nothing else is in
// it. Then it ends the lock.
func RemoveLock(lock *os.File) error {
	return finish(lock, func(name string) error {
		err := os.Remove(name)
		os.Remove(filepath.Dir(name)) // fails if there is anything else
		return err
	})
}

// File is a file in the making.
type File struct {
	*os.File
	path string      // empty for a device or a pipe, which is written to directly
	old  fs.FileInfo // of the file that is replaced, or nil
	done bool
}

// Create begins the file of a path. Commit replaces the file of that name, or
// the file that a symbolic link of that name leads to. The new file gets the
// permission bits of the old one. Other hard links to the old file keep the old
// content, because the new one is another file. A device or a pipe is written to
// directly.
func Create(path string) (*File, error) {
	old, err := os.Stat(path)
	switch {
	case err != nil:
		old = nil
	case old.IsDir():
		return nil, fmt.Errorf("%s is a folder, want a file", path)
	case !old.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &File{File: f}, nil
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	f, err := Lock(hidden(path, ".new"))
	if err != nil {
		return nil, err
	}
	err = f.Truncate(0)
	if err == nil && old != nil {
		// Commit sets the mode. Until then other users must not read the file,
		// and a process that takes it over must be able to.
		err = f.Chmod(0o600)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{File: f, path: path, old: old}, nil
}

// Commit gives the file its name once the content is on the disk, and syncs the
// name too. If the content cannot be synced, the file is removed. If it cannot
// be renamed, it remains, and the error says where.
func (f *File) Commit() error {
	if f.path == "" {
		return f.Close()
	}
	var err error
	if f.old != nil {
		err = f.Chmod(f.old.Mode().Perm())
	}
	if err = errors.Join(err, f.Sync()); err != nil {
		return errors.Join(err, f.Abort())
	}
	f.done = true
	return finish(f.File, func(name string) error {
		if err := os.Rename(name, f.path); err != nil {
			return remains(err, name)
		}
		return SyncDir(filepath.Dir(f.path))
	})
}

// Abort removes the file, unless it is committed.
func (f *File) Abort() error {
	if f.done {
		return nil
	}
	if f.done = true; f.path == "" {
		return f.Close()
	}
	return finish(f.File, os.Remove)
}

// Write creates a file with what write writes.
func Write(path string, write func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return errors.Join(err, f.Abort())
	}
	return f.Commit()
}

// Replace replaces the content of a file with data. It creates the file and its
// folder if there are none.
func Replace(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Save is Replace with a checksum behind the data, for Load.
func Save(path string, data []byte) error {
	sum := xxh3.Hash128(data).Bytes()
	return Replace(path, append(data[:len(data):len(data)], sum[:]...))
}

// Load returns the data of a file that Save has written; ok is false if there is
// none, or if it is damaged.
func Load(path string) (data []byte, ok bool) {
	b, err := os.ReadFile(path)
	if err != nil || len(b) < 16 {
		return nil, false
	}
	data = b[:len(b)-16]
	sum := xxh3.Hash128(data).Bytes()
	return data, bytes.Equal(sum[:], b[len(data):])
}

// Folder is a folder in the making.
type Folder struct {
	// Dir is where to write.
	Dir string

	path string
	lock *os.File // nil once it is committed or aborted
}

// CreateFolder begins the folder of a path. The path must not exist when the
// folder is committed.
func CreateFolder(path string) (*Folder, error) {
	path = filepath.Clean(path)
	in := hidden(path, ".partial")
	for {
		if err := os.Mkdir(in, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		lock, err := Lock(filepath.Join(in, "lock"))
		if errors.Is(err, fs.ErrNotExist) {
			continue // its owner has just removed the folder
		}
		if err != nil {
			return nil, err
		}
		f := &Folder{Dir: filepath.Join(in, "out"), path: path, lock: lock}
		if err := errors.Join(os.RemoveAll(f.Dir), os.Mkdir(f.Dir, 0o777)); err != nil {
			lock.Close()
			return nil, err
		}
		return f, nil
	}
}

// Commit gives the folder its name once it is on the disk. If file is not empty,
// it gives that name to this one file of the folder instead, and removes the
// rest. It is an error if the name exists. Then the result remains until the
// next CreateFolder of the path, and the error says where. If the content cannot
// be synced, the folder is removed.
func (f *Folder) Commit(file string) error {
	from := filepath.Join(f.Dir, file)
	if err := SyncTree(from); err != nil {
		return errors.Join(err, f.Abort())
	}
	if err := Rename(from, f.path); err != nil {
		err = errors.Join(err, f.lock.Close())
		f.lock = nil
		return err
	}
	return f.Abort()
}

// Abort removes the folder, unless it is committed.
func (f *Folder) Abort() error {
	if f.lock == nil {
		return nil
	}
	err := os.RemoveAll(f.Dir)
	err = errors.Join(err, RemoveLock(f.lock)) // after all else, so that it is locked until then
	f.lock = nil
	return err
}
