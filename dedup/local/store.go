package local

import (
	"bytes"
	"container/list"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/alike-go/alike/similarity"
)

// store holds the sketches of documents 0, 1, 2, ... in memory, or all of them in
// a file if they exceed a budget. Adding is not safe for concurrent use; scoring
// is.
type store struct {
	m      similarity.Method
	dir    string // of the file
	budget int64  // bytes of sketches in memory

	mem   similarity.Collection // nil once there is a file
	bytes int64                 // of all sketches

	file  *os.File
	end   int64 // of the file
	pages []page
	fill  similarity.Collection // of the page that is being filled
	size  int64                 // of its sketches
	cache map[int]*list.Element // by page, of *cached
	used  *list.List            // the most recently used first
	mu    sync.Mutex            // of the cache
	held  int64                 // bytes of the cached pages
}

// page is where a run of sketches lies in the file.
type page struct {
	first, n int
	at, len  int64
}

type cached struct {
	number int
	page
	sketches similarity.Collection
}

// pageBytes is the minimum size of a page, except the last. The header of a saved
// collection is small compared to it.
const pageBytes = 16 << 10

// overhead is the memory of a sketch beyond its bytes: the header of a slice, and
// rounding by the allocator.
const overhead = 32

func newStore(m similarity.Method, dir string, budget int64) *store {
	return &store{m: m, dir: dir, budget: budget, mem: m.NewCollection()}
}

// add appends the sketches of c, which is not used any more.
func (s *store) add(c similarity.Collection) error {
	for i := range c.Len() {
		s.bytes += int64(c.Bytes(i)) + overhead
	}
	if s.mem != nil {
		s.mem.Append(c)
		if s.bytes <= s.budget {
			return nil
		}
		return s.spill()
	}
	return s.addPaged(c)
}

// spill moves the sketches from memory to a file.
func (s *store) spill() error {
	f, err := os.CreateTemp(s.dir, "sketches-*")
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	all := s.mem
	s.file, s.mem = f, nil
	s.fill = s.m.NewCollection()
	s.cache, s.used = make(map[int]*list.Element), list.New()
	return s.addPaged(all)
}

func (s *store) addPaged(c similarity.Collection) error {
	from := 0
	for i := range c.Len() {
		s.size += int64(c.Bytes(i)) + overhead
		if s.size >= pageBytes {
			s.fill.Append(c.Pick(span(from, i+1)))
			from = i + 1
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	if from < c.Len() {
		s.fill.Append(c.Pick(span(from, c.Len())))
	}
	return nil
}

func span(from, to int) []int {
	out := make([]int, to-from)
	for i := range out {
		out[i] = from + i
	}
	return out
}

// flush writes the page that is being filled.
func (s *store) flush() error {
	if s.fill == nil || s.fill.Len() == 0 {
		return nil
	}
	var b bytes.Buffer
	if err := s.fill.Save(&b); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	if _, err := s.file.WriteAt(b.Bytes(), s.end); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	first := 0
	if len(s.pages) > 0 {
		last := s.pages[len(s.pages)-1]
		first = last.first + last.n
	}
	s.pages = append(s.pages, page{first, s.fill.Len(), s.end, int64(b.Len())})
	s.end += int64(b.Len())
	s.fill, s.size = s.m.NewCollection(), 0
	return nil
}

// load reads a page.
func (s *store) load(number int) (similarity.Collection, error) {
	p := s.pages[number]
	b := make([]byte, p.len)
	if _, err := s.file.ReadAt(b, p.at); err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	c := s.m.NewCollection()
	if err := c.Load(bytes.NewReader(b)); err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	return c, nil
}

// page returns the page that holds a sketch, from the cache if it is there.
func (s *store) page(i int) (*cached, error) {
	number, found := slices.BinarySearchFunc(s.pages, i, func(p page, i int) int { return p.first - i })
	if !found {
		number--
	}
	if e := s.cache[number]; e != nil {
		s.used.MoveToFront(e)
		return e.Value.(*cached), nil
	}
	c, err := s.load(number)
	if err != nil {
		return nil, err
	}
	p := &cached{number, s.pages[number], c}
	s.cache[number] = s.used.PushFront(p)
	for s.held += 2 * p.len; s.held > s.budget/2 && s.used.Len() > 2; {
		old := s.used.Remove(s.used.Back()).(*cached)
		delete(s.cache, old.number)
		s.held -= 2 * old.len
	}
	return p, nil
}

// score returns the score of two sketches.
func (s *store) score(a, b int) (float64, error) {
	if s.mem != nil {
		return s.mem.Score(a, b), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.flush(); err != nil {
		return 0, err
	}
	p, err := s.page(a)
	if err != nil {
		return 0, err
	}
	if b >= p.first && b < p.first+p.n {
		return p.sketches.Score(a-p.first, b-p.first), nil
	}
	q, err := s.page(b)
	if err != nil {
		return 0, err
	}
	both := p.sketches.Pick([]int{a - p.first})
	both.Append(q.sketches.Pick([]int{b - q.first}))
	return both.Score(0, 1), nil
}

// each calls do with all sketches in order, some at a time. first is the number
// of the first of them.
func (s *store) each(do func(first int, c similarity.Collection) error) error {
	if s.mem != nil {
		return do(0, s.mem)
	}
	if err := s.flush(); err != nil {
		return err
	}
	block, first := s.m.NewCollection(), 0
	var size int64
	for i, p := range s.pages {
		c, err := s.load(i)
		if err != nil {
			return err
		}
		block.Append(c)
		if size += p.len; size >= s.budget/4 || i == len(s.pages)-1 {
			if err := do(first, block); err != nil {
				return err
			}
			first, block, size = first+block.Len(), s.m.NewCollection(), 0
		}
	}
	return nil
}

// pick returns a store of some of the sketches, given in ascending order, with
// a budget in bytes.
func (s *store) pick(docs []int, budget int64) (*store, error) {
	out := newStore(s.m, s.dir, budget)
	err := s.each(func(first int, c similarity.Collection) error {
		var own []int
		for len(docs) > 0 && docs[0] < first+c.Len() {
			own = append(own, docs[0]-first)
			docs = docs[1:]
		}
		return out.add(c.Pick(own))
	})
	if err != nil {
		out.close()
		return nil, err
	}
	return out, nil
}

// close removes the file, and drops what is in memory.
func (s *store) close() error {
	s.mem, s.cache, s.used = nil, nil, nil
	if s.file == nil {
		return nil
	}
	err := errors.Join(s.file.Close(), os.Remove(s.file.Name()))
	s.file = nil
	return err
}
