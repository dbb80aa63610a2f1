package hamming

import "fmt"

// String describes a design, such as "10 tables of 25 to 26 bits".
func (d Design) String() string {
	if len(d.Tables) == 0 {
		return "scan"
	}
	least, most := d.KeyBits()
	out := fmt.Sprintf("%d tables of %d to %d bits", len(d.Tables), least, most)
	if least == most {
		out = fmt.Sprintf("%d tables of %d bits", len(d.Tables), least)
	}
	if len(d.Tables) == 1 {
		out = fmt.Sprintf("1 table of %d bits", least)
	}
	return out
}

// KeyBits returns the lengths of the shortest and the longest key of the design's
// tables, or 0 without tables.
func (d Design) KeyBits() (least, most int) {
	for i, t := range d.Tables {
		if n := len(t.Key); i == 0 {
			least, most = n, n
		} else {
			least, most = min(least, n), max(most, n)
		}
	}
	return least, most
}

// Keys computes the keys of a design's tables, for a store outside this package.
type Keys struct{ keys []key }

// NewKeys returns the keys of a design.
func NewKeys(d Design) *Keys {
	k := &Keys{keys: make([]key, len(d.Tables))}
	for i, t := range d.Tables {
		k.keys[i] = newKey(t.Key[:min(64, len(t.Key))])
	}
	return k
}

// Of returns the key of a code in a table, from the most significant bit down. It
// returns the first 64 bits of longer keys, which name a larger bucket.
func (k *Keys) Of(table int, c Code) uint64 {
	key := &k.keys[table]
	return key.of(c) << (64 - key.width)
}

// BlocksFind returns the probability that two codes at a distance share a key of
// Blocks(bits, radius, blocks), if all choices of differing bits are equally likely:
// the probability that at least blocks-radius blocks are untouched. Up to the radius
// it is 1.
func BlocksFind(bits, radius, blocks, distance int) float64 {
	if distance <= radius {
		return 1
	}
	// ways[u][h] counts the choices of h bits in the blocks so far that leave u untouched.
	ways := [][]float64{{1}}
	total := 0
	for _, block := range split(run(bits-1, 0), blocks) {
		size := len(block)
		next := make([][]float64, len(ways)+1)
		for u := range next {
			next[u] = make([]float64, total+size+1)
		}
		for u, row := range ways {
			for h, n := range row {
				choose := 1.0
				for c := 0; c <= size; c++ {
					if c == 0 {
						next[u+1][h] += n
					} else {
						next[u][h+c] += n * choose
					}
					choose *= float64(size-c) / float64(c+1)
				}
			}
		}
		ways, total = next, total+size
	}
	good, all := 0.0, 0.0
	for u, row := range ways {
		if distance < len(row) {
			all += row[distance]
			if u >= blocks-radius {
				good += row[distance]
			}
		}
	}
	return good / all
}
