// Size counts what the house consists of, for a comparison of two commits:
//
//	go run ./docs/size
//
// Product lines are the lines of Go files outside docs and bench that are not
// tests, not generated and not assembly generators. Packages that support tests
// and the other generators are listed apart: a total is given without them and
// with them.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
)

const module = "github.com/alike-go/alike"

// A file is a Go file of the repository that is not generated.
type file struct {
	name string
	dir  string
	test bool
	text []byte
	tree *ast.File
}

// product reports whether the file counts as product.
func (f *file) product() bool {
	area, _, _ := strings.Cut(f.dir, "/")
	return !f.test && area != "docs" && area != "bench" && path.Base(f.dir) != "asm"
}

// support returns the folders of product files that no program of a user
// contains: packages that import testing, and generators, which are commands in
// folders named gen.
func support(files []*file) map[string]bool {
	dirs := map[string]bool{}
	for _, f := range files {
		if !f.product() {
			continue
		}
		tests := slices.ContainsFunc(f.tree.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing"` })
		if tests || f.tree.Name.Name == "main" && path.Base(f.dir) == "gen" {
			dirs[f.dir] = true
		}
	}
	return dirs
}

func main() {
	files, err := read()
	if err != nil {
		log.Fatal(err)
	}
	lines(files)
	exports(files)
	mechanisms(files)
	largest(files)
	repeats(files)
}

// read parses every Go file that git tracks.
func read() ([]*file, error) {
	out, err := exec.Command("git", "ls-files", "*.go").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	var files []*file
	fset := token.NewFileSet()
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue // deleted and not committed yet
		}
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if !ast.IsGenerated(tree) {
			files = append(files, &file{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), text, tree})
		}
	}
	return files, nil
}

func lines(files []*file) {
	apart := support(files)
	byArea, bySupport := map[string]int{}, map[string]int{}
	total, extra, tests := 0, 0, 0
	for _, f := range files {
		n := bytes.Count(f.text, []byte("\n"))
		area, _, _ := strings.Cut(f.dir, "/")
		switch {
		case f.test:
			tests += n
		case !f.product():
		case apart[f.dir]:
			bySupport[f.dir] += n
			extra += n
		default:
			byArea[area] += n
			total += n
		}
	}
	fmt.Printf("product lines %d (with test support and generators %d), lines of tests %d\n\n", total, total+extra, tests)
	rows(byArea)
	fmt.Printf("\ntest support and generators %d\n\n", extra)
	rows(bySupport)
}

// rows prints counts, the largest first.
func rows(counts map[string]int) {
	for _, k := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	}) {
		fmt.Printf("%7d  %s\n", counts[k], k)
	}
}

// A name is an exported top-level name of a package.
type name struct{ dir, ident string }

// exports counts exported top-level names and the names that no other package
// writes. Such a name is still in use if a value of it reaches another package,
// and those are counted apart.
func exports(files []*file) {
	defined := map[name]bool{}
	shows := map[name][]name{}
	for _, f := range files {
		if f.product() && f.tree.Name.Name != "main" {
			declared(f, func(ident string, others []string) {
				n := name{f.dir, ident}
				defined[n] = defined[n] || ast.IsExported(ident)
				for _, o := range others {
					shows[n] = append(shows[n], name{f.dir, o})
				}
			})
		}
	}
	used := map[name]bool{}
	for _, f := range files {
		imports := map[string]string{} // by the name in this file, the folder
		for _, i := range f.tree.Imports {
			dir, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module+"/")
			if !ours || dir == f.dir {
				continue // an external test is a user of its own package only as a test
			}
			local := path.Base(dir)
			if i.Name != nil {
				local = i.Name.Name
			}
			imports[local] = dir
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && imports[x.Name] != "" {
					used[name{imports[x.Name], s.Sel.Name}] = true
				}
			}
			return true
		})
	}
	maps.DeleteFunc(defined, func(_ name, exported bool) bool { return !exported })
	all := len(defined)
	maps.DeleteFunc(defined, func(d name, _ bool) bool { return used[d] })
	unwritten := len(defined)
	fmt.Printf("\nexported top-level names %d, used in no other package %d\n\n", all, unwritten)
	byFolder(defined)

	reached := maps.Clone(used)
	for todo := slices.Collect(maps.Keys(used)); len(todo) > 0; todo = todo[1:] {
		for _, n := range shows[todo[0]] {
			if !reached[n] {
				reached[n] = true
				todo = append(todo, n)
			}
		}
	}
	maps.DeleteFunc(defined, func(d name, _ bool) bool { return reached[d] })
	fmt.Printf("\nof these, %d reach one as the type of an argument, result or field, or as a value of such a type, and %d do not\n\n",
		unwritten-len(defined), len(defined))
	byFolder(defined)
}

