// Package disk keeps an index in a directory, with nothing to run beside it: the backend
// for one machine.
//
// Documents lie in segments, immutable files that are mapped into memory: each posting takes a
// little more than 11 bytes, the word and three bytes of the number, and a query reads
// one block of some two kilobytes for each of its buckets and segments. What was added or deleted since lies in a
// log, and in memory; when the log has grown to Options.LogBytes, it becomes a segment, and neighbouring segments
// become one, in the background. A segment holds numbers of a range of 2^24 and no more, so an
// index of a hundred million documents has six or seven.
//
// The log is this package's own: batches with a checksum, appended and made durable (fdatasync) before they are
// acknowledged. An embedded store could do that, too, but brings a second index of what the segments index already, and more code
// than this package has (Pebble some sixty modules); bbolt rewrites pages at random, which at batches of a
// thousand documents is several times the bytes; tidwall/wal is a log of about this
// size, with an index of its entries that nothing here would read.
//
// After a crash or kill -9 at any moment the index holds every batch that was acknowledged, and of any other
// either all or nothing. The manifest, replaced by renaming, is what says which
// files count. A batch that was torn by the crash is cut off when the index is next opened for
// writing.
//
// One process writes, and a second is refused (index.ErrLocked); any number read, each the state at the time it
// opened the index or called Refresh. Nearly equal documents are added one after the
// other, so of two that call Index.AddIfNew at a time, exactly one wins.
//
// In memory are the directories, 16 bytes for two kilobytes of postings and for sixteen documents, a bit
// for each number that was ever given and is deleted, and the documents of the log.
package disk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/filelock"
	"github.com/alike-go/alike/similarity"
)

// Options configures a Store. The zero value is a sound default.
type Options struct {
	// ReadOnly opens the index beside a writer, without a lock. The state is that of
	// opening, or of the last Refresh.
	ReadOnly bool

	// LogBytes is the length of the log from which it becomes a segment, at most 1 GiB. Zero means 64 MiB. What
	// the log holds takes some five times as much memory, twice while it becomes a
	// segment, and a second or two to read when the index is opened.
	LogBytes int64

	// LoadMemory bounds what Load holds of records that it sorts, in bytes. Zero means 1 GiB; the
	// process takes up to three times as much while its garbage waits to be collected.
	LoadMemory int64
}

const mostLogBytes = 1 << 30

// Store is an index in a directory. It is safe for concurrent use.
type Store struct {
	dir  string
	o    Options
	lock *os.File // nil where read-only

	// write is held by who adds or deletes, jobs by who makes or merges segments.
	// They are taken in the order jobs, write, mu.
	write sync.Mutex
	jobs  sync.Mutex

	mu       sync.RWMutex
	man      manifest // Number and File as last written; File moves on with every new file
	made     bool     // there is a manifest
	segments []*segment
	frozen   *memtable // being made a segment
	mem      *memtable
	log      *log
	logFile  uint64
	number   uint64   // the next
	dead     []uint64 // a bit for each number that was deleted
	failed   error    // what kept the background from making or merging segments
	closed   bool

	kick   chan struct{} // to the background: there is a frozen table
	thawed *sync.Cond    // on mu: frozen is nil again, or it failed
	worker sync.WaitGroup
	stop   context.CancelFunc
}

var (
	_ index.Store  = (*Store)(nil)
	_ index.Loader = (*Store)(nil)
)

// Open opens the index in a directory, which is made when an index is created and need not be
// there before. The error wraps index.ErrLocked where another process, or another
// Store of this one, has it open for writing; index.ErrNone where it is to be read and there is none;
// similarity.ErrFormat where a file is damaged.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	if o.LogBytes < 0 || o.LogBytes > mostLogBytes {
		return nil, fmt.Errorf("disk: LogBytes is %d, want 0 to %d", o.LogBytes, int64(mostLogBytes))
	}
	if o.LoadMemory < 0 {
		return nil, fmt.Errorf("disk: LoadMemory is %d, want 0 or more", o.LoadMemory)
	}
	if o.LogBytes == 0 {
		o.LogBytes = 64 << 20
	}
	if o.LoadMemory == 0 {
		o.LoadMemory = 1 << 30
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("disk: %w", err)
	}
	s := &Store{dir: dir, o: o, kick: make(chan struct{}, 1)}
	s.thawed = sync.NewCond(&s.mu)
	if o.ReadOnly {
		s.stop = func() {}
		if err := s.readState(ctx); err != nil {
			return nil, err
		}
		return s, nil
	}
	if err := s.takeLock(); err != nil {
		return nil, err
	}
	err := s.readState(ctx)
	if errors.Is(err, index.ErrNone) {
		err = nil
	} else if err == nil {
		if err = s.openLog(); err == nil {
			err = s.sweep()
		}
	}
	if err != nil {
		s.release()
		return nil, err
	}
	background, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.worker.Go(func() { s.background(background) })
	return s, nil
}

