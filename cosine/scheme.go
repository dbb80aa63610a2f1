package cosine

import (
	"fmt"
	"math"
	"strings"

	"github.com/alike-go/alike/feature"
)

// scheme is a weighting in SMART's three letters, with letters of our own for
// the named schemes: tf m is tf / greatest tf, df s is smooth idf + 1 and df u
// unsmoothed idf + 1.
type scheme struct {
	name         string
	tf, df, norm byte
}

// schemes are the named schemes, the default first.
var schemes = []scheme{
	{"smooth", 'l', 's', 'c'},
	{"sklearn", 'n', 's', 'c'},
	{"sklearn-unsmoothed", 'n', 'u', 'c'},
	{"dotnet", 'm', 't', 'c'},
}

func parseScheme(name string) (scheme, error) {
	switch name {
	case "":
		return schemes[0], nil
	case "tf":
		name = "nnc"
	}
	for _, s := range schemes {
		if s.name == name {
			return s, nil
		}
	}
	if len(name) == 3 {
		if name[2] == 'u' {
			return scheme{}, fmt.Errorf("cosine: Scheme is %q, but pivoted length is not offered, want n or c for the third letter", name)
		}
		if strings.IndexByte("nlabL", name[0]) >= 0 && strings.IndexByte("ntp", name[1]) >= 0 && strings.IndexByte("nc", name[2]) >= 0 {
			return scheme{name, name[0], name[1], name[2]}, nil
		}
	}
	return scheme{}, fmt.Errorf("cosine: Scheme is %q, want smooth, sklearn, sklearn-unsmoothed, dotnet, tf, "+
		"or three letters: one of n, l, a, b, L, one of n, t, p, and one of n, c", name)
}

// plain reports whether the scheme leaves weights as they come, but for the length.
func (s scheme) plain() bool { return s.tf == 'n' && s.df == 'n' }

// usesDF reports whether document frequencies matter.
func (s scheme) usesDF() bool { return s.df != 'n' }

// idf returns the weight of a term that df of n documents have. It is at least 0.
func (s scheme) idf(df, n int) float64 {
	N, d := float64(n), float64(max(df, 1))
	switch s.df {
	case 't':
		return max(0, feature.Ln(N/d))
	case 'u':
		return max(0, feature.Ln(N/d)) + 1
	case 'p':
		if N <= d {
			return 0
		}
		return max(0, feature.Ln((N-d)/d))
	case 's':
		return feature.Ln((1+N)/float64(1+df)) + 1
	}
	return 1
}

// weighTF makes weights of the frequencies of a document's terms, in place.
func (s scheme) weighTF(w []float64) {
	switch s.tf {
	case 'l':
		for i, tf := range w {
			w[i] = logTF(tf)
		}
	case 'L':
		var sum float64
		for _, tf := range w {
			sum += tf
		}
		d := logTF(min(sum, math.MaxFloat64) / float64(len(w)))
		for i, tf := range w {
			w[i] = logTF(tf) / d
		}
	case 'a', 'm':
		greatest := 0.0
		for _, tf := range w {
			greatest = max(greatest, tf)
		}
		for i, tf := range w {
			w[i] = tf / greatest
			if s.tf == 'a' {
				w[i] = 0.5 + 0.5*w[i]
			}
		}
	case 'b':
		for i := range w {
			w[i] = 1
		}
	}
}

// logTF returns 1 + ln tf. Below 1, where that would turn negative, it goes on
// as tf itself, which has the same value and slope at 1. Text gives whole numbers only.
func logTF(tf float64) float64 {
	if tf < 1 {
		return tf
	}
	if tf < float64(len(logTable)) {
		if i := int(tf); float64(i) == tf {
			return logTable[i]
		}
	}
	return 1 + feature.Ln(tf)
}

// logTable holds 1 + ln tf of small whole numbers.
var logTable = func() (t [256]float64) {
	for i := 1; i < len(t); i++ {
		t[i] = 1 + feature.Ln(float64(i))
	}
	return t
}()
