package hamming

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A model is an index by the simplest means.
type model struct {
	codes   []Code
	numbers []uint32
}

func (m *model) delete(number uint32, c Code) bool {
	for i := range m.codes {
		if m.codes[i] == c && m.numbers[i] == number {
			m.codes = slices.Delete(m.codes, i, i+1)
			m.numbers = slices.Delete(m.numbers, i, i+1)
			return true
		}
	}
	return false
}

func (m *model) nearest(q Code, n int) []Match {
	all := near(m.codes, m.numbers, q, 128)
	slices.SortStableFunc(all, func(a, b Match) int { return int(a.Distance - b.Distance) })
	return all[:min(n, len(all))]
}

func (m *model) check(t *testing.T, x *Index, q Code, k, n int) {
	t.Helper()
	if x.Len() != len(m.codes) {
		t.Fatalf("Len is %d, want %d", x.Len(), len(m.codes))
	}
	kept := Match{Number: 5, Distance: 5}
	got := x.Search([]Match{kept}, q, k)
	if want := near(m.codes, m.numbers, q, k); got[0] != kept || !slices.Equal(got[1:], want) {
		t.Fatalf("within %d of %x: %v, want %v", k, q, got, want)
	}
	got = x.Nearest([]Match{kept}, q, n)
	if want := m.nearest(q, n); got[0] != kept || !slices.Equal(got[1:], want) {
		t.Fatalf("%d nearest to %x: %v, want %v", n, q, got, want)
	}
}