func (s *Store) takeLock() error {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(s.dir, lockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	ok, err := filelock.Try(f)
	if err == nil && !ok {
		err = index.ErrLocked
	}
	if err != nil {
		f.Close()
		return fmt.Errorf("disk: %s: %w", s.dir, err)
	}
	s.lock = f
	return nil
}

// readState reads the manifest, its segments and logs. Where a writer replaces them meanwhile, it
// begins again.
func (s *Store) readState(ctx context.Context) error {
	for {
		m, err := readManifest(s.dir)
		if err != nil {
			return err
		}
		err = s.readFiles(ctx, m)
		if !s.o.ReadOnly || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if now, again := readManifest(s.dir); again != nil || slices.Equal(now.Segments, m.Segments) && now.Log == m.Log {
			return err // the file is not there for another reason
		}
	}
}

// readFiles takes the state that a manifest and the logs after it describe.
func (s *Store) readFiles(ctx context.Context, m manifest) (err error) {
	var segments []*segment
	defer func() {
		if err != nil {
			for _, g := range segments {
				g.release()
			}
		}
	}()
	held := map[string]*segment{}
	for _, g := range s.segments {
		held[g.name] = g
	}
	for _, file := range m.Segments {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("disk: %w", err)
		}
		name := segmentName(file)
		if g := held[name]; g != nil {
			g.holders.Add(1)
			segments = append(segments, g)
			continue
		}
		g, err := openSegment(filepath.Join(s.dir, name), name)
		if err != nil {
			return err
		}
		segments = append(segments, g)
	}
	logs, err := s.logs(m.Log)
	if err != nil {
		return err
	}
	mem := newMemtable(m.Number)
	number := m.Number
	for _, file := range logs {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("disk: %w", err)
		}
		var bad bool
		_, err := replay(filepath.Join(s.dir, logName(file)), func(e *index.Entry) {
			if bad = bad || e.Number < number || e.Number-number > mostNumbers; !bad {
				mem.add(e)
				number = e.Number + 1
			}
		}, mem.remove)
		if err == nil && bad {
			err = fmt.Errorf("disk: %s: numbers do not ascend: %w", logName(file), similarity.ErrFormat)
		}
		if err != nil {
			return err
		}
	}
	for _, g := range s.segments {
		g.release()
	}
	s.man, s.made, s.segments, s.mem, s.number, s.dead = m, true, segments, mem, number, nil
	for _, file := range logs {
		s.man.File = max(s.man.File, file+1)
	}
	for _, g := range segments {
		g.dead = 0
	}
	for _, g := range segments {
		for _, number := range g.gone {
			if err := s.bury(number); err != nil {
				return err
			}
		}
	}
	for _, number := range mem.gone {
		if err := s.bury(number); err != nil {
			return err
		}
	}
	return nil
}

// logs returns the numbers of the log files from first on, ascending.
func (s *Store) logs(first uint64) ([]uint64, error) {
	names, err := filepath.Glob(filepath.Join(s.dir, "*.log"))
	if err != nil {
		return nil, fmt.Errorf("disk: %w", err)
	}
	var logs []uint64
	for _, name := range names {
		var file uint64
		if _, err := fmt.Sscanf(filepath.Base(name), "%d.log", &file); err == nil && file >= first && logName(file) == filepath.Base(name) {
			logs = append(logs, file)
		}
	}
	slices.Sort(logs)
	return logs, nil
}

