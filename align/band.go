package align

// MostCells bounds the cells of the matrix of distances that one pair of word lists may
// cost, about a second: the words of the shorter text times those that differ.
const MostCells = 1 << 36

// distance returns the edit distance of two lists if it is at most limit, and otherwise
// a number above limit. What two lists begin and end with costs nothing. Where the
// distance would take more than MostCells it is an upper bound.
func (s *scratch) distance(a, b []uint64, limit int) int {
	a, b, _ = trim(a, b)
	if len(a) == 0 {
		return len(b)
	}
	x, y, least := s.number(a, b)
	if least > limit {
		return limit + 1
	}
	s.wide.reserve(int(s.vocabulary.size))
	if len(x) <= stripWidth {
		return count(s, Edit, &s.wide, x, y)
	}
	limit = min(limit, len(y))
	for k := max(least, 64); ; k *= 2 {
		most := max(MostCells/len(x), len(y)-len(x))
		k = min(k, limit, most)
		d := s.band(x, y, k, k < most)
		if d <= k || k == most && k < limit {
			return d
		}
		if k == limit {
			return limit + 1
		}
	}
}

// number numbers the distinct words of a from 1 and returns both lists as numbers. A
// word of b that a lacks is 0. least is a lower bound on the distance: how many words
// of b have no partner in a, whatever their order. b must not be shorter than a.
func (s *scratch) number(a, b []uint64) (x, y []int32, least int) {
	s.vocabulary.reset(len(a))
	x = s.vocabulary.add(s.wideA[:0], a)
	y = appendNumbers(s.wideB[:0], &s.vocabulary, b)
	s.wideA, s.wideB = x, y
	left := append(s.counts[:0], make([]int, s.vocabulary.size)...) // of each word of a
	for _, n := range x {
		left[n]++
	}
	for _, n := range y {
		if left[n] == 0 {
			least++
		} else {
			left[n]--
		}
	}
	s.counts = left
	return x, y, least
}

// band returns the edit distance of a pattern and a text that is no shorter, if it is at
// most k, and otherwise a number above k: the cost of the best alignment that stays on the
// diagonals where one of cost k can be (E. Ukkonen, Algorithms for approximate string
// matching, Information and Control 64, 1985). It goes strip by strip, each over the
// columns of its diagonals. To the left of them, and above them where the strip before
// has not been, each step costs one, as some alignment does. With stop it ends once no
// alignment can cost k or less.
func (s *scratch) band(pattern, text []int32, k int, stop bool) int {
	n, m := len(pattern), len(text)
	off := (k - (m - n)) / 2 // diagonals beside those between the corners
	if off < 0 {
		return k + 1
	}
	s.openBorder(Edit, m)
	corner := 0                // the distance at the upper left corner of a strip
	for row, from := 0, 0; ; { // from is the first column of the strip
		rows := min(n-row, stripWidth)
		to := min(m, row+rows+m-n+off)
		last := row+rows == n
		if last {
			corner += sum(s.border[from:to])
		}
		setStrip(s.wide.strips, pattern[row:row+rows])
		pv, mv := editStrip(s.wide.strips, text[from:to], s.border[from:to])
		clearStrip(s.wide.strips, pattern[row:row+rows])
		if last {
			return corner + rise(pv, mv, rows)
		}
		row, corner = row+rows, corner+rows
		if stop && s.least(corner, from, to, m-n+row) > k {
			return k + 1
		}
		next := max(from, row-off)
		corner += sum(s.border[from:next])
		from = next
	}
}

// least returns the least that an alignment costs that crosses the lower border of a
// strip: the distance there, and what the rest must cost by its lengths. level is the
// column from which both rests are equally long.
func (s *scratch) least(corner, from, to, level int) int {
	least := corner + abs(level-from)
	for j, step := range s.border[from:to] {
		corner += int(step&1) - int(step>>1)
		least = min(least, corner+abs(level-from-j-1))
	}
	return least
}

// sum returns the sum of the differences of a border.
func sum(border []uint8) int {
	n := 0
	for _, step := range border {
		n += int(step&1) - int(step>>1)
	}
	return n
}

func abs(n int) int { return max(n, -n) }
