package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

// SourceFlags adds the flags that say how documents are read.
func SourceFlags(flags *pflag.FlagSet, src *datasets.Source) {
	flags.BoolVar(&src.HTML, "html", false, "texts are HTML: keep what a reader would see")
	flags.BoolVar(&src.Lossy, "lossy", false, "read bytes that are no UTF-8 as U+FFFD instead of refusing the row")
	flags.StringVar(&src.ID, "id-field", "", "`COLUMN` of a document's id, or a path such as meta.id (default id)")
	flags.StringSliceVar(&src.Text, "text-field", nil, "`COLUMN` of a document's text, or a path such as doc.body or pages[].text (default text; several are joined)")
	flags.StringSliceVar(&src.Columns, "columns", nil, "`NAMES` of the columns of a CSV or TSV file without a header")
	flags.StringVar(&src.Format, "input-format", "", "read all inputs as `FORMAT`: "+strings.Join(datasets.Formats(), ", ")+" (default by name and content)")
	flags.StringVar(&src.Delimiter, "delimiter", "", "`CHARACTER` between the fields of a CSV file (default a comma)")
	flags.StringVar(&src.Encoding, "encoding", "", "`ENCODING` of the inputs, such as GB18030, UTF-16 or latin1 (default UTF-8)")
}

// KeepFlag adds the flag that says which document of a cluster stays.
func KeepFlag(flags *pflag.FlagSet, keep *string) {
	flags.StringVar(keep, "keep", "first", "which of a cluster stays: "+dedup.Policies+", or several with commas, of which a later one decides ties")
}

// LimitFlags adds the flags that say which pairs of documents count.
func LimitFlags(flags *pflag.FlagSet, l *dedup.Limits) {
	flags.StringVar(&l.Across, "across", "", "only pairs of documents that differ in `FIELD`: never two of one source")
	flags.StringVar(&l.Within, "within", "", "only pairs of documents that agree in `FIELD`: of one group")
	flags.Var(&window{l}, "window", "only pairs of documents whose times are at most so far apart, as `FIELD=DURATION`, such as date=72h")
}

// window is the flag --window.
type window struct{ *dedup.Limits }

// String returns the window, or nothing for none.
func (w *window) String() string {
	if w.Limits == nil {
		return ""
	}
	return dedup.Limits{Window: w.Window, Span: w.Span}.String()
}

// Set reads a window.
func (w *window) Set(s string) error { return w.SetWindow(s) }

// Type returns what help calls such a value.
func (w *window) Type() string { return "window" }

// MaskFlag adds the flag that says what texts are compared without.
func MaskFlag(flags *pflag.FlagSet, mask *string) {
	flags.StringVar(mask, "mask", "", "`KINDS` to compare as if all were the same: time, number, url, with commas between them")
}

// sizeUnits are the units of a size. A unit precedes those that it ends in.
var sizeUnits = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1},
}

// ParseSize reads a number of bytes with its unit.
func ParseSize(s string) (int64, error) {
	number, unit := s, 1.0
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(s, u.name); ok {
			number, unit = rest, u.bytes
			break
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(v*unit >= 1) || v*unit > 1<<60 {
		return 0, fmt.Errorf("%q: want a size such as 4GiB or 500MB", s)
	}
	return int64(v * unit), nil
}

// Size is a flag that is a number of bytes. Zero means the default.
type Size int64

// String returns the size in bytes, or nothing for the default.
func (v *Size) String() string {
	if *v == 0 {
		return ""
	}
	return fmt.Sprintf("%dB", int64(*v))
}

// Set reads a size.
func (v *Size) Set(s string) error {
	n, err := ParseSize(s)
	*v = Size(n)
	return err
}

// Type returns what help calls such a value.
func (v *Size) Type() string { return "size" }

// ParseShare reads a share: a percentage, or a number up to 1.
func ParseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("%q: want a share such as 50%% or 0.5", s)
	}
	return v, nil
}

// ParseCount reads a number of documents, which may be written 8e9.
func ParseCount(s string) (int64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v != math.Trunc(v) || v < 1 || v > 1e15 {
		return 0, fmt.Errorf("%q, want a whole number from 1 to 1e15", s)
	}
	return int64(v), nil
}

// Differ is the flag --differ, a share of words that differ: 0 to less than 1.
type Differ float64

// String returns the share, or nothing for the default.
func (v *Differ) String() string {
	if *v == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(*v), 'g', 6, 64) + "%"
}

// Set reads a share.
func (v *Differ) Set(s string) error {
	share, err := ParseShare(s)
	if err == nil && share == 1 {
		err = fmt.Errorf("%q: want less than 100%%", s)
	}
	*v = Differ(share)
	return err
}

// Type returns what help calls such a value.
func (v *Differ) Type() string { return "share" }

// WantFlag adds --want to a command.
func WantFlag(cmd *cobra.Command, want *string) {
	cmd.Flags().StringVar(want, "want", "", fmt.Sprintf("what alike means, as `WANT`: copies (--differ, %s unless it says otherwise), versions (--threshold) or excerpts (--threshold of containment, default %v)", defaultDiffer(), dedup.LeastContained))
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("want", cobra.FixedCompletions([]string{"copies", "versions", "excerpts"}, cobra.ShellCompDirectiveNoFileComp)))
}

func defaultDiffer() string {
	d := Differ(dedup.DefaultDiffer)
	return d.String()
}

// DifferFlag adds --differ to a command. what is the end of its help.
func DifferFlag(flags *pflag.FlagSet, v *Differ, what string) {
	flags.Var(v, "differ", "instead of --threshold, the `SHARE` of words that may differ, such as 5%"+what)
}
