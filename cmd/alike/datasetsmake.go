package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/internal/terminal"
)

func newDatasetsMake() *cobra.Command {
	var from, mix, lang, compress string
	var docs uint64
	var made plant.MakeOptions
	var planted plant.Options
	var yardstick, threads, passages bool
	cmd := &cobra.Command{
		Use:   "make -n DOCS FOLDER",
		Short: "make a labelled set: documents with near-duplicates planted at stated rates",
		Long: `Make a labelled set in a new folder: documents with near-duplicates planted at
stated rates, and the truth about them.

The documents are made (Zipf vocabulary, log-normal length), or taken from a set
by --from. The kinds of edits are insert, delete, substitute, mixed, move, case, width,
punct, ocr, boilerplate, truncate and quote; --mix says which, at which rates
and in which proportion: mixed:0.05*3,move:0.2. The same options give the same bytes.

With --threads the documents are messages of mailing lists, whose replies quote,
sign and top-post. A --share of them is sent twice, with small changes of
header, footer and line breaks. Only these copies count as alike: a reply is
not alike to the message that it quotes.

With --passages a --share of the documents hold passages of other documents,
one to three sources each. Sources are additional documents. A third of the
passages are copied as they are, a third have their sentences in another order,
and a third are edited by --mix. An edit that changes nothing counts as a copy,
such as that of case in Chinese. The truth is spans.tsv, with a row for each
passage: the document, its source, and where the passage starts and ends in both,
in bytes of the text. alike score --spans uses it.`,
		Example: `  alike datasets make -n 100000 --seed 7 corpus
  alike datasets make -n 1000000 --yardstick --compress zst big
  alike datasets make --from zh --lang zh --mix ocr:0.1,truncate:0.5 damaged
  alike datasets make -n 20000 --threads --lang zh mails
  alike datasets make -n 5000 --passages essays`,
		Args: exactly(1, "datasets make: want one folder to write to"),
		RunE: func(cmd *cobra.Command, args []string) error {
			made.Lang, planted.Lang = plant.Lang(lang), plant.Lang(lang)
			if threads && !cmd.Flags().Changed("mean") {
				made.Mean = 80
			}
			planted.Seed = made.Seed
			if planted.Share == 0 {
				planted.Share = -1 // none, where the package's zero means its default
			}
			if yardstick {
				made, planted = plant.Yardstick(made.Seed)
			}
			if mix != "" {
				choices, err := plant.ParseMix(mix)
				if err != nil {
					return err
				}
				planted.Mix = choices
			}
			planter, err := plant.New(planted)
			if err != nil {
				return err
			}
			var source iter.Seq2[plant.Document, error]
			description := ""
			if passages && (from != "" || yardstick || threads || cmd.Flags().Changed("window")) {
				return errors.New("datasets make: --passages makes its own documents, and goes without --from, --yardstick, --threads and --window")
			}
			if threads && (from != "" || yardstick || mix != "" || cmd.Flags().Changed("window")) {
				return errors.New("datasets make: --threads makes its own documents and copies, and goes without --from, --yardstick, --mix and --window")
			}
			if from != "" {
				set, err := datasets.Load(from)
				if err != nil {
					return err
				}
				if docs > 0 && docs < uint64(len(set.Docs)) {
					set.Docs = set.Docs[:docs]
				}
				docs = uint64(len(set.Docs))
				source = planter.Plant(plant.Docs(set.Docs))
				description = fmt.Sprintf("Documents of %s with near-duplicates planted: %s.", set.Name, planter)
			} else {
				if docs == 0 {
					return errors.New("datasets make: want --docs, the number of documents to make, or --from")
				}
				maker, err := plant.NewMaker(made)
				if err != nil {
					return err
				}
				source = planter.Plant(maker.Docs(0, docs))
				description = fmt.Sprintf("Documents made by %s, with near-duplicates planted: %s.", maker, planter)
			}
			if threads {
				t, err := plant.NewThreads(made, max(0, planted.Share))
				if err != nil {
					return err
				}
				source = t.Docs(docs)
				description = fmt.Sprintf("Messages of threads made by %s. Messages that are sent twice are alike, replies are not.", t)
			}
			if passages {
				p, err := plant.NewPassages(made, max(0, planted.Share), planted.Mix)
				if err != nil {
					return err
				}
				source = p.Docs(docs)
				description = fmt.Sprintf("Documents made by %s, some with passages of others in them.", p)
			}
			show, done := terminal.Progress(cmd.ErrOrStderr())
			defer done()
			stats, err := plant.Write(args[0], watched(cmd.Context(), source, docs, show), plant.WriteOptions{Compress: compress, Description: description, Passages: passages})
			done()
			if err != nil {
				return err
			}
			if passages {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %s bytes of text, %s in %d of them\n",
					args[0], plural(stats.Documents, "document"), short(float64(stats.Bytes)), plural(stats.Passages, "passage"), stats.Takers)
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %s bytes of text, %d copies in %s, %s alike and %d not\n",
				args[0], plural(stats.Documents, "document"), short(float64(stats.Bytes)), stats.Copies, plural(stats.Clusters, "cluster"), plural(stats.Alike, "pair"), stats.Different)
			return err
		},
	}
	flags := cmd.Flags()
	flags.Uint64VarP(&docs, "docs", "n", 0, "`NUMBER` of documents before copies are planted")
	flags.StringVar(&from, "from", "", "take the documents of a set, by `NAME|PATH`")
	flags.Uint64Var(&made.Seed, "seed", 0, "seed of documents and edits")
	flags.StringVar(&lang, "lang", "", "`en|zh`: language of made documents (en) and of edits (by script)")
	flags.StringVar(&mix, "mix", "", "edits as `KIND:RATE*WEIGHT,...`; default "+plant.FormatMix(plant.DefaultMix())+"; with --passages "+plant.FormatMix(plant.DefaultPassageMix()))
	flags.Float64Var(&planted.Share, "share", 0.2, "share of documents that get copies, or hold passages")
	flags.IntVar(&planted.Window, "window", 10000, "how many documents behind its original a copy may stand")
	flags.IntVar(&made.Words, "words", 50000, "size of the vocabulary of made documents")
	flags.IntVar(&made.Mean, "mean", 400, "mean length of made documents, in words (with --threads 80, without quotes)")
	flags.Float64Var(&made.Sigma, "sigma", 0.5, "standard deviation of the logarithm of the length")
	flags.IntVar(&made.Topics, "topics", 0, "topics of made documents")
	flags.BoolVar(&yardstick, "yardstick", false, "the workload of the benchmarks: 400 words, a fifth planted at 1, 5 and 10 % or moved")
	flags.BoolVar(&threads, "threads", false, "make messages that quote each other, some of them sent twice")
	flags.BoolVar(&passages, "passages", false, "make documents that hold passages of others")
	flags.StringVar(&compress, "compress", "", "`gz|zst` (default none)")
	return cmd
}

// watched passes documents on, shows how far they are, and stops with the
// context's error.
func watched(ctx context.Context, docs iter.Seq2[plant.Document, error], originals uint64, show func(float64, string)) iter.Seq2[plant.Document, error] {
	return func(yield func(plant.Document, error) bool) {
		n := uint64(0)
		for d, err := range docs {
			if err == nil && d.Copy == 0 {
				if n++; n%1000 == 0 {
					show(min(1, float64(n)/float64(max(1, originals))), "documents")
				}
				if n%100 == 0 {
					err = ctx.Err()
				}
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}
