package pipeline_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/alike-go/alike/dedup/clean"
)

// explained runs both and looks for passages in what they say.
func explained(t *testing.T, runner, method string, text bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "both.jsonl")
	if err := os.WriteFile(file, append(read(t, made(t, 300)), read(t, notices(t))...), 0o666); err != nil {
		t.Fatal(err)
	}
	o := options(t, file, method, text)
	o.Runner, o.Explain, o.Mask, o.PieceBytes = runner, true, clean.Number, 20_000
	check(t, o, "--explain", "--mask", "number")
	pieces, err := filepath.Glob(filepath.Join(o.Out, "why-*"))
	if err != nil {
		t.Fatal(err)
	}
	lines, equal, alike := 0, 0, 0
	for _, p := range pieces {
		for line := range bytes.Lines(read(t, p)) {
			lines++
			if bytes.Contains(line, []byte(`"shared":["`)) && bytes.Contains(line, []byte(`"reason":"equal"`)) {
				equal++
			} else if bytes.Contains(line, []byte(`"shared":["`)) {
				alike++
			}
		}
	}
	if alike == 0 || equal == 0 || equal+alike < lines/2 {
		t.Errorf("%d equal and %d alike rows of %d are explained", equal, alike, lines)
	}
}

// Removed rows say what they share with those that are kept, as on one machine.
func TestExplain(t *testing.T) {
	explained(t, "prism", "simhash", true)
	explained(t, "prism", "shingle", false)
}

func TestExplainOnFlink(t *testing.T) {
	onFlink(t)
	explained(t, "universal", "simhash", true)
}
