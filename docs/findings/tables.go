package main

import (
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/simhash/hamming"
)

func tableClaims() group {
	return group{"Searching fingerprints", "Arithmetic of the tables that fingerprints are looked up in, held against what an index does.", []claim{
		{id: "2-34", text: "2^34 is a billion, eight billion, ten billion.",
			source:  "eight in Manku, Jain, Das Sarma, WWW 2007; one and ten in notes on it",
			rule:    "holds for a number if its logarithm to base 2 is within .1 of 34",
			measure: twoTo34},
		{id: "candidates", text: "Four tables of 16 bits leave a million candidates of a billion fingerprints.",
			source:  "notes on Manku, Jain, Das Sarma, WWW 2007",
			rule:    "holds if 4·N/2^16 is between half and twice a million; the formula is checked against keys of a million random codes, within 5 %",
			via:     "alike plan --docs 1000000000 -k 3",
			measure: candidates},
		{id: "one-bucket", text: "Each of the four tables gives 2^32/2^16 = 262,144.",
			source:  "a note on the same",
			rule:    "holds if the division comes out so",
			measure: oneBucket},
		{id: "five-blocks", text: "Of 2^34 fingerprints, ten tables over five blocks leave 10 × 256 = 2,560 candidates.",
			source:  "a note on the design in Manku, Jain, Das Sarma, WWW 2007 (section 3.1)",
			rule:    "holds if the sum over the ten keys, by their bits, is within 1 % of 2,560",
			via:     "alike plan --docs 17179869184 -k 3",
			measure: fiveBlocks},
		{id: "probes", text: "Looking up all neighbours of a fingerprint within 3 bits takes some 40,000 probes.",
			source:  "notes on Manku, Jain, Das Sarma, WWW 2007",
			rule:    "holds if enumerating them gives 40,000 to 50,000",
			measure: probes},
		{id: "short-keys", text: "Cutting fingerprints in 8 or 16 blocks instead of 4, fewer bits a key, is more accurate.",
			source:  "a tutorial",
			rule:    "holds if at distance 3 an index of more blocks finds pairs that one of 4 misses",
			measure: shortKeys},
		{id: "three-blocks", text: "Fewer blocks than the distance plus one lose pairs.",
			source:  "the pigeonhole principle",
			rule:    "holds if codes at distance 3 share one of 3 blocks with the probability that counting gives, within .01, and one of 4 always",
			measure: threeBlocks},
		{id: "tables-or-scan", text: "Looking up four tables is far better than comparing with every fingerprint.",
			source:  "engineering notes",
			rule:    "holds for a number of codes if a query of the index is at least ten times as fast as reading all codes, in each of three rounds",
			via:     "alike plan --docs 1000000 -k 3",
			measure: tablesOrScan},
		{id: "fifty-million", text: "Fifty million fingerprints take 380 MB, four copies of them 1.5 GB.",
			source:  "an engineering note",
			rule:    "holds if 8 bytes each come to 380 to 400 MB or MiB, and four times that to 1.45 to 1.6 GB or GiB",
			via:     "alike plan --docs 50000000 -k 3",
			measure: fiftyMillion},
		{id: "not-transitive", text: "Texts within 3 bits of a common text are near each other: clusters can be read off.",
			source:  "dedup scripts that join pairs to clusters",
			rule:    "holds if in the sets at least 99 % of pairs that have a third text within 3 bits of both are within 3 bits themselves",
			measure: notTransitive},
	}}
}

func twoTo34(*lab) finding {
	f := finding{Table: [][]string{{"number", "log2"}, {"2^34 = 17,179,869,184", "34"}}}
	var ok []string
	for _, n := range []struct {
		name string
		n    float64
	}{{"one billion", 1e9}, {"eight billion", 8e9}, {"ten billion", 1e10}} {
		l := math.Log2(n.n)
		if math.Abs(l-34) < .1 {
			ok = append(ok, n.name)
		}
		f.Table = append(f.Table, []string{n.name, fmt.Sprintf("%.2f", l)})
	}
	f.Verdict, f.Figure = where(ok, 3), "2^34 is 17.2 billion"
	return f
}

