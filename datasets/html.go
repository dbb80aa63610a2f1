package datasets

import (
	"strings"

	"codeberg.org/readeck/go-readability"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxTags is the maximum number of tags of a page that becomes a tree. A node
// takes two hundred bytes. The longest pages that people read have about ten
// thousand tags.
const maxTags = 1 << 17

// mainText returns the main text of an HTML page. It returns all text if no
// part stands out, as in a fragment, a list or a page of a few words, or if
// there are more than maxTags tags.
func mainText(page string) string {
	var text string
	if strings.Count(page, "<") > maxTags {
		return allText(page)
	}
	err := guard(func() error { // the library follows the page's own structure
		doc, err := html.Parse(strings.NewReader(page))
		if err != nil {
			return err
		}
		parser := readability.NewParser()
		parser.DisableJSONLD = true
		article, err := parser.ParseDocument(doc, nil)
		if err == nil && article.Node != nil {
			var b blocks
			b.node(article.Node)
			text = b.String()
		}
		return err
	})
	if err == nil && text != "" {
		return text
	}
	return allText(page)
}

// allText returns the text of a page without tags, scripts and styles.
func allText(page string) string {
	var b blocks
	z := html.NewTokenizer(strings.NewReader(page))
	hidden := 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			if hidden == 0 {
				b.text(string(z.Text()))
			}
		case html.StartTagToken:
			t, _ := z.TagName()
			if a := atom.Lookup(t); isHidden(a) {
				hidden++
			} else {
				b.tag(a)
			}
		case html.EndTagToken:
			t, _ := z.TagName()
			if a := atom.Lookup(t); isHidden(a) {
				hidden = max(hidden-1, 0)
			} else {
				b.tag(a)
			}
		case html.SelfClosingTagToken:
			t, _ := z.TagName()
			b.tag(atom.Lookup(t))
		}
	}
}

func isHidden(a atom.Atom) bool {
	return a == atom.Script || a == atom.Style || a == atom.Template || a == atom.Title || a == atom.Noscript
}

// blocks collects text: white space becomes one space, and elements that begin a
// block begin a line.
type blocks struct {
	strings.Builder
	space, line bool
}

func (b *blocks) node(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		b.text(n.Data)
		return
	case n.Type == html.ElementNode && isHidden(n.DataAtom):
		return
	}
	b.tag(n.DataAtom)
	for c := range n.ChildNodes() {
		b.node(c)
	}
	b.tag(n.DataAtom)
}

func (b *blocks) tag(a atom.Atom) {
	switch a {
	case 0, atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Del, atom.Dfn, atom.Em, atom.Font,
		atom.I, atom.Ins, atom.Kbd, atom.Mark, atom.Q, atom.Rp, atom.Rt, atom.Ruby, atom.S, atom.Samp, atom.Small, atom.Span,
		atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr:
	default:
		b.line = true
	}
}

func (b *blocks) text(s string) {
	const white = " \t\r\n\f"
	for s != "" {
		if rest := strings.TrimLeft(s, white); rest != s {
			b.space, s = true, rest
			continue
		}
		end := strings.IndexAny(s, white)
		if end < 0 {
			end = len(s)
		}
		switch {
		case b.Len() == 0:
		case b.line:
			b.WriteByte('\n')
		case b.space:
			b.WriteByte(' ')
		}
		b.space, b.line = false, false
		b.WriteString(s[:end])
		s = s[end:]
	}
}
