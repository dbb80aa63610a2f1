package local

import (
	"math"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
)

// none stands for a text or node that there is not.
const none = steps.None

// texts are the documents of a run in columns.
type texts struct {
	steps.Texts
	length []uint32    // by text, in bytes, capped
	values [][]float64 // by field of the policy and row
}

// add adds the next row, and reports whether its text is new.
func (t *texts) add(hash dedup.Hash, length int, empty bool) (isNew bool) {
	isNew = t.Add(hash, empty)
	if isNew {
		t.length = append(t.length, uint32(min(length, math.MaxUint32)))
	}
	return isNew
}