func codes(n int, seed uint64) []uint64 {
	r := plant.NewRand(seed)
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64()
	}
	return out
}

func fiftyMillion(*lab) finding {
	m, g := 50e6*8/(1<<20), 4*50e6*8/(1<<30)
	return finding{Figure: fmt.Sprintf("%.1f MiB, and %.2f GiB", m, g), Verdict: verdict(m >= 380 && m <= 400 && g >= 1.45 && g < 1.6)}
}

func candidates(*lab) finding {
	const n = 1 << 20
	all := codes(n, 1)
	var buckets [4][1 << 16]int
	for _, c := range all {
		for t := range buckets {
			buckets[t][uint16(c>>(16*t))]++
		}
	}
	sum := 0.0
	const queries = 5000
	for _, q := range codes(queries, 2) {
		for t := range buckets {
			sum += float64(buckets[t][uint16(q>>(16*t))]) / queries
		}
	}
	formula := 4.0 * n / (1 << 16)
	billion := 4e9 / (1 << 16)
	return finding{Verdict: verdict(billion > 5e5 && billion < 2e6 && math.Abs(sum/formula-1) < .05), Figure: fmt.Sprintf("%.0f candidates of a billion, %.0f of eight billion, %.0f of 2^34; of %d random codes a query has %.1f, by the formula %.1f",
		billion, 32e9/(1<<16), 4.0*(1<<34)/(1<<16), n, sum, formula)}
}

func oneBucket(*lab) finding {
	got := uint64(1<<32) >> 16
	return finding{Figure: fmt.Sprintf("2^32/2^16 = %d; 262,144 is 2^34/2^16", got), Verdict: verdict(got == 262_144)}
}

func fiveBlocks(*lab) finding {
	d := kit.Must(hamming.Blocks(64, 3, 5))
	e := hamming.DefaultCosts.Estimate(d, 1<<34)
	return finding{Figure: fmt.Sprintf("%d tables with keys of %d or %d bits, %.0f candidates in all: the four keys that hold the block of 12 bits have 25, and twice 256 candidates each", e.Tables, e.KeyLeast, e.KeyMost, e.Candidates), Verdict: verdict(math.Abs(e.Candidates/2560-1) < .01)}
}

func probes(*lab) finding {
	n := 0
	for a := range 64 {
		n++
		for b := range a {
			n++
			n += b // a third bit below both
		}
	}
	return finding{Figure: fmt.Sprintf("%d, and one for the fingerprint itself", n), Verdict: verdict(n >= 40_000 && n <= 50_000)}
}

func shortKeys(*lab) finding {
	const n = 200_000
	all := codes(n, 1)
	r := plant.NewRand(3)
	queries := make([]uint64, 200)
	for i := range queries { // three bits away from a code, wherever
		queries[i] = all[r.Below(n)]
		for range 3 {
			queries[i] ^= 1 << uint(r.Below(64))
		}
	}
	f := finding{Table: [][]string{{"blocks", "bits of a key", "found", "candidates a query"}}}
	first, most := 0, 0
	for _, blocks := range []int{4, 8, 16} {
		width := 64 / blocks
		buckets := make([]map[uint64][]int, blocks)
		for t := range buckets {
			buckets[t] = map[uint64][]int{}
			for i, c := range all {
				key := c >> (t * width) & (1<<width - 1)
				buckets[t][key] = append(buckets[t][key], i)
			}
		}
		found, looked := 0, 0
		for _, q := range queries {
			hit := map[int]bool{}
			for t := range buckets {
				list := buckets[t][q>>(t*width)&(1<<width-1)]
				looked += len(list)
				for _, i := range list {
					if bits.OnesCount64(all[i]^q) <= 3 {
						hit[i] = true
					}
				}
			}
			found += len(hit)
		}
		if blocks == 4 {
			first = found
		}
		most = max(most, found)
		f.Table = append(f.Table, []string{fmt.Sprint(blocks), fmt.Sprint(width), fmt.Sprintf("%d by %d queries", found, len(queries)), fmt.Sprintf("%.0f of %d", float64(looked)/float64(len(queries)), n)})
	}
	f.Verdict = verdict(most > first)
	f.Figure = "all find the same, as more than three blocks must; shorter keys only have more candidates"
	if most > first {
		f.Figure = "they do not find the same"
	}
	return f
}

