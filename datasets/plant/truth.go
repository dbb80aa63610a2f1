package plant

import "strconv"

// The kinds of pairs besides the edits, which are the kinds of a copy with its
// original.
const (
	kindCopies = "copies" // two copies of one original
	kindEqual  = "equal"  // an original and a copy that no edit had an effect on
	kindRandom = "random" // two documents that are not alike
	kindReply  = "reply"  // a message and the one that it quotes: not alike
)

// truth turns the documents of a stream into labelled pairs: every copy with its
// original and with the copies of lower number, and for each pair of a copy and
// its original two pairs that are not alike, either of the two with a random one
// of the documents before. A reply and the message that it quotes are not alike.
type truth struct {
	pairs  []pair   // of the last document
	recent []member // a ring
	seen   int
	r      Rand
}

type member struct{ id, original string }

// recentDocs is how many documents negatives are drawn from.
const recentDocs = 4096

// pair is a pair by ids.
type pair struct {
	a, b  string
	label int
	kind  string
}

// add returns the pairs that the document brings, valid until the next call.
func (t *truth) add(d Document) []pair {
	t.pairs = t.pairs[:0]
	if d.Copy > 0 {
		kind := d.Edit.String()
		if d.Record.Touched == 0 {
			kind = kindEqual
		}
		t.pairs = append(t.pairs, pair{d.Original, d.ID, 1, kind})
		for i := 1; i < d.Copy; i++ {
			t.pairs = append(t.pairs, pair{d.Original + "~" + strconv.Itoa(i), d.ID, 1, kindCopies})
		}
		for _, id := range []string{d.Original, d.ID} {
			if other, ok := t.other(d.Original); ok {
				t.pairs = append(t.pairs, pair{other, id, 0, kindRandom})
			}
		}
	}
	if d.Answers != "" {
		t.pairs = append(t.pairs, pair{d.Answers, d.ID, 0, kindReply})
	}
	m := member{d.ID, d.Original}
	if len(t.recent) < recentDocs {
		t.recent = append(t.recent, m)
	} else {
		t.recent[t.seen%recentDocs] = m
	}
	t.seen++
	return t.pairs
}

// other returns a recent document of another cluster; ok is false if some tries
// found none.
func (t *truth) other(original string) (id string, ok bool) {
	if t.seen == 0 {
		return "", false
	}
	for range 32 {
		if m := t.recent[t.r.Below(len(t.recent))]; m.original != original {
			return m.id, true
		}
	}
	return "", false
}
