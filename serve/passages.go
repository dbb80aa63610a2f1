package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/passages"
)

const (
	// passagesMemory is the budget of one search for passages. A document may have a
	// sixteenth of it, as in the command.
	passagesMemory = 128 << 20

	// maxPlaces is the maximum number of passages and occurrences in texts of a
	// request, which all are in the answer, and maxPlacesOfData that in a data
	// set.
	maxPlaces       = 100_000
	maxPlacesOfData = 2_000_000
)

// PassageKeys say what a passage is.
type PassageKeys struct {
	MinLength int    `query:"min_length" json:"min_length,omitempty" minimum:"0" maximum:"4096" doc:"minimum length in characters of the folded text, 8 or more; 0 means 100"`
	Words     int    `query:"words" json:"words,omitempty" minimum:"0" maximum:"1024" doc:"minimum length in whole words instead, 4 or more"`
	Docs      int    `query:"docs" json:"docs,omitempty" minimum:"0" doc:"minimum number of documents that a passage stands in; 0 means 2"`
	Fold      string `query:"fold" json:"fold,omitempty" maxLength:"1000" doc:"folding keys, such as punct=drop,case=keep"`
	Most      int    `query:"most" json:"most,omitempty" minimum:"0" maximum:"10000" doc:"maximum number of passages listed; 0 means 500"`
}

type passagesRequest struct {
	Texts []Text `json:"texts" minItems:"1"`
	PassageKeys
	Parts bool `json:"parts,omitempty" doc:"answer with the texts too, up to 4 MiB, but for what is far from passages"`
}

type dataPassagesRequest struct {
	Named
	PassageKeys
}

// registerPassages adds the operations that find passages.
func (s *Server) registerPassages() {
	register(s, operation{method: "POST", path: "/v1/passages", id: "passages", tag: "texts", class: heavy,
		summary: "Text that stands in more than one of many texts"}, s.passages)
	register(s, operation{method: "GET", path: "/v1/data/{name}/passages", id: "data-passages", tag: "data", class: heavy,
		summary: "Text that stands in more than one document of a data set, with documents around it", errors: []int{http.StatusRequestEntityTooLarge}}, s.passagesOfData)
}

func (s *Server) passages(ctx context.Context, in *body[passagesRequest]) (*passages.View, error) {
	q := &in.Body
	if err := s.checkTexts(q.Texts); err != nil {
		return nil, err
	}
	view := passages.ViewOptions{Places: maxPlaces}
	if q.Parts {
		view.Text = passages.PageView.Text
	}
	return passagesIn(ctx, q.PassageKeys, view, maxPlaces, len(q.Texts), func(i int) (id, text string) {
		if id = q.Texts[i].ID; id == "" {
			id = strconv.Itoa(i)
		}
		return id, q.Texts[i].Text
	})
}

func (s *Server) passagesOfData(ctx context.Context, in *dataPassagesRequest) (*passages.View, error) {
	d, err := s.setOf(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	return passagesIn(ctx, in.PassageKeys, passages.PageView, maxPlacesOfData, len(d.Docs), func(i int) (id, text string) { return d.Docs[i].ID, d.Docs[i].Text })
}

// inKeys names the keys of a request in errors of package passages.
var inKeys = strings.NewReplacer("passages: ", "", "MinLength", "min_length", "MinWords", "words", "Docs is", "docs is", "Fold.Space drops", "fold drops")

// passagesIn returns a view of the passages of n documents.
func passagesIn(ctx context.Context, q PassageKeys, view passages.ViewOptions, most int64, n int, doc func(i int) (id, text string)) (_ *passages.View, err error) {
	o := passages.Options{MinLength: q.MinLength, MinWords: q.Words, Docs: q.Docs, Memory: passagesMemory, MaxRows: most}
	keys, err := settings.Parse(q.Fold)
	if err == nil {
		err = feature.FoldKeys.Apply(&o.Fold, keys)
	}
	if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, "fold: %v", err)
	}
	f, err := passages.New(o)
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return nil, err // no place for temporary files
	} else if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, "%s", inKeys.Replace(err.Error()))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		id, text := doc(i)
		if len(text) > passagesMemory/16 {
			return nil, problem(http.StatusRequestEntityTooLarge, "document %q has %d bytes, want at most %d", id, len(text), passagesMemory/16)
		}
		p, err := f.Prepare(text)
		if err == nil {
			err = f.Add(p)
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := f.Each(ctx, func(passages.Passage) error { return nil }); errors.Is(err, passages.ErrLimit) {
		return nil, problem(http.StatusRequestEntityTooLarge, "more than %d passages and places, want a larger min_length or words, or fewer texts", most)
	} else if err != nil {
		return nil, err
	}
	view.Passages = q.Most
	if view.Passages == 0 {
		view.Passages = passages.PageView.Passages
	}
	view.ID = func(i int) string { id, _ := doc(i); return id }
	return f.View(ctx, view)
}

// checkTexts returns an error if there are too many texts, or if one is too long.
func (s *Server) checkTexts(texts []Text) error {
	if len(texts) > s.o.Limits.Batch {
		return problem(http.StatusRequestEntityTooLarge, "%d texts, want at most %d", len(texts), s.o.Limits.Batch)
	}
	for i, t := range texts {
		if err := s.checkText(fmt.Sprintf("texts[%d]", i), t.Text); err != nil {
			return err
		}
	}
	return nil
}
