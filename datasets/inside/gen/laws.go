package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// statute is one version of a law: its text without front matter and headings'
// marks, and its articles by their number.
type statute struct {
	doc      datasets.Doc
	body     string
	articles []article
}

type article struct{ number, text string }

var articleStart = regexp.MustCompile(`(?m)^第[零一二三四五六七八九十百]+条`)

func newStatute(doc datasets.Doc) statute {
	body := doc.Text
	if _, after, ok := strings.Cut(body, "<!-- INFO END -->"); ok {
		body = after
	}
	body = strings.TrimSpace(regexp.MustCompile(`(?m)^#+ *`).ReplaceAllString(body, ""))
	s := statute{doc: doc, body: body}
	starts := articleStart.FindAllStringIndex(body, -1)
	for i, at := range starts {
		end := len(body)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		// A heading of the next chapter ends the article too.
		text, _, _ := strings.Cut(body[at[0]:end], "\n\n第")
		s.articles = append(s.articles, article{body[at[0]:at[1]], strings.TrimSpace(text)})
	}
	return s
}

// collectLaws takes excerpts and single articles of statutes in two versions,
// planted edits of others, and articles and excerpts on their own.
func collectLaws(b *builder) error {
	laws, err := clusters("zh-laws")
	if err != nil {
		return err
	}
	var versions, only []statute // versions holds the first and the last of each law in turn
	for _, docs := range laws {
		if len(docs) == 1 {
			only = append(only, newStatute(docs[0]))
			continue
		}
		versions = append(versions, newStatute(docs[0]), newStatute(docs[len(docs)-1]))
	}
	excerpts(b, versions)
	articles(b, versions)
	plantedLaws(b, only)
	return nil
}

// excerpt returns the beginning of the statute up to the end of the paragraph
// that reaches the length.
func excerpt(s statute) datasets.Doc {
	n := 0
	var out []string
	for _, p := range strings.Split(s.body, "\n\n") {
		out = append(out, p)
		if n += len([]rune(p)); n >= lawExcerpt {
			break
		}
	}
	return datasets.Doc{ID: s.doc.ID + ":excerpt", Text: strings.Join(out, "\n"), Lang: s.doc.Lang}
}

// excerpts takes the beginnings of two versions, two thirds of them of statutes
// that changed much.
func excerpts(b *builder, versions []statute) {
	much, little := 54, 20
	for i := 0; i < len(versions); i += 2 {
		x, y := excerpt(versions[i]), excerpt(versions[i+1])
		jaccard, _ := overlap(b.features(x.Text), b.features(y.Text))
		left := &little
		if jaccard < 0.8 {
			left = &much
		}
		if *left > 0 && jaccard < 0.99 && b.add(&group{kind: "law-revision", docs: []datasets.Doc{x, y}, unit: name(x)}) {
			*left--
		}
	}
}

// name returns the name of a law, which the ids of its versions begin with.
func name(d datasets.Doc) string {
	n, _, _ := strings.Cut(d.ID, "@")
	return n
}

// articles takes articles that changed between two versions. What belongs
// together is decided by the structure, not by likeness: the articles before and
// after are word for word the same, but for their numbers, which need not agree.
// At most three are taken of a law.
func articles(b *builder, versions []statute) {
	left := 140
	for i := 0; i < len(versions) && left > 0; i += 2 {
		x, y := versions[i], versions[i+1]
		between := map[[2]string]article{}
		for k := 1; k+1 < len(x.articles); k++ {
			between[[2]string{x.articles[k-1].words(), x.articles[k+1].words()}] = x.articles[k]
		}
		ofLaw := 0
		for k := 1; k+1 < len(y.articles); k++ {
			c := y.articles[k]
			a, ok := between[[2]string{y.articles[k-1].words(), y.articles[k+1].words()}]
			if !ok || !isShort(a.text) || !isShort(c.text) || left == 0 || ofLaw == 3 {
				continue
			}
			jaccard, _ := overlap(b.features(a.text), b.features(c.text))
			if jaccard > 0.9 { // next to nothing changed
				continue
			}
			if b.add(&group{kind: "law-article", docs: []datasets.Doc{articleDoc(x, a), articleDoc(y, c)}, unit: name(x.doc)}) {
				left--
				ofLaw++
			}
		}
	}
}

// words returns the text of the article without its number.
func (a article) words() string { return strings.TrimSpace(a.text[len(a.number):]) }

func isShort(text string) bool {
	n := len([]rune(text))
	return n >= 40 && n < 400
}

func articleDoc(s statute, a article) datasets.Doc {
	return datasets.Doc{ID: fmt.Sprintf("%s:%s", s.doc.ID, a.number), Text: a.text, Lang: s.doc.Lang}
}

// plantedLaws edits articles and excerpts of statutes of one version. The decoys
// come from the other statutes; those on one subject say nearly the same.
func plantedLaws(b *builder, only []statute) {
	all := edits()
	short, long := 88, 33
	var pool, poolLong []*group
	for i, s := range only {
		other := only[(i+7)%len(only)]
		if len(s.articles) < 8 || len(other.articles) < 8 {
			continue
		}
		a := s.articles[1+i%7]
		unit := name(s.doc)
		switch {
		case long > 0 && i%4 == 0:
			if b.plant(group{unit: unit}, excerpt(s), all[long%len(all)], excerpt(other).Text) {
				long--
			}
		case short > 0 && isShort(a.text) && i%4 != 1:
			if b.plant(group{unit: unit}, articleDoc(s, a), all[short%len(all)], other.body) {
				short--
			}
		default:
			poolLong = append(poolLong, &group{docs: []datasets.Doc{excerpt(s)}, unit: unit})
			for _, a := range s.articles[1:8] { // the first articles all say why there is a law
				if isShort(a.text) {
					pool = append(pool, &group{docs: []datasets.Doc{articleDoc(s, a)}, unit: unit})
				}
			}
		}
	}
	b.decoys(pool, 140)
	b.decoys(poolLong, 24)
}
