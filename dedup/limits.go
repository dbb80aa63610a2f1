package dedup

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// Limits say which pairs of documents count, by fields of the two. Only a pair
// that counts can be alike. The zero value lets every pair count. If a field of a
// limit is missing in a document, or empty, or cannot be read, the document is in
// no pair: nothing shows that the limit holds.
type Limits struct {
	// Across is a field that must differ: a pair is never of one source.
	Across string

	// Within is a field that must be equal: a pair is of one group.
	Within string

	// Window is a field that holds a time, as for the policy newest. The times of
	// a pair are at most Span apart.
	Window string
	Span   time.Duration
}

// Check returns an error for limits that no pair can keep.
func (l Limits) Check() error {
	switch {
	case l.Across != "" && l.Across == l.Within:
		return fmt.Errorf("dedup: limits both across and within the field %q: no pair would count", l.Across)
	case l.Window != "" && l.Span < 0:
		return fmt.Errorf("dedup: the window is %v, want 0 or more", l.Span)
	}
	return nil
}

// SetWindow sets the window that text states as FIELD=DURATION, such as date=72h.
func (l *Limits) SetWindow(text string) error {
	at := strings.LastIndexByte(text, '=')
	if at <= 0 {
		return fmt.Errorf("%q: want a field and a duration, such as date=72h", text)
	}
	span, err := time.ParseDuration(text[at+1:])
	if err != nil || span < 0 {
		return fmt.Errorf("%q: want a duration such as 72h or 30m behind the field", text)
	}
	l.Window, l.Span = text[:at], span
	return nil
}

// Any reports whether there are limits.
func (l Limits) Any() bool { return l != Limits{} }

// Fields returns the fields that a document should have, in the order of Values.
func (l Limits) Fields() (fields []string) {
	for _, f := range []string{l.Across, l.Within, l.Window} {
		if f != "" {
			fields = append(fields, f)
		}
	}
	return fields
}

// String returns the limits for reports. It is empty for no limits.
func (l Limits) String() string {
	var parts []string
	if l.Across != "" {
		parts = append(parts, "across "+l.Across)
	}
	if l.Within != "" {
		parts = append(parts, "within "+l.Within)
	}
	if l.Window != "" {
		parts = append(parts, fmt.Sprintf("window %s=%v", l.Window, l.Span))
	}
	return strings.Join(parts, ", ")
}

// Values reads what Counts needs of a document. get returns the text of a field and
// whether there is one. Groups are hashes of 53 bits: among 100,000 of them two are
// equal with a probability of 10⁻⁶.
func (l Limits) Values(get func(field string) (string, bool)) (values []float64) {
	for _, f := range l.Fields() {
		v := Missing
		if text, ok := get(f); ok && text != "" {
			if f == l.Window {
				v, _ = parseTime(text)
			} else {
				v = float64(xxh3.HashString(text) >> 11)
			}
		}
		values = append(values, v)
	}
	return values
}

// Counts reports whether a pair of documents counts, by their values.
func (l Limits) Counts(a, b []float64) bool {
	i := 0
	next := func() (x, y float64, ok bool) {
		x, y = a[i], b[i]
		i++
		return x, y, x != Missing && y != Missing
	}
	if l.Across != "" {
		if x, y, ok := next(); !ok || x == y {
			return false
		}
	}
	if l.Within != "" {
		if x, y, ok := next(); !ok || x != y {
			return false
		}
	}
	if l.Window != "" {
		if x, y, ok := next(); !ok || math.Abs(x-y) > l.Span.Seconds() {
			return false
		}
	}
	return true
}

// Unit returns the hash by which an engine groups documents to decide for them
// once: documents with equal texts and values have one hash. A document that is in no
// pair has a hash of its own, by its number. Without limits the unit is the text.
func (l Limits) Unit(text Hash, values []float64, number uint64, old bool) Hash {
	if !l.Any() {
		return text
	}
	b := text[:]
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	switch {
	case slices.Contains(values, Missing):
		b = binary.LittleEndian.AppendUint64(b, number)
	case l.Apart() && old:
		b = append(b, 1)
	}
	return xxh3.Hash128(b).Bytes()
}

// Apart reports whether two documents of one unit are no pair. They are still decided
// alike, because they make the same pairs with others: all stay, or all go for the same
// document. Old documents never share such a unit with new ones.
func (l Limits) Apart() bool { return l.Across != "" }

// errNone is the error of a field of Limits that no document has.
var errNone = errors.New("no document has it, or none in a form that can be read")

// Lacking returns an error if no document has a field of the limits, for
// example because its name is misspelled. has reports whether any document has
// a value for each of Fields.
func (l Limits) Lacking(has func(field int) bool) error {
	for i, f := range l.Fields() {
		if !has(i) {
			return fmt.Errorf("dedup: the field %q of the limit %q: %w", f, l, errNone)
		}
	}
	return nil
}
