package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alike-go/alike/datasets"
	"github.com/klauspost/compress/zstd"
)

// write writes the folder of the set.
func (b *builder) write(out string) error {
	dir := filepath.Join(out, b.name)
	var docs bytes.Buffer
	enc := json.NewEncoder(&docs)
	enc.SetEscapeHTML(false)
	for _, g := range b.groups {
		for _, d := range g.docs {
			line := struct {
				ID   string `json:"id"`
				Text string `json:"text"`
				Lang string `json:"lang"`
			}{d.ID, d.Text, d.Lang}
			if err := enc.Encode(line); err != nil {
				return err
			}
		}
	}
	if err := compress(filepath.Join(dir, "docs.jsonl.zst"), docs.Bytes()); err != nil {
		return err
	}
	for _, split := range []datasets.Split{datasets.Dev, datasets.Test} {
		var tsv bytes.Buffer
		tsv.WriteString("id1\tid2\tlabel\tkind\n")
		for _, p := range b.pairs {
			if p.split == split {
				fmt.Fprintf(&tsv, "%s\t%s\t%d\t%s\n", p.a, p.b, p.label, p.kind)
			}
		}
		if err := compress(filepath.Join(dir, "pairs-"+split.String()+".tsv.zst"), tsv.Bytes()); err != nil {
			return err
		}
	}
	return b.counts(filepath.Join(dir, "README.md"), docs.Len())
}

func compress(name string, data []byte) error {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	return os.WriteFile(name, enc.EncodeAll(data, nil), 0o644)
}

// marker divides a README: what follows it is generated.
const marker = "## Counts\n"

// counts rewrites the counts of the README, which is written by hand up to them.
func (b *builder) counts(name string, size int) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	head, _, ok := strings.Cut(string(old), marker)
	if !ok {
		return fmt.Errorf("%s has no line %q", name, marker)
	}
	var out strings.Builder
	documents, long := 0, 0
	for _, g := range b.groups {
		documents += len(g.docs)
		for _, d := range g.docs {
			if len([]rune(d.Text)) >= longFrom {
				long++
			}
		}
	}
	byKind := map[string][2]int{} // dev, test
	var total [2][2]int           // label, then split
	for _, p := range b.pairs {
		side := 0
		if p.split == datasets.Test {
			side = 1
		}
		n := byKind[p.kind]
		n[side]++
		byKind[p.kind] = n
		total[p.label][side]++
	}
	out.WriteString(head + marker + "\nThis part is written by `go run ./gen`.\n\n")
	fmt.Fprintf(&out, "- documents: %d, of them %d of %d characters and more; %d kB\n", documents, long, longFrom, size/1000)
	fmt.Fprintf(&out, "- dev: %d pairs, of them %d alike\n", total[0][0]+total[1][0], total[1][0])
	fmt.Fprintf(&out, "- test: %d pairs, of them %d alike\n\n", total[0][1]+total[1][1], total[1][1])
	out.WriteString("| kind of pair | dev | test |\n| --- | ---: | ---: |\n")
	var kinds []string
	for k := range byKind {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(x, y string) int { return cmp.Compare(x, y) })
	for _, k := range kinds {
		fmt.Fprintf(&out, "| %s | %d | %d |\n", k, byKind[k][0], byKind[k][1])
	}
	return os.WriteFile(name, []byte(out.String()), 0o644)
}
