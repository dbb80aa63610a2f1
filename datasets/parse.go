package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
	"unique"
)

// library is the documents of a set while its other files refer to them by id.
type library struct {
	docs   []Doc
	number map[string]int

	strangers bool // clusters may name documents that are not here
}

func (l *library) find(id []byte) (int, error) {
	if i, ok := l.number[string(id)]; ok {
		return i, nil
	}
	return 0, fmt.Errorf("no document has the id %q", id)
}

// readDocs reads a file of documents, one JSON object per line. It ignores fields
// other than id, text and lang, so that you can use your own records as they are.
func readDocs(dir folder, name string) (*library, error) {
	l := &library{number: map[string]int{}}
	var j jsonFields
	err := eachLine(dir, name, func(_ int, line []byte) error {
		d, err := j.doc(line)
		if err != nil {
			return err
		}
		if first, ok := l.number[d.ID]; ok {
			return fmt.Errorf("the id %q is that of line %d too", d.ID, first+1)
		}
		l.number[d.ID] = len(l.docs)
		l.docs = append(l.docs, d)
		return nil
	})
	if err == nil && len(l.docs) == 0 {
		err = fmt.Errorf("datasets: %s/%s holds no document", dir.name, name)
	}
	return l, err
}

// named returns a field of a document. As in encoding/json its case does not matter, but
// a field in lower case goes first.
func named(rec Record, name string) *Field {
	if f := rec.field(name); f != nil {
		return f
	}
	for i := len(rec.Fields) - 1; i >= 0; i-- {
		if strings.EqualFold(rec.Fields[i].Name, name) {
			return &rec.Fields[i]
		}
	}
	return nil
}

// doc returns the document of a line. Each byte that is no UTF-8 becomes U+FFFD.
func (j *jsonFields) doc(line []byte) (d Doc, err error) {
	if !utf8.Valid(line) {
		line = []byte(string([]rune(string(line))))
	}
	rec := Record{}
	if rec.Fields, err = j.fields(line); err != nil {
		return Doc{}, err
	}
	for _, to := range []struct {
		name  string
		value *string
	}{{"id", &d.ID}, {"text", &d.Text}, {"lang", &d.Lang}} {
		f := named(rec, to.name)
		switch {
		case f != nil && strings.HasPrefix(f.JSON, `"`):
			*to.value = f.Value
		case f != nil && f.JSON != "null":
			return Doc{}, fmt.Errorf("no JSON object with the strings id, text and lang: the field %q is %.20s", f.Name, f.JSON)
		}
	}
	switch text := named(rec, "text"); {
	case d.ID == "":
		return Doc{}, errors.New(`no field "id", or an empty one`)
	case badID(d.ID) != nil:
		return Doc{}, badID(d.ID)
	case text == nil || text.JSON == "null":
		return Doc{}, errors.New(`no field "text"`)
	}
	// The strings are parts of the line. Copies let the rest of it be freed.
	if d.ID, d.Lang = strings.Clone(d.ID), strings.Clone(d.Lang); len(line) > len(d.Text)+len(d.Text)/8+64 {
		d.Text = strings.Clone(d.Text)
	}
	return d, nil
}

// readPairs reads a file of pairs: a header, then id1, id2, the label and,
// optionally, the kind of each pair, which is the argument kind otherwise. The
// label is left in Grade as it stands.
func readPairs(dir folder, name string, l *library, split Split, kind string) ([]Pair, error) {
	var pairs []Pair
	err := eachRow(dir, name, []string{"id1", "id2", "label"}, func(f [][]byte) error {
		if len(f) != 3 && len(f) != 4 {
			return fmt.Errorf("%d fields, want id1, id2, label and perhaps kind, tab-separated", len(f))
		}
		p := Pair{Split: split, Kind: kind}
		var err error
		if p.A, err = l.find(f[0]); err != nil {
			return err
		}
		if p.B, err = l.find(f[1]); err != nil {
			return err
		}
		if p.Grade, err = ParseLabel(string(f[2])); err != nil {
			return err
		}
		if len(f) == 4 {
			p.Kind = unique.Make(string(f[3])).Value() // one string for each kind, not one for each pair
		}
		pairs = append(pairs, p)
		return nil
	})
	return pairs, err
}

// words are labels in words, in lower case.
var words = map[string]float64{
	"true": 1, "yes": 1, "y": 1, "是": 1, "false": 0, "no": 0, "n": 0, "否": 0,
}

// ParseLabel returns the number that a label is, or that its word stands for.
func ParseLabel(label string) (float64, error) {
	if v, ok := words[strings.ToLower(label)]; ok {
		return v, nil
	}
	v, err := strconv.ParseFloat(label, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 1) {
		return 0, fmt.Errorf("the label is %q, want a number from 0 up, yes or no", label)
	}
	return v, nil
}

// readClusters reads a file of clusters: a header, then the id of a document and
// the name of its cluster. A document that is not listed is a cluster of its own.
func readClusters(dir folder, name string, l *library) ([]int, error) {
	names := map[string]int{} // cluster name to one of its documents
	listed := make([]bool, len(l.docs))
	forest := NewForest(len(l.docs))
	err := eachRow(dir, name, []string{"id", "cluster"}, func(f [][]byte) error {
		if len(f) != 2 || len(f[1]) == 0 {
			return errors.New("want the two fields id and cluster, tab-separated")
		}
		id, cluster := f[0], f[1]
		i, err := l.find(id)
		if err != nil && l.strangers {
			return nil
		}
		if err != nil {
			return err
		}
		if listed[i] {
			return fmt.Errorf("the id %q is listed twice", id)
		}
		listed[i] = true
		if j, ok := names[string(cluster)]; ok {
			forest.Join(i, j)
		} else {
			names[string(cluster)] = i
		}
		return nil
	})
	return forest.Numbers(), err
}

// eachRow calls fn with the fields of each row of a table whose header begins
// with want. A file without any line is damaged; it is not a table without rows.
func eachRow(dir folder, name string, want []string, fn func(fields [][]byte) error) error {
	lines := 0
	err := eachLine(dir, name, func(n int, line []byte) error {
		lines = n
		fields := bytes.Split(line, []byte{'\t'})
		if n > 1 {
			return fn(fields)
		}
		for i, w := range want {
			if i >= len(fields) || string(fields[i]) != w {
				return fmt.Errorf("the header is %q, want %q", line, strings.Join(want, "\t"))
			}
		}
		return nil
	})
	if err == nil && lines == 0 {
		err = fmt.Errorf("datasets: %s/%s:1: no header: the file is empty", dir.name, name)
	}
	return err
}
