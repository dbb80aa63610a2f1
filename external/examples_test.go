//go:build unix

package external

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// example returns a collection of a script of the folder examples that holds the texts.
func example(t *testing.T, script string, texts ...string) similarity.Remote {
	t.Helper()
	m, err := New(Options{Command: "python3 " + filepath.Join("..", "examples", script)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	c := m.NewCollection().(similarity.Remote)
	for _, text := range texts {
		c.Add(text)
	}
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

// python skips the test unless there is a Python with the module.
func python(t *testing.T, module string, required bool) {
	t.Helper()
	if err := exec.Command("python3", "-c", "import "+module).Run(); err != nil {
		if required && os.Getenv("ALIKE_REQUIRE_SERVICES") == "1" {
			t.Fatalf("no python3 with %s, and ALIKE_REQUIRE_SERVICES=1: %v", module, err)
		}
		t.Skipf("no python3 with %s: %v", module, err)
	}
}

var exampleTexts = []string{"the cat sat on the mat", "The cat sat on a mat", "we all scream for ice cream", "", "你好 世界", "你好 世界 世界"}

func TestWordsExample(t *testing.T) {
	python(t, "json", true)
	c := example(t, "words.py", exampleTexts...)
	for i, a := range exampleTexts {
		for j, b := range exampleTexts {
			if got, want := c.Score(i, j), jaccard(a, b); got != want {
				t.Errorf("%q and %q score %v, want %v", a, b, got, want)
			}
		}
	}
	if !c.Empty(3) || c.Bytes(0) != 5*4 {
		t.Errorf("empty %t, %d bytes; want true, and 4 for each of 5 words", c.Empty(3), c.Bytes(0))
	}
}

// The ratio of difflib is twice the matching words over all words.
func TestMatchingExample(t *testing.T) {
	python(t, "difflib", true)
	c := example(t, "matching.py", exampleTexts...)
	for _, x := range []struct {
		i, j int
		want float64
	}{{0, 0, 1}, {0, 1, 2 * 5. / 12}, {1, 0, 2 * 5. / 12}, {0, 2, 0}, {0, 3, 0}, {3, 3, 0}, {4, 5, 2 * 2. / 5}} {
		if got := c.Score(x.i, x.j); math.Abs(got-x.want) > 1e-12 {
			t.Errorf("%q and %q score %v, want %v", exampleTexts[x.i], exampleTexts[x.j], got, x.want)
		}
	}
	if err := c.Err(); err != nil {
		t.Error(err)
	}
}

// A signature of 128 values estimates resemblance with a standard error of at most
// 0.0442; six of them are beyond chance.
func TestMinHashExamples(t *testing.T) {
	for module, script := range map[string]string{"datasketch": "datasketch_minhash.py", "rensa": "rensa_minhash.py"} {
		t.Run(module, func(t *testing.T) {
			python(t, module, false)
			all := append(texts(40), exampleTexts...)
			c := example(t, script, all...)
			for i := range all {
				for j := range all {
					if got, want := c.Score(i, j), jaccard(all[i], all[j]); math.Abs(got-want) > 6*0.0442 {
						t.Errorf("%q and %q score %v, want about %v", all[i], all[j], got, want)
					}
				}
			}
			if c.Bytes(0) != 512 || !c.Empty(10) {
				t.Errorf("%d bytes and empty %t, want 512 and true", c.Bytes(0), c.Empty(10))
			}
		})
	}
}

// Without comments, the first two programs are both int NAME = NUMBER ; and the
// third also has a +. With names kept they share three or four tokens.
func TestCodeTokensExample(t *testing.T) {
	python(t, "pygments", false)
	programs := []string{"int count = 1;", "/* mine */ int n = 250; // n", "int n = 1 + x;", "// nothing", `int "unclosed`}
	folded := example(t, "code_tokens.py java", programs...)
	kept := example(t, "code_tokens.py java --names", programs...)
	for _, x := range []struct {
		i, j         int
		folded, kept float64
	}{{0, 1, 1, 3. / 7}, {0, 2, 5. / 6, 4. / 8}, {1, 2, 5. / 6, 4. / 8}, {0, 3, 0, 0}, {3, 3, 0, 0}} {
		if f, k := folded.Score(x.i, x.j), kept.Score(x.i, x.j); f != x.folded || k != x.kept {
			t.Errorf("%q and %q score %v, and %v with names kept; want %v and %v", programs[x.i], programs[x.j], f, k, x.folded, x.kept)
		}
	}
}
