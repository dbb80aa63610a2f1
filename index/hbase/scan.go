package hbase

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tsuna/gohbase/filter"
	"github.com/tsuna/gohbase/hrpc"
	"github.com/tsuna/gohbase/pb"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// pageSize is how many bytes a server sends at a time. Tests make it smaller.
var pageSize uint64 = 1 << 20

// rangesAtOnce is how many buckets are read in one scan.
const rangesAtOnce = 256

// Scan calls found with the documents in the buckets of the probes. If words must
// be equal it reads rows. Otherwise it scans the buckets of each salt at once,
// with a filter by which servers leap from one bucket to the next.
func (s *Store) Scan(ctx context.Context, probes []index.Posting, within int, found func(probe int, number uint64)) error {
	l, err := s.begin(ctx)
	if err != nil {
		return err
	}
	if within == 0 {
		return wrap("scan", s.scanRows(ctx, l, probes, found))
	}
	of := map[string][]int{} // by the beginning of a bucket's rows, its probes
	for i, p := range probes {
		bucket := string(l.appendBucket(nil, p))
		of[bucket] = append(of[bucket], i)
	}
	var parts [][]string // buckets of one salt, in order
	for _, bucket := range slices.Sorted(maps.Keys(of)) {
		if n := len(parts) - 1; n >= 0 && parts[n][0][0] == bucket[0] && len(parts[n]) < rangesAtOnce {
			parts[n] = append(parts[n], bucket)
		} else {
			parts = append(parts, []string{bucket})
		}
	}
	var mu sync.Mutex
	return wrap("scan", each(len(parts), func(i int) error {
		return s.scanBuckets(ctx, parts[i], func(bucket string, p index.Posting, number uint64) {
			mu.Lock()
			defer mu.Unlock()
			for _, k := range of[bucket] {
				if index.Near(p.Word, probes[k].Word, within) {
					found(k, number)
				}
			}
		})
	}))
}

// scanRows calls found with the documents that have the words of the probes.
func (s *Store) scanRows(ctx context.Context, l layout, probes []index.Posting, found func(probe int, number uint64)) error {
	ops := make([]*op, len(probes))
	for i, p := range probes {
		ops[i] = getOp(s.postings, l.postingRow(p), "")
	}
	if err := s.do(ctx, ops); err != nil {
		return err
	}
	for i, o := range ops {
		for _, c := range o.cells {
			number, err := parseNumber(c.Qualifier)
			if err != nil {
				return err
			}
			found(i, number)
		}
	}
	return nil
}

// scanBuckets calls do with every posting of buckets of one salt, which are in
// order.
func (s *Store) scanBuckets(ctx context.Context, buckets []string, do func(bucket string, p index.Posting, number uint64)) error {
	from, to := []byte(buckets[0]), after([]byte(buckets[len(buckets)-1]))
	var options []func(hrpc.Call) error
	if len(buckets) > 1 {
		var ranges []*filter.RowRange
		for _, b := range buckets {
			ranges = append(ranges, filter.NewRowRange([]byte(b), after([]byte(b)), true, false))
		}
		options = append(options, hrpc.Filters(filter.NewMultiRowRangeFilter(ranges)))
	}
	return s.cells(ctx, s.postings, from, to, func(c *pb.Cell) error {
		p, number, err := parsePosting(c)
		if err == nil {
			do(string(c.Row[:1+index.PrefixSize]), p, number)
		}
		return err
	}, options...)
}

// after returns the row behind all rows that begin with a prefix, or nil.
func after(prefix []byte) []byte {
	next := bytes.Clone(prefix)
	for i := len(next) - 1; i >= 0; i-- {
		if next[i]++; next[i] != 0 {
			return next[:i+1]
		}
	}
	return nil
}

// parseNumber reads the name of a column.
func parseNumber(b []byte) (uint64, error) {
	if len(b) != 8 {
		return 0, fmt.Errorf("hbase: column of %d bytes, want the 8 of a number: %w", len(b), similarity.ErrFormat)
	}
	return binary.BigEndian.Uint64(b), nil
}

// cells calls do with every cell from one row to another, in order. Most often
// that is a single call, which opens a scanner, reads a page and closes it.
func (s *Store) cells(ctx context.Context, table, from, to []byte, do func(*pb.Cell) error, options ...func(hrpc.Call) error) error {
	var last *pb.Cell
	retry := s.retry(scanPasses)
	end := retry.Restart()
	for first := true; ; first = false {
		var err error
		progress := last
		if first {
			var all bool
			if last, all, err = s.page(ctx, table, from, to, end, do, options); err == nil && all {
				return nil
			}
		} else if last, err = s.walk(ctx, table, from, to, last, do, options); err == nil {
			return nil
		}
		var stop stopped
		if errors.As(err, &stop) {
			return stop.error
		}
		if last != progress {
			retry.Restart()
		}
		if err != nil {
			if err := retry.After(ctx, err); err != nil {
				return s.impatient(ctx, err)
			}
		}
		if last != nil {
			from = last.Row
		}
	}
}

// stopped is the error of a function that was called with a cell.
type stopped struct{ error }

// scanPasses is passing for scans, which begin again if a server has lost their
// scanner.
func scanPasses(err error) bool {
	return names(err, "UnknownScannerException", "ScannerResetException", "OutOfOrderScannerNextException", "LeaseException") || passing(err)
}

