package pairs

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/internal/durable"
)

// NumberBytes is the memory that a numbered document takes if it is in pairs.
const NumberBytes = 45

// Numbers is the report on numbered documents.
type Numbers struct {
	Documents int64          `json:"documents"`
	Kept      int64          `json:"kept"`
	Removed   int64          `json:"removed"`
	Active    int            `json:"active"`
	Pairs     int64          `json:"pairs"`
	Threshold float64        `json:"threshold"`
	Chaining  dedup.Chaining `json:"chaining"`
}

// DecideNumbers decides on documents that are the numbers from 0 to documents-1. The
// smaller number is kept. DecideNumbers makes the folder out, unless out is empty.
// removed.tsv lists each removed number, the number kept for it, and their score.
// report.json holds the result.
func DecideNumbers(ctx context.Context, s *Source, documents int64, o Options, out string) (*Numbers, error) {
	if out == "" {
		return decideNumbers(ctx, s, documents, o, io.Discard)
	}
	made, err := durable.CreateFolder(out)
	if err != nil {
		return nil, fmt.Errorf("pairs: %s: %w", out, err)
	}
	defer made.Abort()
	f, err := os.Create(filepath.Join(made.Dir, "removed.tsv"))
	if err != nil {
		return nil, fmt.Errorf("pairs: %w", err)
	}
	removed := bufio.NewWriterSize(f, 1<<18)
	n, err := decideNumbers(ctx, s, documents, o, removed)
	if err = errors.Join(err, removed.Flush(), f.Close()); err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(n, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(made.Dir, "report.json"), append(b, '\n'), 0o666)
	}
	if err == nil {
		err = made.Commit("")
	}
	if err != nil {
		return nil, fmt.Errorf("pairs: %w", err)
	}
	return n, nil
}

// decideNumbers writes a line for each document that is removed.
func decideNumbers(ctx context.Context, s *Source, documents int64, o Options, removed io.Writer) (*Numbers, error) {
	if _, err := io.WriteString(removed, "number\tkept\tscore\n"); err != nil {
		return nil, err
	}
	g := graph{nodes: int(documents), node: func(n int64) (uint32, bool) { return uint32(n), n >= 0 && n < documents }}
	var line []byte
	res, err := decide(ctx, s, g, o, func(node, leader uint32, score float64) error {
		line = strconv.AppendUint(line[:0], uint64(node), 10)
		line = strconv.AppendUint(append(line, '\t'), uint64(leader), 10)
		line = strconv.AppendFloat(append(line, '\t'), score, 'g', -1, 64)
		_, err := removed.Write(append(line, '\n'))
		return err
	})
	if err != nil {
		return nil, err
	}
	gone := int64(res.removed)
	return &Numbers{
		Documents: documents, Kept: documents - gone, Removed: gone, Active: res.active, Pairs: res.pairs,
		Threshold: o.Threshold, Chaining: res.chaining,
	}, nil
}
