package align

// automaton is the suffix automaton of a text: the smallest machine whose ways from state 0
// spell the text's substrings and nothing else. A text of n symbols makes at most 2n
// states and 3n edges.
type automaton struct {
	states []state
	edges  []edge
	// table holds the numbers of edges and one more, by state and symbol, with open
	// addressing; 0 is an empty slot.
	table []int32
	shift uint8
}

// state stands for the substrings that end at the same places.
type state struct {
	length int32 // of the longest of them
	end    int32 // the first place where they end, behind the last symbol
	link   int32 // the state of their longest suffix that ends elsewhere too, -1 for none
	first  int32 // edge, -1 for none
}

type edge struct {
	from, symbol, to int32
	next             int32 // edge of the same state, -1 for none
}

// reset makes the automaton of the empty text, with room for one of n symbols.
func (x *automaton) reset(n int) {
	most := 3*n + 4
	bits := uint8(5)
	for 1<<bits < 2*most {
		bits++
	}
	if cap(x.table) < 1<<bits {
		x.table = make([]int32, 1<<bits)
		x.edges = make([]edge, 0, most)
		x.states = make([]state, 0, 2*n+2)
	}
	x.table, x.shift = x.table[:1<<bits], 64-bits
	clear(x.table)
	x.edges = x.edges[:0]
	x.states = append(x.states[:0], state{link: -1, first: -1})
}

// find returns the edge of a state and a symbol, or -1 and the slot where it would stand.
func (x *automaton) find(from, symbol int32) (e int32, slot uint64) {
	slot = (uint64(uint32(from))<<32 | uint64(uint32(symbol))) * 0x9e3779b97f4a7c15 >> x.shift
	for {
		e = x.table[slot] - 1
		if e < 0 || x.edges[e].from == from && x.edges[e].symbol == symbol {
			return e, slot
		}
		slot = (slot + 1) & uint64(len(x.table)-1)
	}
}

// add adds an edge whose slot find gave.
func (x *automaton) add(from, symbol, to int32, slot uint64) {
	x.edges = append(x.edges, edge{from, symbol, to, x.states[from].first})
	x.states[from].first = int32(len(x.edges) - 1)
	x.table[slot] = int32(len(x.edges))
}

// build makes the automaton of a text, symbol by symbol (Blumer et al. 1985).
func build[T symbol](x *automaton, text []T) {
	x.reset(len(text))
	last := int32(0)
	for i, c := range text {
		last = x.extend(last, int32(c), int32(i+1))
	}
}

// extend adds a symbol behind the text of which last is the state, and returns that of
// the longer one.
func (x *automaton) extend(last, symbol, length int32) int32 {
	now := int32(len(x.states))
	x.states = append(x.states, state{length: length, end: length, first: -1})
	p, e := last, int32(-1)
	for p >= 0 {
		var slot uint64
		if e, slot = x.find(p, symbol); e >= 0 {
			break
		}
		x.add(p, symbol, now, slot)
		p = x.states[p].link
	}
	if p < 0 {
		return now // its link is the empty text's, 0
	}
	q := x.edges[e].to
	if x.states[p].length+1 == x.states[q].length {
		x.states[now].link = q
		return now
	}
	// The shorter ones of q's substrings now end here too: they become a state of their own.
	short := int32(len(x.states))
	x.states = append(x.states, state{x.states[p].length + 1, x.states[q].end, x.states[q].link, -1})
	for k := x.states[q].first; k >= 0; k = x.edges[k].next {
		_, slot := x.find(short, x.edges[k].symbol)
		x.add(short, x.edges[k].symbol, x.edges[k].to, slot)
	}
	for p >= 0 && x.edges[e].to == q {
		x.edges[e].to = short
		if p = x.states[p].link; p >= 0 {
			e, _ = x.find(p, symbol)
		}
	}
	x.states[q].link, x.states[now].link = short, short
	return now
}

// run is a run of symbols that two texts share: its length and where it ends in each.
type run struct{ length, endA, endB int }

// follow returns the longest run that the automaton's text shares with another: of
// several the first in that one, at its first place in the automaton's.
func follow[T symbol](x *automaton, text []T) (best run) {
	at, length := int32(0), 0
	for i, c := range text {
		e, _ := x.find(at, int32(c))
		for e < 0 && at > 0 {
			at = x.states[at].link
			length = int(x.states[at].length)
			e, _ = x.find(at, int32(c))
		}
		if e < 0 {
			continue
		}
		at, length = x.edges[e].to, length+1
		if length > best.length {
			best = run{length, int(x.states[at].end), i + 1}
		}
	}
	return best
}

// longestCommon returns the longest run that two texts share; see follow. Time and
// memory grow with the sum of the lengths.
func longestCommon[T symbol](x *automaton, a, b []T) run {
	build(x, a)
	return follow(x, b)
}
