package surrogate

import "testing"

// Copies exactly at the border are copies, whatever their share of words is as a float.
func TestCopiesAtTheBorder(t *testing.T) {
	for n := 1; n <= 300; n++ {
		for k := range n {
			d := float64(k) / float64(n)
			truth := &Truth{Differ: d}
			shared, all := n-k, n+k // words, if each of k is replaced by a new one
			if rule := truth.CopiesRule(); 1-d < rule.Threshold || float64(shared)/float64(all) < rule.Candidates {
				t.Fatalf("%d of %d words differ: rule %+v does not find the pair", k, n, rule)
			}
		}
	}
}