func TestAddAndDelete(t *testing.T) {
	steps := 12_000
	if testing.Short() {
		steps = 4000
	}
	for _, bits := range []int{32, 64, 128} {
		for i, w := range workloads {
			rng := seeded(t, uint64(bits+i))
			x, err := newIndex(bits, 3, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var m model
			codes := w.make(rng, bits, 3, steps)
			for step, c := range codes {
				number := uint32(rng.IntN(steps))
				x.Add(number, c)
				m.codes, m.numbers = append(m.codes, c), append(m.numbers, number)
				// Now and then far more goes than comes.
				if rng.IntN(3) == 0 || step%4000 > 3600 {
					for range 1 + step%4000/3600*4 {
						d, n := c, number
						if len(m.codes) > 0 && rng.IntN(4) > 0 {
							i := rng.IntN(len(m.codes))
							d, n = m.codes[i], m.numbers[i]
						}
						if got, want := x.Delete(n, d), m.delete(n, d); got != want {
							t.Fatalf("step %d: deleted %v, want %v", step, got, want)
						}
					}
				}
				if step%500 == 0 || step%4000 == 3999 {
					q := flip(rng, codes[rng.IntN(step+1)], run(bits-1, 0), rng.IntN(5))
					m.check(t, x, q, rng.IntN(8), rng.IntN(40))
				}
			}
			x.Compact()
			m.check(t, x, codes[0], 3, 10)
			m.check(t, x, codes[1], bits, len(codes))
		}
	}
}

func TestEmptyIndex(t *testing.T) {
	x, err := newIndex(64, 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var m model
	m.check(t, x, Code{}, 64, 3)
	x.Compact()
	if x.Delete(1, Code{}) || x.Bytes() != 0 || len(x.parts) != 0 {
		t.Error("an empty index holds something")
	}
	built, err := Build(NewCodes(64, 0), nil, 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m.check(t, built, Code{}, 3, 0)
}

func TestOneRadiusOrNumberTooMany(t *testing.T) {
	codes := pack(64, make([]Code, 3))
	for name, err := range map[string]error{
		"width":         second(newIndex(63, 3, Options{})),
		"radius":        second(newIndex(64, -1, Options{})),
		"wide radius":   second(newIndex(64, 65, Options{})),
		"workers":       second(newIndex(64, 3, Options{Workers: -1})),
		"memory":        second(newIndex(64, 3, Options{Memory: -1})),
		"design":        second(newIndex(64, 3, Options{Design: "blocks"})),
		"few blocks":    second(newIndex(64, 3, Options{Design: "blocks:3"})),
		"many blocks":   second(newIndex(64, 3, Options{Design: "blocks:65"})),
		"many tables":   second(newIndex(64, 8, Options{Design: "blocks:20"})),
		"many probes":   second(newIndex(64, 8, Options{Design: "mih:1"})),
		"sorted tables": second(newIndex(64, 3, Options{Design: "blocks:5,sorted"})),
		"no number":     second(newIndex(64, 3, Options{Design: "mih:two"})),
		"expansion":     second(newIndex(64, 3, Options{Design: "expand-query"})),
		"argument":      second(newIndex(64, 3, Options{Design: "scan:2"})),
		"numbers":       second(Build(codes, []uint32{1, 2}, 3, Options{})),
		"last number":   second(Build(codes, []uint32{1, 2, gone}, 3, Options{})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestMisusePanics(t *testing.T) {
	x, err := newIndex(32, 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	list := NewCodes(64, 1)
	for name, f := range map[string]func(){
		"wide code":   func() { x.Add(1, Code{Lo: 1 << 32}) },
		"last number": func() { x.Add(gone, Code{}) },
		"wide query":  func() { x.Search(nil, Code{Hi: 1}, 3) },
		"wide append": func() { list.Append(Code{Hi: 1}) },
		"list width":  func() { NewCodes(48, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	codes := fingerprints(30_000, false)
	for _, name := range []string{"", "scan", "blocks:4", "blocks:5", "nested", "mih:2"} {
		x, err := Build(Codes64(codes), nil, 3, Options{Design: name})
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint32(recentLen / 2) {
			x.Add(i, Code{Lo: uint64(i)})
		}
		dst := make([]Match, 0, 100)
		i := 0
		if n := testing.AllocsPerRun(100, func() {
			dst = x.Search(dst[:0], Code{Lo: codes[i]}, 3)
			i++
		}); n > 0 {
			t.Errorf("%q: %v allocations a search", name, n)
		}
	}
}

// A million equal codes, and a million with few bits that vary, cost no more than
// their number: what is quadratic in it would take hours.
func TestDegenerateIndex(t *testing.T) {
	if testing.Short() {
		t.Skip("a million codes")
	}
	const n = 1_000_000
	rng := rand.New(rand.NewPCG(8, 8))
	codes := make([]uint64, n)
	for i := range codes {
		if i >= n/2 {
			codes[i] = rng.Uint64() & 0xfff00fff
		}
	}
	x, err := Build(Codes64(codes), nil, 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Bytes(); got > 120*n {
		t.Errorf("%d bytes", got)
	}
	if got := len(x.Search(nil, Code{}, 0)); got < n/2 {
		t.Errorf("%d equal codes, want at least %d", got, n/2)
	}
	var dst []Match
	for i := range 2000 {
		// Far from the equal codes, but in their bucket of two tables.
		q := Code{Lo: uint64(i)<<48 | 0x0fff<<48}
		if dst = x.Search(dst[:0], q, 3); len(dst) > 0 {
			t.Fatalf("%d codes within 3 of %x", len(dst), q)
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("add some, delete some, search some"), uint8(3), uint8(1))
	f.Add(make([]byte, 900), uint8(8), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, k, width uint8) {
		bits := []int{32, 64, 128}[width%3]
		radius := int(k) % 12
		x, err := newIndex(bits, radius, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var m model
		code := func(b []byte) Code { // near the others, so that there is something to find
			var c Code
			for _, v := range b {
				c = c.xor(Code{}.with(int(v) % bits))
			}
			return c
		}
		for i := 0; i+4 <= len(data); i += 4 {
			c, number := code(data[i+1:i+4]), uint32(data[i+3]%8)
			switch op := data[i]; {
			case op < 160:
				x.Add(number, c)
				m.codes, m.numbers = append(m.codes, c), append(m.numbers, number)
			case op < 200:
				if got, want := x.Delete(number, c), m.delete(number, c); got != want {
					t.Fatalf("deleted %v, want %v", got, want)
				}
			case op < 210:
				x.Compact()
			default:
				m.check(t, x, c, int(op)%(radius+2), int(op)%9)
			}
		}
	})
}
