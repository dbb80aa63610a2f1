package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// edit is a planted edit. Its name, which the id of the edited document ends
// with, is the kind of edit and, where there is one, its strength in percent.
type edit struct {
	name  string
	apply func(l language, r *rand.Rand, text, other string) string
}

// edits returns the planted edits in the order in which they are handed out.
func edits() []edit {
	var out []edit
	for _, percent := range []int{5, 12, 20} {
		share := float64(percent) / 100
		p := strconv.Itoa(percent)
		out = append(out,
			edit{"substitute" + p, func(l language, r *rand.Rand, text, other string) string {
				return mutate(l, r, text, other, share, 0, 0)
			}},
			edit{"delete" + p, func(l language, r *rand.Rand, text, other string) string {
				return mutate(l, r, text, other, 0, share, 0)
			}},
			edit{"insert" + p, func(l language, r *rand.Rand, text, other string) string {
				return mutate(l, r, text, other, 0, 0, share)
			}},
			edit{"mixed" + p, func(l language, r *rand.Rand, text, other string) string {
				return mutate(l, r, text, other, share/3, share/3, share/3)
			}},
		)
	}
	// Edits of one strength come twice, that of those with three is split in three.
	for range 2 {
		out = append(out,
			edit{"move", move}, edit{"truncate", truncate}, edit{"quote", quote},
			edit{"style", func(l language, r *rand.Rand, text, _ string) string { return l.style(r, text) }},
			edit{"ocr", func(l language, r *rand.Rand, text, _ string) string { return l.ocr(r, text) }},
		)
	}
	return out
}

// mutate substitutes, deletes and inserts each the stated share of the units, at
// least one in all; new units come from the other text.
func mutate(l language, r *rand.Rand, text, other string, substitute, remove, insert float64) string {
	units, pool := l.units(text), l.units(other)
	n := max(1, int(float64(len(units))*(substitute+remove+insert)+0.5))
	op := make(map[int]float64, n)
	for _, i := range r.Perm(len(units))[:min(n, len(units))] {
		op[i] = r.Float64() * (substitute + remove + insert)
	}
	var b strings.Builder
	for i, u := range units {
		x, edited := op[i]
		switch {
		case !edited:
			b.WriteString(u)
		case x < substitute:
			b.WriteString(pool[r.IntN(len(pool))])
		case x < substitute+remove:
		default:
			b.WriteString(ensureSpace(l, u))
			b.WriteString(pool[r.IntN(len(pool))])
		}
	}
	return strings.TrimSpace(b.String())
}

// move takes a block of 20 to 40 % of the units to another place.
func move(l language, r *rand.Rand, text, _ string) string {
	units := l.units(text)
	size := len(units) * (20 + r.IntN(21)) / 100
	from := r.IntN(len(units) - size + 1)
	block := strings.Join(units[from:from+size], "")
	rest := append(append([]string(nil), units[:from]...), units[from+size:]...)
	to := r.IntN(len(rest) + 1)
	return strings.TrimSpace(strings.Join(rest[:to], "") + ensureSpace(l, block) + strings.Join(rest[to:], ""))
}

// truncate keeps the first 30 to 75 % of the units.
func truncate(l language, r *rand.Rand, text, _ string) string {
	units := l.units(text)
	return strings.TrimSpace(strings.Join(units[:max(1, len(units)*(30+r.IntN(46))/100)], ""))
}

// quote sets the text into another one, of which it keeps 50 to 200 % of the
// text's length, around the quotation.
func quote(l language, r *rand.Rand, text, other string) string {
	around := l.units(other)
	n := min(len(around), len(l.units(text))*(50+r.IntN(151))/100)
	start := r.IntN(len(around) - n + 1)
	around = around[start : start+n]
	cut := r.IntN(len(around) + 1)
	return strings.TrimSpace(strings.Join(around[:cut], "") + ensureSpace(l, text) + strings.Join(around[cut:], ""))
}

// ensureSpace ends a block as a unit ends, so that two words do not run together.
func ensureSpace(l language, block string) string {
	if l.name == "en" && !strings.HasSuffix(block, " ") {
		return block + " "
	}
	return block
}
