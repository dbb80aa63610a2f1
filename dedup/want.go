package dedup

import "fmt"

// Want says when two documents are alike for a user. It cannot be read from the
// texts alone: replies quote, licences come in families, forms repeat.
type Want int

const (
	// Copies are the same text with small edits. One could be dropped without loss.
	Copies Want = iota
	// Versions are revisions of one text, however many words were changed: they resemble each
	// other more than unrelated documents of the collection do.
	Versions
	// Excerpts are two documents where one contains a large part of the other.
	Excerpts
)

// Where a want begins, unless a user says otherwise.
const (
	// DefaultDiffer is the share of words that may differ between copies. In sets of
	// the shared folder whose documents have forty words or more, pairs up to it are
	// nearly always alike by the labels (.91 to 1).
	DefaultDiffer = 0.1

	// LeastContained is the share of the shorter text that lies in the longer one, from
	// which on it is an excerpt.
	LeastContained = 0.5
)

var wants = []string{"copies", "versions", "excerpts"}

// ParseWant reads "copies", "versions" or "excerpts".
func ParseWant(s string) (Want, error) {
	for i, name := range wants {
		if s == name {
			return Want(i), nil
		}
	}
	return 0, fmt.Errorf("dedup: want %q, want copies, versions or excerpts", s)
}

// String returns what ParseWant reads.
func (w Want) String() string { return wants[w] }
