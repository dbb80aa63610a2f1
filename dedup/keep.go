package dedup

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Policy says which document of a cluster is kept: the first by an order. The
// zero value keeps the first in input order, which also decides all ties.
type Policy struct {
	by   []criterion
	none bool
}

type criterion struct {
	kind  string
	field string // of newest and highest
	value int    // its place in Doc.Values
}

// Policies returns what a policy may be made of, for people.
const Policies = "first, longest, newest:FIELD, highest:FIELD, source or none"

// ParsePolicy reads a policy: criteria with commas between them. A later
// criterion decides ties of the earlier ones.
//
//   - first: input order
//   - longest: most bytes of text, as it is compared
//   - newest:FIELD: the latest time: RFC 3339, RFC 1123, a date, a year,
//     or seconds or milliseconds since 1970
//   - highest:FIELD: the greatest number
//   - source: the source that is named first
//   - none: input order, but the first document of a cluster goes too, unless it is
//     an old one. It stands alone.
//
// If the field of a document is missing or cannot be read, it comes last.
func ParsePolicy(s string) (Policy, error) {
	var p Policy
	if s == none {
		return Policy{none: true}, nil
	}
	values := 0
	for part := range strings.SplitSeq(s, ",") {
		kind, field, has := strings.Cut(part, ":")
		c := criterion{kind: kind, field: field}
		switch kind {
		case "first", "longest", "source":
			if has {
				return Policy{}, fmt.Errorf("dedup: keep policy %q: %s takes no field", s, kind)
			}
		case "newest", "highest":
			if field == "" {
				return Policy{}, fmt.Errorf("dedup: keep policy %q: want a field, as in %s:FIELD", s, kind)
			}
			c.value = values
			values++
		case none:
			return Policy{}, fmt.Errorf("dedup: keep policy %q: none stands alone", s)
		default:
			return Policy{}, fmt.Errorf("dedup: keep policy %q: no policy %q, want %s", s, part, Policies)
		}
		p.by = append(p.by, c)
	}
	return p, nil
}

// String returns the policy as ParsePolicy reads it.
func (p Policy) String() string {
	if p.none {
		return none
	}
	if len(p.by) == 0 {
		return "first"
	}
	parts := make([]string, len(p.by))
	for i, c := range p.by {
		parts[i] = c.kind
		if c.field != "" {
			parts[i] += ":" + c.field
		}
	}
	return strings.Join(parts, ",")
}

const none = "none"

// None reports whether the first document of a cluster goes too.
func (p Policy) None() bool { return p.none }

// Fields returns the number of fields whose values a Doc must hold.
func (p Policy) Fields() int {
	n := 0
	for _, c := range p.by {
		if c.field != "" {
			n++
		}
	}
	return n
}

// Lacking returns an error if no document has a field of the policy, for
// example because its name is misspelled. has reports whether any document has
// a value for each of Fields, and names returns the fields that documents have.
func (p Policy) Lacking(has func(field int) bool, names func() []string) error {
	for _, c := range p.by {
		if c.field == "" || has(c.value) {
			continue
		}
		what := map[string]string{"newest": "a time", "highest": "a number"}[c.kind]
		err := fmt.Errorf("dedup: keep policy %s:%s: no document has %s in a field %q", c.kind, c.field, what, c.field)
		if fields := names(); len(fields) > 0 {
			err = fmt.Errorf("%w; the fields are %s", err, strings.Join(fields, ", "))
		}
		return err
	}
	return nil
}

// Missing is the value of a field that is missing or cannot be read.
var Missing = math.Inf(-1)

// parse reads the value of the field; ok is false if it cannot be read.
func (c *criterion) parse(text string) (v float64, ok bool) {
	if c.kind == "newest" {
		return parseTime(text)
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) {
		return Missing, false
	}
	return v, true
}

// times are the ways to write a time that are known, the most exact first. Those
// in which day and month cannot be told apart are not among them.
var times = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700 MST", "2006-01-02 15:04:05",
	"2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02", "2006/01/02 15:04:05", "2006/01/02", "20060102", "2006-01", "2006",
	time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC, time.UnixDate, time.RubyDate, "2 January 2006", "January 2, 2006", "2006年1月2日",
}

// parseTime reads a time as seconds since 1970: RFC 3339 and its likes, with or
// without fractions of a second, "2006-01-02", "2006年1月2日", RFC 1123, a year, or a
// number, which counts as seconds, or from 10¹¹ on as milliseconds. Times that name
// no zone are taken for UTC.
func parseTime(text string) (seconds float64, ok bool) {
	text = strings.TrimSpace(text)
	for _, layout := range times {
		if t, err := time.Parse(layout, text); err == nil {
			return float64(t.Unix()) + float64(t.Nanosecond())/1e9, true
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		return Missing, false
	case math.Abs(v) >= 1e11:
		v /= 1000
	}
	return v, true
}

// Compare returns a negative number if a is kept rather than b, and a positive one
// otherwise; it is 0 only for one and the same document.
func (p Policy) Compare(a, b *Doc) int {
	for _, c := range p.by {
		n := 0
		switch c.kind {
		case "first":
			return a.Ref.Compare(b.Ref)
		case "longest":
			n = cmp.Compare(b.Length, a.Length)
		case "source":
			n = cmp.Compare(a.Ref.Source, b.Ref.Source)
		case "newest", "highest":
			n = cmp.Compare(b.Values[c.value], a.Values[c.value])
		}
		if n != 0 {
			return n
		}
	}
	return a.Ref.Compare(b.Ref)
}

// InputOrder reports whether Compare is the input order.
func (p Policy) InputOrder() bool {
	for _, c := range p.by {
		if c.kind != "source" { // sources are in input order
			return c.kind == "first"
		}
	}
	return true
}

// Values reads the values of the policy's fields, in the order of the policy. get
// returns the text of a field and whether there is one. missing counts the
// fields that are missing or cannot be read.
func (p Policy) Values(get func(field string) (string, bool)) (values []float64, missing int64) {
	for i := range p.by {
		c := &p.by[i]
		if c.field == "" {
			continue
		}
		v := Missing
		text, ok := get(c.field)
		if ok {
			v, ok = c.parse(text)
		}
		if !ok {
			missing++
		}
		values = append(values, v)
	}
	return values, missing
}
