package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/serve"
	"github.com/alike-go/alike/serve/web"
	"github.com/alike-go/alike/similarity"
)

// serveRun is what flags say of a server.
type serveRun struct {
	addr, url, tokenFile string
	create               string
	find                 oneMethod
	log                  string
	o                    serve.Options
}

func newServe() *cobra.Command {
	var r serveRun
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "compare, look and ask over HTTP, with pages",
		Long: `Compare, look and ask over HTTP, with pages for people at / and an API for programs, which /docs
describes. Nothing that it serves asks anything of another machine.

--index is asked and added to; with --create it is made first, if it is not there, with a
secret seed where the method has one, so that nobody outside can make documents that all fall
into one bucket. --data are data sets and folders that alike dedup made, to look through, and --labels
the folder where judgements of their pairs are kept, which alike choose --labels reads. --records is a folder of
records of alike eval --out.

Only this machine can reach it, unless --addr names another address; that needs a token. An interrupt
ends it when the requests it has begun are done.`,
		Example: `  alike serve
  alike serve --index disk:seen --create simhash --distance 3
  alike serve --data dedup-out --labels labels --records runs
  alike serve --addr :8080 --token-file token`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.run(cmd.Context(), cmd, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&r.addr, "addr", "127.0.0.1:8080", "`ADDRESS` to listen at; port 0 is any that is free")
	flags.StringVar(&r.url, "index", "", "`URL` of an index (see alike index)")
	flags.BoolVar(&r.o.ReadOnly, "read-only", false, "do not change the index; a directory can have another writer then")
	flags.StringVar(&r.create, "create", "", "make the index if it is not there, of the method `SPEC`")
	flags.Float64VarP(&r.find.threshold, "threshold", "t", 0, "with --create, the least `SCORE` of what is to be found")
	flags.IntVarP(&r.find.distance, "distance", "k", -1, "with --create, the greatest distance, for methods that have one, instead of --threshold")
	flags.Float64Var(&r.find.recall, "recall", similarity.DefaultRecall, "with --create, where buckets are not exact, the probability of finding a document at the threshold")
	cli.DifferFlag(flags, &r.find.differ, ", with --create")
	fitFlag(cmd, &r.find.fit)
	flags.StringArrayVar(&r.o.Data, "data", nil, "data set, by name or path, file of documents, or `FOLDER` that alike dedup made (repeatable; default all sets that have a name)")
	flags.StringVar(&r.o.Labels, "labels", "", "`FOLDER` to keep judgements in")
	flags.StringVar(&r.o.Records, "records", "", "`FOLDER` of records of alike eval, *.jsonl")
	flags.StringVar(&r.tokenFile, "token-file", "", "`FILE` whose first line every request of the API must bring as a bearer token")
	flags.Int64Var(&r.o.Limits.Body, "max-body", 0, "greatest length of a request, in `BYTES` (default 8388608)")
	flags.IntVar(&r.o.Limits.Text, "max-text", 0, "greatest length of a text, in `BYTES` (default 1048576)")
	flags.IntVar(&r.o.Limits.Batch, "max-batch", 0, "greatest `NUMBER` of texts in a request (default 1000)")
	flags.Float64Var(&r.o.Limits.Rate, "rate", 0, "`REQUESTS` a second of one client that work on texts; queries may be a hundred times as many (default 200)")
	flags.DurationVar(&r.o.Limits.Time, "time-limit", 0, "`TIME` that an answer may take (default 10s)")
	flags.StringVar(&r.log, "log", "info", "`LEVEL` of the log on standard error: debug, info, warn or error")
	return cmd
}

func (r *serveRun) run(ctx context.Context, cmd *cobra.Command, stdout, stderr io.Writer) (err error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(r.log)); err != nil {
		return fmt.Errorf("serve: --log %q, want debug, info, warn or error", r.log)
	}
	r.o.Log = slog.New(slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: level}))
	r.o.Version, r.o.Pages = version(), web.Files
	if r.o.Data == nil {
		r.o.Data = slices.Concat(datasets.Inside(), datasets.Shared())
	}
	if r.tokenFile != "" {
		if r.o.Token, err = readToken(r.tokenFile); err != nil {
			return err
		}
	}
	if r.url == "" && (r.create != "" || r.find.fit != "") {
		return errors.New("serve: want --index, the URL of the index")
	}
	l, err := net.Listen("tcp", r.addr)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer l.Close()
	if r.o.Token == "" {
		if a, ok := l.Addr().(*net.TCPAddr); ok && !a.IP.IsLoopback() {
			return fmt.Errorf("serve: others can reach %s, want --token-file", l.Addr())
		}
	}
	if r.url != "" && r.create != "" {
		if err := r.createIndex(ctx, cmd); err != nil {
			return err
		}
	}
	serve.TuneMemory()
	serving := func(x *index.Index) error {
		r.o.Index = x
		s, err := serve.New(r.o)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(stdout, "http://%s/\n", l.Addr()); err != nil {
			return err
		}
		return s.Serve(ctx, l)
	}
	if r.url == "" {
		return serving(nil)
	}
	// The store must outlive ctx, so that what was acknowledged is done when it closes.
	return useIndex(context.WithoutCancel(ctx), stderr, r.url, r.find.fit, r.o.ReadOnly, serving)
}

// readToken returns the first line of a file.
func readToken(name string) (string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("serve: %w", err)
	}
	line, _, _ := bytes.Cut(b, []byte("\n"))
	token := strings.TrimSpace(string(line))
	if len(token) < 16 {
		return "", fmt.Errorf("serve: %s: a token of %d characters, want at least 16 (head -c 24 /dev/urandom | base64)", filepath.Base(name), len(token))
	}
	return token, nil
}

// createIndex makes the index, unless it is there.
func (r *serveRun) createIndex(ctx context.Context, cmd *cobra.Command) (err error) {
	if err := r.find.check(cmd, "serve: --create wants"); err != nil {
		return err
	}
	s, err := openStore(ctx, cmd.ErrOrStderr(), r.url, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := index.ReadHeader(ctx, s); !errors.Is(err, index.ErrNone) {
		return err // there is one, or an error
	}
	if r.find.spec, err = catalog.Seeded(r.create); err != nil {
		return err
	}
	m, err := r.find.parse(cmd)
	if err != nil {
		return err
	}
	_, err = index.Create(ctx, s, m, index.Options{Threshold: r.find.threshold, Recall: r.find.recall})
	return err
}