// page reads the first page, and returns its last cell and whether it was all.
func (s *Store) page(ctx context.Context, table, from, to []byte, end time.Time, do func(*pb.Cell) error, options []func(hrpc.Call) error) (*pb.Cell, bool, error) {
	ctx, stop := context.WithDeadline(ctx, end)
	defer stop()
	scan, err := hrpc.NewScanRange(ctx, table, from, to, append([]func(hrpc.Call) error{hrpc.CloseScanner(), hrpc.MaxResultSize(pageSize)}, options...)...)
	if err != nil {
		return nil, false, err
	}
	msg, err := s.send(scan)
	if err != nil {
		return nil, false, err
	}
	resp, ok := msg.(*pb.ScanResponse)
	if !ok {
		return nil, false, fmt.Errorf("reply %T to a scan", msg)
	}
	var last *pb.Cell
	for _, r := range resp.Results {
		for _, c := range r.Cell {
			if err := do(c); err != nil {
				return last, false, stopped{err}
			}
			last = c
		}
	}
	edge := scan.Region().StopKey()
	inside := len(edge) == 0 || len(to) > 0 && bytes.Compare(to, edge) <= 0
	return last, inside && !resp.GetMoreResultsInRegion(), nil
}

// walk reads from a row on, page by page and region by region, except what
// comes up to the cell last in it, and returns the last cell it has given.
func (s *Store) walk(ctx context.Context, table, from, to []byte, last *pb.Cell, do func(*pb.Cell) error, options []func(hrpc.Call) error) (*pb.Cell, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	scan, err := hrpc.NewScanRange(ctx, table, from, to, append([]func(hrpc.Call) error{hrpc.AllowPartialResults(), hrpc.MaxResultSize(pageSize)}, options...)...)
	if err != nil {
		return last, err
	}
	scanner := s.client.Scan(scan)
	defer scanner.Close()
	for {
		patience := time.AfterFunc(s.o.Patience, stop)
		r, err := scanner.Next()
		if !patience.Stop() && err != nil {
			err = context.DeadlineExceeded
		}
		if errors.Is(err, io.EOF) {
			return last, nil
		}
		if err != nil {
			return last, err
		}
		for _, c := range r.Cells {
			c := (*pb.Cell)(c)
			if last != nil && bytes.Equal(c.Row, last.Row) && bytes.Compare(c.Qualifier, last.Qualifier) <= 0 {
				continue
			}
			if err := do(c); err != nil {
				return last, stopped{err}
			}
			last = c
		}
	}
}

// eachOf calls do with every cell in the rows of a kind in the documents' table.
func (s *Store) eachOf(ctx context.Context, l layout, kind byte, do func(*pb.Cell) error) error {
	for salt := range l.Salts {
		from := []byte{byte(salt), kind}
		if err := s.cells(ctx, s.documents, from, after(from), do); err != nil {
			return err
		}
	}
	return nil
}

// postingCells calls do with every cell of the postings' table.
func (s *Store) postingCells(ctx context.Context, l layout, do func(*pb.Cell) error) error {
	for salt := range l.Salts {
		from := []byte{byte(salt)}
		if err := s.cells(ctx, s.postings, from, after(from), do); err != nil {
			return err
		}
	}
	return nil
}

// parsePosting reads a cell of the postings' table.
func parsePosting(c *pb.Cell) (p index.Posting, number uint64, err error) {
	if p, err = parsePostingRow(c.Row); err == nil {
		number, err = parseNumber(c.Qualifier)
	}
	return p, number, err
}

// EachPosting calls do with every posting, in the order of rows.
func (s *Store) EachPosting(ctx context.Context, do func(p index.Posting, number uint64) error) error {
	l, err := s.begin(ctx)
	if err != nil {
		return err
	}
	return wrap("read postings", s.eachPosting(ctx, l, do))
}

func (s *Store) eachPosting(ctx context.Context, l layout, do func(p index.Posting, number uint64) error) error {
	return s.postingCells(ctx, l, func(c *pb.Cell) error {
		p, number, err := parsePosting(c)
		if err != nil {
			return err
		}
		return do(p, number)
	})
}

func wrap(what string, err error) error {
	if err != nil {
		err = fmt.Errorf("hbase: %s: %w", what, err)
	}
	return err
}

// EachDocument calls do with every document, in the order of rows.
func (s *Store) EachDocument(ctx context.Context, do func(index.Document) error) error {
	l, err := s.begin(ctx)
	if err != nil {
		return err
	}
	now := time.Now().Unix()
	return wrap("read documents", s.eachState(ctx, l, func(st state) error {
		if !st.there(now) {
			return nil
		}
		return do(st.Document)
	}))
}

// eachState calls do with the row of every number that has one.
func (s *Store) eachState(ctx context.Context, l layout, do func(state) error) error {
	for salt := range l.Salts {
		from := []byte{byte(salt), kindDocument}
		var row []*pb.Cell
		flush := func() error {
			if len(row) == 0 {
				return nil
			}
			st, err := l.parseState(row)
			row = row[:0]
			if err != nil {
				return err
			}
			return do(st)
		}
		err := s.cells(ctx, s.documents, from, after(from), func(c *pb.Cell) error {
			if len(row) > 0 && !bytes.Equal(row[0].Row, c.Row) {
				if err := flush(); err != nil {
					return err
				}
			}
			row = append(row, c)
			return nil
		})
		if err == nil {
			err = flush()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
