package external

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// protocol is the version that a process has to speak.
const protocol = 1

// The kinds of sketch.
const (
	kindMinHash = "minhash"
	kindSet     = "set"
	kindSimHash = "simhash"
	kindVector  = "vector"
	kindScores  = "scores"
)

var kinds = []string{kindMinHash, kindSet, kindSimHash, kindVector, kindScores}

// maxSize bounds the numbers, or bits, of a sketch of fixed size.
const maxSize = 1 << 20

// hello is the first line of a process.
type hello struct {
	Alike   int    `json:"alike"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Size    int    `json:"size"`
	Bits    int    `json:"bits"`
	Flush   bool   `json:"flush"`
}

func (h *hello) parse(line []byte) error {
	if err := decode(line, h); err != nil {
		return err
	}
	switch {
	case h.Alike != protocol:
		return fmt.Errorf("%.60q, want one with \"alike\": %d", bytes.TrimSpace(line), protocol)
	case h.Name == "" || strings.ContainsAny(h.Name+h.Version, "\t\r\n"):
		return fmt.Errorf("the name is %q and the version %q, want a name, and no line break", h.Name, h.Version)
	case !slices.Contains(kinds, h.Kind):
		return fmt.Errorf("the kind is %q, want %s", h.Kind, strings.Join(kinds, ", "))
	case h.Size < 0 || h.Size > maxSize:
		return fmt.Errorf("the size is %d, want 1 to %d", h.Size, maxSize)
	case h.Size == 0 && (h.Kind == kindMinHash || h.Kind == kindSimHash):
		return fmt.Errorf("no size of %s sketches", h.Kind)
	case h.Kind == kindSimHash && h.Size%4 != 0:
		return fmt.Errorf("the size is %d bits, want a multiple of 4", h.Size)
	}
	allowed := []int{8, 16, 32, 64}
	switch h.Kind {
	case kindVector:
		allowed = []int{32, 64}
	case kindSimHash, kindScores:
		allowed = []int{h.Bits} // no numbers that it could be the size of
	}
	if h.Bits == 0 {
		h.Bits = allowed[len(allowed)-1]
		if h.Kind == kindVector {
			h.Bits = 32
		}
	}
	if !slices.Contains(allowed, h.Bits) {
		return fmt.Errorf("numbers of %d bits, want one of %v", h.Bits, allowed)
	}
	return nil
}

// settings returns what the sketches depend on.
func (h *hello) settings() string {
	return fmt.Sprintf("name=%q,version=%q,kind=%s,size=%d,bits=%d", h.Name, h.Version, h.Kind, h.Size, h.Bits)
}

// decode reads a line of JSON into v, and says what is wrong with one that is none.
func decode(line []byte, v any) error {
	err := json.Unmarshal(line, v)
	switch {
	case err == nil:
		return nil
	case bytes.Contains(line, []byte("NaN")) || bytes.Contains(line, []byte("Infinity")):
		return fmt.Errorf("%.60q, want numbers that are finite", bytes.TrimSpace(line))
	}
	return fmt.Errorf("%.60q, want JSON: %w", bytes.TrimSpace(line), err)
}