// openLog goes on with the last log, without a torn tail, or begins the first.
func (s *Store) openLog() error {
	logs, err := s.logs(s.man.Log)
	if err != nil {
		return err
	}
	file := s.man.Log
	var whole int64
	if len(logs) > 0 {
		file = logs[len(logs)-1]
		if whole, err = replay(filepath.Join(s.dir, logName(file)), func(*index.Entry) {}, func(uint64) {}); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(filepath.Join(s.dir, logName(file)), os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	err = f.Truncate(whole)
	if err == nil {
		_, err = f.Seek(whole, 0)
	}
	if err == nil {
		err = errors.Join(f.Sync(), syncDir(s.dir))
	}
	if err != nil {
		f.Close()
		return fmt.Errorf("disk: log: %w", err)
	}
	s.log, s.logFile = &log{f: f, size: whole}, file
	return nil
}

// sweep removes files that an earlier process left and that do not count.
func (s *Store) sweep() error {
	files, err := os.ReadDir(s.dir)
	if err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	keep := map[string]bool{manifestName: true, lockName: true}
	for _, file := range s.man.Segments {
		keep[segmentName(file)] = true
	}
	for _, f := range files {
		name := f.Name()
		ours := strings.HasSuffix(name, ".segment") || strings.HasSuffix(name, ".new") || strings.HasPrefix(name, "run-")
		if strings.HasSuffix(name, ".log") {
			ours = name < logName(s.man.Log)
		}
		if ours && !keep[name] {
			if err := os.Remove(filepath.Join(s.dir, name)); err != nil {
				return fmt.Errorf("disk: %w", err)
			}
		}
	}
	return nil
}

// Refresh takes up what a writer has done since the index was opened for reading. In a
// store that writes it does nothing.
func (s *Store) Refresh(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("disk: %w", index.ErrClosed)
	}
	if !s.o.ReadOnly {
		return nil
	}
	return s.readState(ctx)
}

// Create makes an index under the header.
func (s *Store) Create(ctx context.Context, header []byte) error {
	s.write.Lock()
	defer s.write.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.check(ctx, false); err != nil {
		return err
	}
	if s.made {
		if !bytes.Equal(s.man.Header, header) {
			return fmt.Errorf("disk: %s: %w", s.dir, index.ErrExists)
		}
		return nil
	}
	if s.o.ReadOnly {
		return fmt.Errorf("disk: %s: %w", s.dir, index.ErrReadOnly)
	}
	s.man = manifest{Version: manifestVersion, Header: bytes.Clone(header), Log: 1, File: 2, Number: 1}
	if err := s.openLog(); err != nil {
		return err
	}
	if err := s.man.write(s.dir); err != nil {
		s.log.f.Close()
		s.log = nil
		return err
	}
	s.made, s.mem, s.number = true, newMemtable(1), 1
	return nil
}

// Header returns the header.
func (s *Store) Header(ctx context.Context) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx, true); err != nil {
		return nil, err
	}
	return bytes.Clone(s.man.Header), nil
}

// check returns an error where the context is done or the store closed, and where an index is
// needed there is none.
func (s *Store) check(ctx context.Context, needed bool) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	if s.closed {
		return fmt.Errorf("disk: %s: %w", s.dir, index.ErrClosed)
	}
	if needed && !s.made {
		return fmt.Errorf("disk: %s: %w", s.dir, index.ErrNone)
	}
	return nil
}

// Serial returns true: there is one writer.
func (s *Store) Serial() bool { return true }

// Close waits for the background to leave off and gives the lock back. Nothing is written: what
// was acknowledged is durable.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.thawed.Broadcast()
	s.mu.Unlock()
	s.stop()
	s.worker.Wait()
	s.write.Lock()
	defer s.write.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.release()
}

// release closes all files.
func (s *Store) release() error {
	var err error
	for _, g := range s.segments {
		err = errors.Join(err, g.release())
	}
	s.segments, s.mem, s.frozen = nil, nil, nil
	if s.log != nil {
		err = errors.Join(err, s.log.f.Close())
		s.log = nil
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
		s.lock = nil
	}
	if err != nil {
		return fmt.Errorf("disk: close: %w", err)
	}
	return nil
}

// release gives a segment up; the last holder closes it.
func (s *segment) release() error {
	if s.holders.Add(-1) > 0 {
		return nil
	}
	err := s.src.close()
	if s.remove.Load() {
		err = errors.Join(err, os.Remove(s.path))
	}
	return err
}
