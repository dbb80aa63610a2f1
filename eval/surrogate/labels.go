package surrogate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// Label is somebody's answer about two documents.
type Label struct {
	A, B  string // ids
	Alike bool
}

// kindReview is the kind of the pairs that a person has judged.
const kindReview = "review"

// ReadLabels reads answers from a tab-separated file with the columns id1, id2 and label, as
// AppendLabel and package datasets write pairs. There are none in a file that does not exist.
// Later answers about the same two documents replace earlier ones.
func ReadLabels(name string) ([]Label, error) {
	r, err := datasets.Open(datasets.Source{Path: name, Format: "tsv", ID: "id1", Text: []string{"id2"}})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var labels []Label
	at := map[[2]string]int{}
	for row, err := range r.Rows() {
		if err != nil {
			return nil, err
		}
		text, _ := row.Get("label")
		label, err := strconv.ParseFloat(text, 64)
		if err != nil || !(label >= 0 && label <= 1) {
			return nil, fmt.Errorf("surrogate: %s:%d: the label is %q, want 0 or 1", row.File, row.Line, text)
		}
		l := Label{row.Doc.ID, row.Doc.Text, datasets.Pair{Label: label}.Alike()}
		key := [2]string{min(l.A, l.B), max(l.A, l.B)}
		if i, ok := at[key]; ok {
			labels[i] = l
			continue
		}
		at[key] = len(labels)
		labels = append(labels, l)
	}
	return labels, nil
}

// AppendLabel adds an answer at the end of a file, which it makes with a header if it is not
// there, so that what was answered stays when a review is broken off.
func AppendLabel(name string, l Label) error {
	if strings.ContainsAny(l.A+l.B, "\t\r\n") {
		return fmt.Errorf("surrogate: the ids %q and %q hold a tab or a line break, and cannot stand in %s", l.A, l.B, name)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return fmt.Errorf("surrogate: %w", err)
	}
	at, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		line := fmt.Sprintf("%s\t%s\t%d\t%s\n", l.A, l.B, map[bool]int{true: 1}[l.Alike], kindReview)
		if at == 0 {
			line = "id1\tid2\tlabel\tkind\n" + line
		}
		_, err = f.WriteString(line)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("surrogate: %w", err)
	}
	return nil
}
