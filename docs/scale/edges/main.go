// Command edges measures alike cluster on many pairs: it makes pairs, lets the
// command decide on them, and prints time and peak memory.
//
//	go run ./docs/scale/edges -nodes 10000000 -edges 100000000 -dir /tmp/edges
//
// Pairs lie within clusters of all sizes. Some documents of a cluster are alike
// to all others, the rest to a few neighbours, so that there are chains too.
// Pairs come in no order. The same flags make the same pairs.
//
// Its result is in sql/README.md. Tests of the decisions are in dedup/pairs.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/alike-go/alike/dedup/pairs"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/internal/terminal"
)

func main() {
	nodes := flag.Int64("nodes", 1e6, "documents")
	edges := flag.Int64("edges", 1e7, "pairs, about")
	dir := flag.String("dir", "", "new `folder` for pairs, temporary files and the outcome (default a temporary one)")
	memory := flag.String("memory", "256MiB", "for sorting, as `size`")
	keep := flag.Bool("keep", false, "leave the folder there")
	page := flag.String("write", "", "`file` whose section of edges the figures go in, such as sql/README.md")
	flag.Parse()
	ctx, stop := terminal.Interruptible(context.Background())
	defer stop()
	if err := run(ctx, *nodes, *edges, *dir, *memory, *keep, *page); err != nil {
		fmt.Fprintln(os.Stderr, "edges:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, nodes, edges int64, dir, memory string, keep bool, page string) (err error) {
	if nodes < 2 || nodes >= math.MaxUint32 || edges < 1 {
		return errors.New("want at least two nodes, less than 2³²-1, and one edge")
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "alike-edges-*"); err != nil {
			return err
		}
	} else if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	if !keep {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	began := time.Now()
	made, err := write(ctx, filepath.Join(dir, "pairs"), nodes, edges)
	if err != nil {
		return err
	}
	fmt.Printf("made      %d pairs of %d documents in %.1f s\n", made, nodes, time.Since(began).Seconds())
	alike := filepath.Join(dir, "alike")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", alike, "github.com/alike-go/alike/cmd/alike").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	cmd := exec.CommandContext(ctx, alike, "cluster", filepath.Join(dir, "pairs"), "--documents", fmt.Sprint(nodes),
		"--threshold", "0.5", "--memory", memory, "--tmp", filepath.Join(dir, "tmp"), "-o", filepath.Join(dir, "out"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	began = time.Now()
	if err := cmd.Run(); err != nil {
		return err
	}
	machine := eval.ThisMachine()
	figures := fmt.Sprintf("%d pairs of %d documents: decided in %.0f s (%.0f s of processor time), peak memory %s, with --memory %s; %s, %d CPUs, %s.",
		made, nodes, time.Since(began).Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), peak(cmd.ProcessState), memory,
		cmp.Or(machine.CPU, machine.Arch), machine.CPUs, time.Now().Format(time.DateOnly))
	fmt.Println(figures)
	if page == "" {
		return nil
	}
	return writeSection(page, figures)
}

// writeSection replaces the section of edges of a page.
func writeSection(path, text string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	const begin, end = "<!-- edges: made by go run ./docs/scale/edges -write -->\n", "<!-- end of edges -->"
	before, rest, ok := strings.Cut(string(b), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no section of edges", path)
	}
	return durable.Replace(path, []byte(before+begin+"\n"+text+"\n\n"+end+after))
}

// peak returns the maximum resident memory of a process that has ended.
func peak(p *os.ProcessState) string {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok || runtime.GOOS != "linux" { // other systems do not count in KiB
		return "unknown"
	}
	return fmt.Sprintf("%.0f MiB", float64(u.Maxrss)/1024)
}

// write writes about so many pairs, in several files as the workers of an engine do.
func write(ctx context.Context, dir string, nodes, edges int64) (made int64, err error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return 0, err
	}
	const files = 16
	var outs []*parquet.GenericWriter[pairs.Pair]
	var open []*os.File
	buffers := make([][]pairs.Pair, files)
	for i := range files {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("part-%05d.parquet", i)))
		if err != nil {
			return 0, err
		}
		open = append(open, f)
		outs = append(outs, parquet.NewGenericWriter[pairs.Pair](f, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(1<<18)))
	}
	r := rand.New(rand.NewPCG(1, uint64(nodes)))
	name := scatter(nodes)
	put := func(a, b int64) error {
		made++
		a, b = name(a), name(b)
		a, b = min(a, b), max(a, b)
		k := r.IntN(files)
		// A pair that is made twice has one score.
		buffers[k] = append(buffers[k], pairs.Pair{A: a, B: b, Score: .5 + float64((31*a+17*b)%65)/128})
		if len(buffers[k]) < 1<<12 {
			return nil
		}
		_, err := outs[k].Write(buffers[k])
		buffers[k] = buffers[k][:0]
		return err
	}
	each := max(1, edges/nodes) // neighbours of a document
	for first := int64(0); first < nodes; {
		if ctx.Err() != nil {
			return made, ctx.Err()
		}
		// Sizes are from 2 to 50,000, each order of magnitude as likely.
		size := min(int64(math.Exp(r.Float64()*math.Log(5e4)))+1, nodes-first)
		for i := int64(1); i < size; i++ {
			for k := range min(each, i) {
				other := i - 1 - k // a neighbour
				if k%4 == 3 {
					other = k / 4 // one of the first documents, which are alike to all
				}
				if other >= i {
					continue
				}
				if err := put(first+i, first+other); err != nil {
					return made, err
				}
			}
		}
		first += max(size, 1)
	}
	for k, w := range outs {
		if _, err := w.Write(buffers[k]); err != nil {
			return made, err
		}
		if err := errors.Join(w.Close(), open[k].Close()); err != nil {
			return made, err
		}
	}
	return made, nil
}

// scatter returns a permutation of the numbers below n, which spreads the documents
// of a cluster.
func scatter(n int64) func(int64) int64 {
	step := int64(float64(n)*0.6180339887) | 1
	for gcd(step, n) != 1 {
		step += 2
	}
	return func(i int64) int64 {
		const half = 1 << 20 // n < 2³², so that nothing overflows
		return (i/half*(half*step%n)%n + i%half*step%n) % n
	}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
