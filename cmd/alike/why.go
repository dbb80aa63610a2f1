package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/eval/review"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/common"
	"github.com/alike-go/alike/internal/verdict"
)

func newWhy() *cobra.Command {
	var src datasets.Source
	cmd := &cobra.Command{
		Use:   "why FOLDER ID",
		Short: "say why dedup removed a document, or what it removed for one",
		Long: `Say why dedup removed a document, or what it removed for one.

FOLDER is the output of alike dedup or alike-beam. ID is the id of a document, or its
place as why.jsonl has it, such as news.csv:3. The answer names the document that is
kept, the score, the cluster and its other documents, and shows both texts. What
differs between them is marked: [-in the removed text-], {+in the kept one+}.
After --level line, paragraph or passage the answer lists what was cut out of the
document, and where the same text is kept. After alike leak --cut it names the
test document of each cut.

Fields are read as the run read them. alike restore --only undoes one removal.`,
		Example: `  alike why out n2
  alike why out news.csv:3`,
		Args: exactly(2, "why: want the folder that alike dedup has made, and the id of a document"),
		RunE: func(cmd *cobra.Command, args []string) error {
			made, err := local.OpenMade(args[0])
			if err != nil {
				return fmt.Errorf("why: %w", err)
			}
			found, others, err := made.Audit(args[1], src)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if len(found) == 0 && made.Report.Below != nil {
				fmt.Fprintf(out, "%s is kept as it is\n", args[1])
			} else if len(found) == 0 {
				fmt.Fprintf(out, "%s is kept, and no document was removed for it\n", args[1])
			}
			for i := range found {
				if i > 0 {
					fmt.Fprintln(out)
				}
				if made.Report.Below != nil && found[i].Reason != "leaked" {
					writeCuts(out, &found[i])
				} else if err := writeAudited(out, &found[i]); err != nil {
					return err
				}
			}
			cut, removed := split(others)
			writeCutFor(out, cut)
			writeOthers(out, removed)
			return out.Flush()
		},
	}
	cli.SourceFlags(cmd.Flags(), &src)
	return cmd
}

// mostListed is how many documents or cuts are listed.
const mostListed = 20

// writeCuts writes what was cut out of a document.
func writeCuts(w io.Writer, a *local.Audited) {
	switch a.Reason {
	case "unreadable":
		fmt.Fprintf(w, "%s was removed: it holds no document: %s\n", a.At, a.Error)
	case "short":
		fmt.Fprintf(w, "%s (%s) was removed, because too little of it would be left\n", a.ID, a.At)
	default:
		what := "repeats"
		if a.Kept != nil {
			what = "test documents have"
		}
		fmt.Fprintf(w, "%s (%s) is kept without what %s: %s\n", a.ID, a.At, what, plural(len(a.Cuts), "cut"))
	}
	for i, c := range a.Cuts {
		if i == mostListed {
			fmt.Fprintf(w, "  and %d more\n", len(a.Cuts)-mostListed)
			break
		}
		text, kept := "", ""
		if a.Text != nil && c.End <= len(*a.Text) {
			text = ": " + shortened(oneLine((*a.Text)[c.Start:c.End]))
		}
		if k := c.Kept; k != nil {
			kept = fmt.Sprintf(", kept in %s (%s), bytes %d to %d", k.ID, k.At, k.Start, k.End)
		}
		if k := c.Test; k != nil {
			kept = fmt.Sprintf(", in the test document %s (%s)", k.ID, k.At)
		}
		fmt.Fprintf(w, "  bytes %d to %d%s%s\n", c.Start, c.End, kept, text)
	}
}

// split separates removals of text from removals of whole documents.
func split(others []local.Removal) (cut, removed []local.Removal) {
	for _, o := range others {
		if len(o.Cuts) > 0 {
			cut = append(cut, o)
		} else {
			removed = append(removed, o)
		}
	}
	return cut, removed
}

// writeCutFor names the documents that lost text which a document keeps.
func writeCutFor(w io.Writer, others []local.Removal) {
	listRemovals(w, "documents that lost text which it keeps", others, func(o *local.Removal) string {
		return fmt.Sprintf("bytes %d to %d", o.Cuts[0].Start, o.Cuts[0].End)
	})
}

// listRemovals writes the number of removals under a title, and the first of them.
func listRemovals(w io.Writer, title string, all []local.Removal, what func(*local.Removal) string) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(w, "%s: %d\n", title, len(all))
	for i := range all {
		if i == mostListed {
			fmt.Fprintf(w, "  and %d more\n", len(all)-mostListed)
			break
		}
		fmt.Fprintf(w, "  %s (%s), %s\n", all[i].ID, all[i].At, what(&all[i]))
	}
}

// writeAudited writes a removal and the two texts.
func writeAudited(w io.Writer, a *local.Audited) error {
	name := a.ID
	if name != a.At {
		name = strings.TrimSpace(name + " (" + a.At + ")")
	}
	switch {
	case a.Reason == "unreadable":
		fmt.Fprintf(w, "%s was removed: it holds no document: %s\n", a.At, a.Error)
		return nil
	case a.Kept == nil:
		fmt.Fprintf(w, "%s was removed as the first document of cluster %d: no document of that cluster is kept\n", name, a.Cluster)
	case a.Reason == "leaked":
		passage := ""
		if a.Rule != "" && a.Rule != "document" {
			passage = fmt.Sprintf("a passage of %s word for word, and ", plural(a.Words, "word"))
		}
		fmt.Fprintf(w, "%s was removed because the test document %s (%s) occurs in it: it has %s%.4g of its runs, by %s\n", name, a.Kept.ID, a.Kept.At, passage, a.Score, a.Method)
	case a.Reason == "equal":
		fmt.Fprintf(w, "%s was removed for %s (%s), whose text is the same as it is compared: cluster %d\n", name, a.Kept.ID, a.Kept.At, a.Cluster)
	default:
		fmt.Fprintf(w, "%s was removed for %s (%s), because they are %s: score %.4g by %s, cluster %d\n", name, a.Kept.ID, a.Kept.At, a.Reason, a.Score, a.Method, a.Cluster)
	}
	var removed, kept string
	if a.Text != nil {
		removed = *a.Text
	}
	if a.KeptText != nil {
		kept = *a.KeptText
	}
	whole := a.Text != nil && a.KeptText != nil
	inRemoved, inKept := []common.Part{{Text: removed}}, []common.Part{{Text: kept}}
	if whole {
		v, err := verdict.Of(removed, kept, dedup.Copies, dedup.DefaultDiffer)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %s\n", v.Sentence)
		inRemoved, inKept = common.Of(removed, kept, true)
	}
	if a.Text != nil {
		fmt.Fprint(w, "  removed  ")
		if err := review.Show(w, inRemoved); err != nil {
			return err
		}
	}
	if a.KeptText != nil {
		fmt.Fprint(w, "  kept     ")
		if err := review.Show(w, inKept); err != nil {
			return err
		}
	}
	if a.Kept != nil && !whole {
		fmt.Fprintln(w, "  the folder does not hold both texts")
	}
	return nil
}

// writeOthers names the other documents that were removed in the same clusters.
func writeOthers(w io.Writer, others []local.Removal) {
	listRemovals(w, "\nalso removed in the same cluster", others, func(o *local.Removal) string {
		return fmt.Sprintf("%s, score %.4g", o.Reason, o.Score)
	})
}
