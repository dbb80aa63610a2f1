package surrogate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// Label is somebody's answer about two documents.
type Label struct {
	A, B  string // ids
	Alike bool
	Check bool // given to check a rule: see Truth.Review
}

// Key returns the two ids of a pair in one order.
func Key(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }

// Answers returns labels by the Key of their pair.
func Answers(labels []Label) map[[2]string]bool {
	out := make(map[[2]string]bool, len(labels))
	for _, l := range labels {
		out[Key(l.A, l.B)] = l.Alike
	}
	return out
}

// The kinds of the pairs that a person has judged.
const (
	kindReview = "review"
	kindCheck  = "check"
)

// ReadLabels reads answers from a tab-separated file with the columns id1, id2
// and label, as AppendLabel and package datasets write pairs. There are none in
// a file that does not exist or is empty. Later answers about the same two
// documents replace earlier ones.
func ReadLabels(name string) ([]Label, error) {
	if info, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil, nil
	}
	return readLabels(datasets.Source{Path: name})
}

func readLabels(src datasets.Source) (labels []Label, err error) {
	src.Format = "tsv"
	at := map[[2]string]int{}
	err = datasets.EachLabelled(src, func(row datasets.Labelled) error {
		if row.Label > 1 {
			return fmt.Errorf("surrogate: %s:%d: the label is %v, want 0 or 1", row.File, row.Line, row.Label)
		}
		l := Label{A: row.ID1, B: row.ID2, Alike: datasets.Pair{Label: row.Label}.Alike(), Check: row.Kind == kindCheck}
		key := Key(l.A, l.B)
		if i, ok := at[key]; ok {
			labels[i] = l
			return nil
		}
		at[key] = len(labels)
		labels = append(labels, l)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return labels, nil
}

// labelHeader is the header of the files that AppendLabel creates.
const labelHeader = "id1\tid2\tlabel\tkind"

// AppendLabel appends an answer to a file, so that answers stay if a review is
// interrupted. It fills the columns that the file has, and creates the file with
// a header if there is none. It removes an incomplete last line that lacks an
// id or the label, because such an answer was never acknowledged. All other
// lines stay. AppendLabel writes nothing and returns an error if ReadLabels
// would not accept the file with the answer. It reads the whole file.
func AppendLabel(name string, l Label) error {
	if strings.ContainsAny(l.A+l.B, "\t\r\n") {
		return fmt.Errorf("surrogate: the ids %q and %q hold a tab or a line break, and cannot stand in %s", l.A, l.B, name)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return fmt.Errorf("surrogate: %w", err)
	}
	err = appendLabel(f, name, l)
	if closing := f.Close(); closing != nil {
		err = errors.Join(err, fmt.Errorf("surrogate: %w", closing))
	}
	return err
}

// DropLabel removes the line that AppendLabel appended last.
func DropLabel(name string, l Label) error {
	content, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("surrogate: %w", err)
	}
	start := bytes.LastIndexByte(bytes.TrimSuffix(content, []byte("\n")), '\n') + 1
	if _, line, err := labelLine(content[:start], l); err != nil || line != string(content[start:]) {
		return fmt.Errorf("surrogate: %s: the last line is not the answer about %q and %q, so it stays", name, l.A, l.B)
	}
	if err := os.Truncate(name, int64(start)); err != nil {
		return fmt.Errorf("surrogate: %w", err)
	}
	return nil
}

func appendLabel(f *os.File, name string, l Label) error {
	content, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("surrogate: %w", err)
	}
	keep, text, err := labelLine(content, l)
	if err != nil {
		return fmt.Errorf("surrogate: %s:1: %w", name, err)
	}
	whole := io.MultiReader(bytes.NewReader(content[:keep]), strings.NewReader(text))
	if _, err := readLabels(datasets.Source{Path: "-", Name: name, Input: whole}); err != nil {
		return err
	}
	if keep < len(content) {
		err = f.Truncate(int64(keep))
	}
	if err == nil {
		if _, err = f.WriteString(text); err != nil {
			err = errors.Join(err, f.Truncate(int64(keep)))
		}
	}
	if err != nil {
		return fmt.Errorf("surrogate: %w", err)
	}
	return nil
}

// labelLine returns how many bytes of a file of labels to keep, and what to
// write behind them: the rest of the last line, and the line of a label.
func labelLine(content []byte, l Label) (keep int, text string, err error) {
	keep = bytes.LastIndexByte(content, '\n') + 1
	last := string(content[keep:])
	lines := strings.TrimLeft(strings.TrimPrefix(string(content), "\ufeff"), "\r\n")
	header, _, _ := strings.Cut(lines, "\n")
	if header == last && strings.HasPrefix(labelHeader, last) { // a new file, or half of its header
		header, last, text = labelHeader, "", labelHeader+"\n"
	}
	columns := strings.Split(strings.TrimSuffix(header, "\r"), "\t")
	end := 0 // the last column that a label needs
	for _, c := range []string{"id1", "id2", "label"} {
		at := slices.Index(columns, c)
		if at < 0 {
			return 0, "", fmt.Errorf("the columns are %q, want id1, id2 and label", columns)
		}
		end = max(end, at)
	}
	fields := strings.Split(last, "\t")
	if end < len(fields) && fields[end] != "" {
		keep = len(content)
		text = strings.Repeat("\t", max(0, len(columns)-len(fields))) + "\n"
	}
	values := map[string]string{"id1": l.A, "id2": l.B, "label": "0", "kind": kindReview}
	if l.Alike {
		values["label"] = "1"
	}
	if l.Check {
		values["kind"] = kindCheck
	}
	row := make([]string, len(columns))
	for i, c := range columns {
		row[i] = values[c]
	}
	return keep, text + strings.Join(row, "\t") + "\n", nil
}
