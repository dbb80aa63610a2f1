package main

import (
	"fmt"
	"html"
	"log"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/docs/internal/kit"
)

// dressing puts around the documents of a set what is not theirs, as pages and logs have
// it, and says which flags are to take it off.
type dressing struct {
	set, name string
	dress     func(d datasets.Doc) string
	args      string
}

// The licences that stand before texts: how many, and their least and greatest length in bytes.
const headers, headerLeast, headerMost = 12, 3000, 6000

// measurePages runs the default method on documents as they are, dressed, and dressed
// under the flags.
func measurePages(l *lab) ([]record, error) {
	licences, err := datasets.Load("licences")
	if err != nil {
		return nil, err
	}
	texts := longTexts(licences, headers, headerLeast, headerMost)
	var out []record
	for _, d := range []dressing{
		{"reuters-reissues", "licence", func(doc datasets.Doc) string {
			return texts[xxh3.HashStringSeed(doc.ID, 1)%uint64(len(texts))] + "\n\n" + doc.Text
		}, "--strip-boilerplate 50"},
		{"reuters-reissues", "stamp", stamp("%s https://example.org/news/%d?page=%d request %08x took %d ms\n%s"), "--mask time,number,url"},
		{"zh-poems", "stamp", stamp("发布于%s，来源https://example.org/%d/%d，编号%08x，阅读%d次\n%s"), "--mask time,number,url"},
		{"reuters-reissues", "page", webPage, "--html"},
		{"zh-poems", "page", webPage, "--html"},
	} {
		log.Printf("%s, %s", d.set, d.name)
		set, err := datasets.Load(d.set)
		if err != nil {
			return nil, err
		}
		_, set = halves(set)
		dressed, _ := kit.Part(set, func(int) bool { return true })
		for i := range dressed.Docs {
			dressed.Docs[i].Text = d.dress(dressed.Docs[i])
		}
		for _, v := range []struct {
			name string
			set  *datasets.Set
			args string
		}{{"as it is", set, ""}, {"with " + d.name, dressed, ""}, {"with " + d.name, dressed, d.args}} {
			r, err := l.on(v.set, record{Section: "pages", Set: d.set + ", " + d.name, Variant: v.name, Method: methods[0], Args: v.args})
			if err != nil {
				return nil, err
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// stamp returns a dressing of a time, an address and numbers, no two documents the same.
func stamp(format string) func(datasets.Doc) string {
	return func(d datasets.Doc) string {
		h := xxh3.HashString(d.ID)
		when := fmt.Sprintf("20%02d-%02d-%02d %02d:%02d:%02d", h%25, 1+h>>8%12, 1+h>>16%28, h>>24%24, h>>32%60, h>>40%60)
		return fmt.Sprintf(format, when, h>>20%1e6, h>>8%100, uint32(h>>7), h>>33%10000, d.Text)
	}
}

// webPage returns a document as a page of its site, in markup that differs from page to page: classes
// and addresses, a script, and the elements that its lines stand in.
func webPage(d datasets.Doc) string {
	h := xxh3.HashString(d.ID)
	element := []string{"p", "div", "section", "blockquote"}[h%4]
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>%d</title>\n<style>.c%x { margin: %dpx }</style>\n", h%1e6, h>>8&0xffff, h>>24%40)
	fmt.Fprintf(&b, "<script>var page = %d, visitor = \"%016x\"; track(page, visitor)</script></head>\n<body class=\"c%x\">\n", h%1e6, h, h>>8&0xffff)
	for i, line := range strings.Split(strings.TrimRight(d.Text, "\n"), "\n") {
		fmt.Fprintf(&b, "<%s id=\"l%x-%d\" class=\"c%x\">%s</%s>\n", element, h>>16&0xfff, i, h>>8&0xffff, html.EscapeString(line), element)
	}
	b.WriteString("</body></html>\n")
	return b.String()
}

// longTexts returns the first texts of different clusters with so many bytes.
func longTexts(set *datasets.Set, n, least, most int) (texts []string) {
	seen := make(map[int]bool)
	for i, d := range set.Docs {
		if len(texts) < n && !seen[set.Clusters[i]] && len(d.Text) >= least && len(d.Text) <= most {
			seen[set.Clusters[i]] = true
			texts = append(texts, d.Text)
		}
	}
	return texts
}