func threeBlocks(*lab) finding {
	r := plant.NewRand(5)
	const tries = 20_000
	var hit [2]int
	for range tries {
		q := uint64(0)
		for bits.OnesCount64(q) < 3 {
			q |= 1 << uint(r.Below(64))
		}
		for k, blocks := range [][]int{{22, 21, 21}, {16, 16, 16, 16}} {
			at := 0
			for _, w := range blocks {
				if q>>at&(1<<w-1) == 0 {
					hit[k]++
					break
				}
				at += w
			}
		}
	}
	want := 1 - 22.0*21*21/41_664 // of all ways to set three bits, those with one in each block
	got := float64(hit[0]) / tries
	return finding{Figure: fmt.Sprintf("of %d codes at distance 3 three blocks find %.3f, by counting %.3f; four blocks %.3f", tries, got, want, float64(hit[1])/tries), Verdict: verdict(math.Abs(got-want) < .01 && hit[1] == tries)}
}

func tablesOrScan(*lab) finding {
	f := finding{Table: [][]string{{"codes", "index, µs a query", "reading all, µs", "times, least of 3 rounds"}}}
	var ok []string
	sizes := []int{1_000, 10_000, 100_000, 1_000_000}
	for _, n := range sizes {
		c := hamming.Codes64(codes(n, 1))
		least := math.Inf(1)
		var times [2][]float64
		for range 3 {
			for k, design := range []string{"blocks:4", "scan"} {
				x := kit.Must(hamming.Build(c, 3, hamming.Options{Design: design}))
				queries := codes(2_000_000/(n*k+2000)+20, 9)
				var dst []hamming.Match
				start := time.Now()
				for _, q := range queries {
					dst = x.Search(dst[:0], hamming.Code{Lo: q}, 3)
				}
				times[k] = append(times[k], time.Since(start).Seconds()*1e6/float64(len(queries)))
			}
			last := len(times[0]) - 1
			least = min(least, times[1][last]/times[0][last])
		}
		if least >= 10 {
			ok = append(ok, fmt.Sprint(n))
		}
		f.Table = append(f.Table, []string{fmt.Sprint(n), fmt.Sprintf("%.2f", kit.Median(times[0])), fmt.Sprintf("%.2f", kit.Median(times[1])), fmt.Sprintf("%.1f", least)})
	}
	f.Verdict = where(ok, len(sizes))
	f.Figure = "an index of four blocks against assembly that reads every code, random codes, distance 3"
	return f
}

func notTransitive(l *lab) finding {
	f := finding{Table: [][]string{{"set", "pairs with a common neighbour", "within 3 bits", "greatest distance"}}}
	total, within := 0, 0
	for _, name := range near {
		h := l.distances(name, "simhash")
		set := l.set(name)
		if set.Clusters == nil {
			continue
		}
		n := len(set.Docs)
		next := make([][]int, n)
		for a := range n {
			for b := range a {
				if h(a, b) <= 3 {
					next[a], next[b] = append(next[a], b), append(next[b], a)
				}
			}
		}
		pairs := map[[2]int]bool{}
		for _, list := range next {
			list = list[:min(len(list), 60)] // of crowds some
			for i := range list {
				for k := range i {
					pairs[[2]int{min(list[i], list[k]), max(list[i], list[k])}] = true
				}
			}
		}
		near, far := 0, 0
		for p := range pairs {
			d := h(p[0], p[1])
			far = max(far, d)
			if d <= 3 {
				near++
			}
		}
		total, within = total+len(pairs), within+near
		f.Table = append(f.Table, []string{name, fmt.Sprint(len(pairs)), figure(ratio(near, len(pairs))), fmt.Sprint(far)})
	}
	f.Figure = fmt.Sprintf("%.1f %% of %d such pairs are within 3 bits", 100*ratio(within, total), total)
	f.Verdict = verdict(ratio(within, total) >= .99)
	return f
}
