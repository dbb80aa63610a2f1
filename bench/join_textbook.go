package main

import (
	"slices"
	"sort"
)

// This file joins sets the way github.com/ekzhu/go-set-similarity-search does, in our own
// words, since that module cannot be fetched everywhere: All-Pairs (Bayardo, Ma and
// Srikant, WWW 2007) by ascending length over a map of postings, with the filter by
// position, candidates sorted to drop repetitions, and each verified by a whole merge.

type posting struct{ set, at int }

// allPairs joins numbered sets. Of the sets only one in every probes the index, so
// that what takes minutes can be extrapolated; all are put into it. It returns the pairs,
// the set that probed first, and the seconds that the whole would take.
func allPairs(sets [][]int, t float64, every int) (found [][2]int, took float64) {
	var probing, rest float64 // seconds
	order := bySize(sets)
	index := map[int][]posting{}
	from := cpuTime()
	lap := func(to *float64) {
		now := cpuTime()
		*to += (now - from).Seconds()
		from = now
	}
	for k, x := range order {
		s := sets[x]
		prefix := s[:len(s)-leastOverlap(s, t)+1]
		if k%every == 0 {
			lap(&rest)
			found = probe(found, sets, index, x, prefix, t)
			lap(&probing)
		}
		for at, e := range prefix {
			index[e] = append(index[e], posting{x, at})
		}
	}
	lap(&rest)
	return found, rest + probing*float64(every)
}

// bySize returns the numbers of sets by ascending length.
func bySize(sets [][]int) []int {
	order := make([]int, len(sets))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return len(sets[order[i]]) < len(sets[order[j]]) })
	return order
}

func leastOverlap(s []int, t float64) int { return max(1, int(float64(len(s))*t)) }

// probe appends the pairs of set x with those in the index.
func probe(found [][2]int, sets [][]int, index map[int][]posting, x int, prefix []int, t float64) [][2]int {
	s := sets[x]
	var candidates []int
	for at, e := range prefix {
		for _, p := range index[e] {
			other := sets[p.set]
			if float64(min(len(s)-at, len(other)-p.at))/float64(max(len(s), len(other))) >= t {
				candidates = append(candidates, p.set)
			}
		}
	}
	sort.Ints(candidates)
	last := -1
	for _, y := range candidates {
		if y == last {
			continue
		}
		last = y
		n := merged(s, sets[y])
		if float64(n)/float64(len(s)+len(sets[y])-n) >= t {
			found = append(found, [2]int{x, y})
		}
	}
	return found
}

// merged counts what two ascending lists share.
func merged(a, b []int) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n++
			i++
			j++
		}
	}
	return n
}

// byFrequency numbers elements in ascending order of how many sets have them: its
// FrequencyOrderTransform.
func byFrequency(raw [][]string) [][]int {
	counts := map[string]int{}
	for _, set := range raw {
		for _, e := range set {
			counts[e]++
		}
	}
	type entry struct {
		element string
		count   int
	}
	entries := make([]entry, 0, len(counts))
	for e, n := range counts {
		entries = append(entries, entry{e, n})
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].count < entries[j].count })
	numbers := map[string]int{}
	for i, e := range entries {
		numbers[e.element] = i
	}
	sets := make([][]int, len(raw))
	for i, set := range raw {
		for _, e := range set {
			sets[i] = append(sets[i], numbers[e])
		}
		sort.Ints(sets[i])
	}
	return sets
}

// cutSet returns the distinct 3-word shingles of a document, as one cuts them by a plain loop.
func cutSet(doc string) []string {
	seen := map[string]struct{}{}
	var set []string
	eachShingle(doc, func(b []byte) {
		if _, ok := seen[string(b)]; !ok {
			set = append(set, string(b))
			seen[set[len(set)-1]] = struct{}{}
		}
	})
	return slices.Clip(set)
}
