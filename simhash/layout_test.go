package simhash

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// layouts are settings under which Buckets chooses by the number of documents, with the number of blocks of
// each: those that Manku, Jain, Das Sarma (WWW 2007, 3.1) give for 64 bits within 3.
var layouts = []struct {
	bits, k   int
	documents int64
	blocks    int
	design    string
}{
	{64, 3, 1, 4, "4 tables of 16 bits"},
	{64, 3, 1e6, 4, "4 tables of 16 bits"},
	{64, 3, 1e8, 5, "10 tables of 25 to 26 bits"},
	{64, 3, 1e9, 5, "10 tables of 25 to 26 bits"},
	{64, 3, 8e9, 6, "20 tables of 31 to 33 bits"},
	{64, 3, 1 << 34, 6, "20 tables of 31 to 33 bits"},
	{64, 3, 1e14, 9, "84 tables of 42 to 43 bits"},
	{64, 0, 8e9, 1, "1 table of 64 bits"},
	{64, 1, 8e9, 2, "2 tables of 32 bits"},
	{64, 6, 1e10, 10, "210 tables of 24 to 28 bits"},
	{64, 10, 1e9, 12, "66 tables of 10 to 12 bits"},
	{64, 63, 1e9, 64, "64 tables of 1 bits"},
	{32, 2, 1e9, 8, "28 tables of 24 bits"},
	{128, 6, 1e10, 8, "28 tables of 32 bits"},
}

// cut returns the blocks of a fingerprint as text, the longer ones first.
func cut(f Fingerprint, bits, blocks int) []string {
	text := fmt.Sprintf("%064b%064b", f.Hi, f.Lo)[128-bits:]
	var out []string
	for i := range blocks {
		n := bits / blocks
		if i < bits%blocks {
			n++
		}
		out, text = append(out, text[:n]), text[n:]
	}
	return out
}

// naiveKeys returns the buckets of the choices of some blocks, the first bit on top.
func naiveKeys(blocks []string, some int) []uint64 {
	var keys []uint64
	var choose func(from int, chosen string, left int)
	choose = func(from int, chosen string, left int) {
		if left == 0 {
			chosen = (chosen + strings.Repeat("0", 64))[:64]
			n, _ := strconv.ParseUint(chosen, 2, 64)
			keys = append(keys, n)
			return
		}
		for i := from; i <= len(blocks)-left; i++ {
			choose(i+1, chosen+blocks[i], left-1)
		}
	}
	choose(0, "", some)
	return keys
}

func share(a, b []similarity.Key) bool {
	return slices.ContainsFunc(a, func(k similarity.Key) bool { return slices.Contains(b, k) })
}

// The keys are those of the naive cut, from the top bit of 64 down; two fingerprints
// share one if, and where keys have at most 64 bits only if, so many blocks are untouched;
// within the radius that is always.
func TestBucketsForDocuments(t *testing.T) {
	for _, c := range layouts {
		t.Run(fmt.Sprintf("bits=%d/k=%d/documents=%d", c.bits, c.k, c.documents), func(t *testing.T) {
			m := method(t, Options{Bits: c.bits, Score: Linear})
			o := similarity.JoinOptions{Threshold: 1 - float64(c.k)/float64(c.bits), Documents: c.documents}
			b, err := m.Buckets(o)
			if err != nil {
				t.Fatal(err)
			}
			if b.Design != c.design || b.Tables > 256 || b.Recall(o.Threshold) != 1 {
				t.Fatalf("%q of recall %v, want %q", b.Design, b.Recall(o.Threshold), c.design)
			}
			rng := rand.New(rand.NewPCG(7, uint64(c.bits*1000+c.k)))
			for trial := range 400 {
				f := planted(c.bits, 1+trial%9)[0]
				f.Lo, f.Hi = f.Lo^rng.Uint64()>>(64-min(64, c.bits)), 0
				if c.bits == 128 {
					f.Hi = rng.Uint64()
				}
				keys, want := b.Append(nil, f), naiveKeys(cut(f, c.bits, c.blocks), c.blocks-c.k)
				if len(keys) != b.Tables || len(want) != b.Tables {
					t.Fatalf("%d keys, %d naive ones, %d tables", len(keys), len(want), b.Tables)
				}
				for i, k := range keys {
					if int(k.Table) != i || k.Bucket != want[i] {
						t.Fatalf("%+v: key %d is %+v, want bucket %#x", f, i, k, want[i])
					}
				}
				near := f
				h := min(c.bits, trial%(c.k+4))
				for _, bit := range rng.Perm(c.bits)[:h] {
					if bit < 64 {
						near.Lo ^= 1 << bit
					} else {
						near.Hi ^= 1 << (bit - 64)
					}
				}
				untouched := 0
				other := cut(near, c.bits, c.blocks)
				for i, block := range cut(f, c.bits, c.blocks) {
					if block == other[i] {
						untouched++
					}
				}
				if near.IsZero() || f.IsZero() {
					continue
				}
				got, must := share(keys, b.Append(nil, near)), untouched >= c.blocks-c.k
				if must && !got || !must && got && (c.blocks-c.k)*(c.bits/c.blocks+1) <= 64 || h <= c.k && !got {
					t.Fatalf("%+v and %+v at distance %d share a bucket: %v; %d of %d blocks are untouched", f, near, h, got, untouched, c.blocks)
				}
			}
		})
	}
}