func byFolder(names map[name]bool) {
	idents := map[string][]string{}
	for n := range names {
		idents[n.dir] = append(idents[n.dir], n.ident)
	}
	for _, dir := range slices.Sorted(maps.Keys(idents)) {
		slices.Sort(idents[dir])
		fmt.Printf("%7d  %s: %s\n", len(idents[dir]), dir, strings.Join(idents[dir], " "))
	}
}

// declared calls do with each top-level name of a file and the names of the
// package that users of it meet: the types in a signature, of exported fields
// and in the signatures of exported methods, and the constants of a type.
func declared(f *file, do func(ident string, others []string)) {
	for _, d := range f.tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				do(d.Name.Name, types(d.Type))
			} else if d.Name.IsExported() {
				do(types(d.Recv)[0], types(d.Type))
			}
		case *ast.GenDecl:
			var of ast.Expr // the type of a constant, which may stand above it
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					do(s.Name.Name, types(s.Type))
				case *ast.ValueSpec:
					if s.Type != nil || s.Values != nil {
						of = s.Type
					}
					for _, i := range s.Names {
						do(i.Name, types(of))
						if t, ok := of.(*ast.Ident); ok && d.Tok == token.CONST {
							do(t.Name, []string{i.Name})
						}
					}
				}
			}
		}
	}
}

// types returns the names of the package in a type, but for unexported fields.
func types(of ast.Node) []string {
	var out []string
	if of == nil {
		return nil
	}
	ast.Inspect(of, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			for _, f := range n.Fields.List {
				hidden := func(i *ast.Ident) bool { return !i.IsExported() }
				if f.Names == nil || !slices.ContainsFunc(f.Names, hidden) {
					out = append(out, types(f.Type)...)
				}
			}
			return false
		case *ast.Field:
			out = append(out, types(n.Type)...)
			return false
		case *ast.SelectorExpr:
			return false // of another package
		case *ast.Ident:
			out = append(out, n.Name)
		}
		return true
	})
	return out
}

// mechanisms lists the product files in which a mechanism is written out.
func mechanisms(files []*file) {
	fmt.Println("\nfiles in which a mechanism stands")
	for _, m := range []struct {
		what  string
		signs []string
	}{
		{"goroutines", []string{"\tgo func(", "errgroup.", ".Go(func("}},
		{"SplitMix64", []string{"0xbf58476d1ce4e5b9"}},
		{"write aside and rename", []string{"os.Rename("}},
		{"sync of a folder or file", []string{".Sync()"}},
	} {
		var in []string
		for _, f := range files {
			text := strings.ReplaceAll(strings.ToLower(string(f.text)), "_", "")
			if f.product() && slices.ContainsFunc(m.signs, func(s string) bool { return strings.Contains(text, strings.ToLower(s)) }) {
				in = append(in, f.name)
			}
		}
		fmt.Printf("%7d  %s: %s\n", len(in), m.what, strings.Join(in, " "))
	}
}

func largest(files []*file) {
	count := map[string]int{}
	for _, f := range files {
		if f.product() {
			count[f.dir]++
		}
	}
	dirs := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b))
	})
	fmt.Println("\nproduct files in the largest packages")
	for _, d := range dirs[:min(5, len(dirs))] {
		fmt.Printf("%7d  %s\n", count[d], d)
	}
}

// A place is a run of windowLines lines of a file, from the given one on.
type place struct{ file, line int }

// windowLines is the number of lines that two places must share to count as a
// repeat. A run that stands in more than mostPlaces places is an idiom.
const (
	windowLines = 6
	mostPlaces  = 8
)

// repeats counts the pairs of places of product files that share windowLines
// lines or more. Blank lines, comments, imports and lone punctuation do not
// count.
func repeats(files []*file) {
	var texts [][]string
	places := map[string][]place{}
	for _, f := range files {
		if !f.product() {
			continue
		}
		var kept []string
		_, body, _ := strings.Cut(string(f.text), "\n)\n") // behind the imports
		for line := range strings.Lines(body) {
			line = strings.TrimSpace(line)
			if strings.ContainsAny(line, "abcdefghijklmnopqrstuvwxyz") && !strings.HasPrefix(line, "//") {
				kept = append(kept, line)
			}
		}
		for i := 0; i+windowLines <= len(kept); i++ {
			window := strings.Join(kept[i:i+windowLines], "\n")
			places[window] = append(places[window], place{len(texts), i})
		}
		texts = append(texts, kept)
	}
	n := 0
	for _, at := range places {
		if len(at) > mostPlaces {
			continue
		}
		for i, a := range at {
			for _, b := range at[:i] {
				first := a.line == 0 || b.line == 0 || texts[a.file][a.line-1] != texts[b.file][b.line-1]
				if first { // a longer run counts once
					n++
				}
			}
		}
	}
	fmt.Printf("\npairs of places that share %d lines or more: %d\n", windowLines, n)
}
