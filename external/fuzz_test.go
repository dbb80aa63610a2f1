//go:build unix

package external

import (
	"bytes"
	"testing"
)

var fuzzHellos = []hello{
	{Kind: kindSet, Bits: 64}, {Kind: kindMinHash, Size: 2, Bits: 16}, {Kind: kindSimHash, Size: 12},
	{Kind: kindVector, Size: 2, Bits: 32}, {Kind: kindVector, Size: 1, Bits: 64}, {Kind: kindScores},
}

func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		`{"id":"0","sketch":[1,2]}`, `{"id":0,"sketch":null}`, `{"id":"0","sketch":"AQA="}`, `{"id":"0","sketch":"f0f"}`,
		`{"id":"0","sketch":{"indices":[1,0],"values":[3,1e30]}}`, `{"id":"0","bytes":-1}`, `{"id":"0","error":"x"}`, `{"id":"0","sketch":[1e200,2]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for i := range fuzzHellos {
			h := &fuzzHellos[i]
			var s, again Sketch
			if s.parse(line, h, &asked{}) != nil {
				continue
			}
			if again.parse(line, h, &asked{}) != nil || s.bytes < 0 {
				t.Fatalf("%s: %q: %d bytes", h.Kind, line, s.bytes)
			}
			if s.full && h.Kind != kindScores {
				if got := score(h, &s, &again); got != 1 {
					t.Fatalf("%s: %q scores %v with itself", h.Kind, line, got)
				}
			}
		}
	})
}

// What decodes encodes to the bytes that it came from.
func FuzzDecode(f *testing.F) {
	var methods []*Method
	ready := make(chan struct{})
	close(ready)
	for i := range fuzzHellos {
		m := &Method{p: &process{hello: fuzzHellos[i], ready: ready, dead: make(chan struct{})}}
		methods = append(methods, m)
		for _, line := range []string{`{"id":"0","sketch":[1,2]}`, `{"id":"0","sketch":"f0f"}`, `{"id":"0","sketch":{"indices":[1,9],"values":[3,1e30]}}`} {
			var s Sketch
			if s.parse([]byte(line), &fuzzHellos[i], &asked{}) == nil {
				f.Add(m.AppendSketch(nil, &s))
			}
		}
	}
	f.Add([]byte{})
	f.Add([]byte{tagEmpty, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		for i, m := range methods {
			s, n, err := m.DecodeSketch(data)
			if err != nil {
				continue
			}
			if got := m.AppendSketch(nil, s); !bytes.Equal(got, data[:n]) {
				t.Fatalf("%+v: %x decodes, and encodes to %x", fuzzHellos[i], data[:n], got)
			}
		}
	})
}

func FuzzHello(f *testing.F) {
	f.Add([]byte(`{"alike":1,"name":"x","kind":"minhash","size":128,"bits":32}`))
	f.Add([]byte(`{"alike":1,"name":"x","kind":"scores","bits":-3}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var h hello
		if h.parse(line) == nil && (h.Name == "" || h.Size < 0 || h.Kind != kindScores && h.Kind != kindSimHash && h.Bits%8 != 0) {
			t.Fatalf("%q gives %+v", line, h)
		}
	})
}