// Every way to flip up to three bits of 64 leaves a bucket shared, under each of the three
// layouts.
func TestBucketsForDocumentsFindAllWithinThree(t *testing.T) {
	m := method(t, Options{Score: Linear})
	for _, documents := range []int64{1e6, 1e9, 8e9} {
		b, err := m.Buckets(similarity.JoinOptions{Threshold: 1 - 3./64, Documents: documents})
		if err != nil {
			t.Fatal(err)
		}
		f := Fingerprint{Lo: 0x9E3779B97F4A7C15}
		own, keys := b.Append(nil, f), []similarity.Key(nil)
		for i := range 64 {
			for j := range i + 1 {
				for k := range j + 1 {
					near := Fingerprint{Lo: f.Lo ^ (1<<i | 1<<j | 1<<k)}
					if keys = b.Append(keys[:0], near); !share(own, keys) {
						t.Fatalf("%s: bits %d, %d, %d flipped, and no bucket shared", b.Design, i, j, k)
					}
				}
			}
		}
	}
}

// The choice is the cheapest of all numbers of blocks, by the candidates that the lengths of
// the naive keys make.
func TestBucketsForDocumentsAreTheCheapest(t *testing.T) {
	for _, c := range layouts {
		best, least := 0, math.Inf(1)
		for blocks := c.k + 1; blocks <= c.bits; blocks++ {
			if tables := new(big.Int).Binomial(int64(blocks), int64(c.k)); tables.Cmp(big.NewInt(256)) > 0 {
				break
			}
			var lengths []int
			for _, block := range cut(Fingerprint{}, c.bits, blocks) {
				lengths = append(lengths, len(block))
			}
			cost := 0.0
			var choose func(from, length, left int)
			choose = func(from, length, left int) {
				if left == 0 {
					cost += keyCost + math.Ldexp(float64(c.documents), -length)
					return
				}
				for i := from; i <= len(lengths)-left; i++ {
					choose(i+1, length+lengths[i], left-1)
				}
			}
			choose(0, 0, blocks-c.k)
			if cost < least {
				best, least = blocks, cost
			}
		}
		if best != c.blocks {
			t.Errorf("%d bits within %d, %d documents: the cheapest has %d blocks, want %d", c.bits, c.k, c.documents, best, c.blocks)
		}
	}
}

// More documents never make for fewer tables, and the layout without a number is what it was.
func TestBucketsGrow(t *testing.T) {
	for _, bits := range []int{32, 64, 128} {
		m := method(t, Options{Bits: bits, Score: Linear})
		for k := range bits {
			before := 0
			for documents := int64(1); documents < 1e12; documents *= 7 {
				b, err := m.Buckets(similarity.JoinOptions{Threshold: 1 - float64(k)/float64(bits), Documents: documents})
				if err != nil {
					t.Fatal(err)
				}
				if b.Tables < before || b.Tables > 256 {
					t.Fatalf("%d bits within %d: %d tables for %d documents, %d for fewer", bits, k, b.Tables, documents, before)
				}
				before = b.Tables
			}
		}
	}
}
