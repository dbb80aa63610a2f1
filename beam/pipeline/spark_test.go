package pipeline_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
)

// onSpark starts Spark for one test.
func onSpark(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("Spark takes its time")
	}
	dir := t.TempDir()
	t.Cleanup(func() {
		if out, err := exec.Command("bash", "../../scripts/spark", "stop", dir).CombinedOutput(); err != nil {
			t.Errorf("stop: %v: %s", err, out)
		}
	})
	cmd := exec.Command("bash", "../../scripts/spark", "start", dir)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil && os.Getenv("ALIKE_REQUIRE_SERVICES") != "1" {
		t.Skipf("no Spark: %v: %s", err, said.Bytes())
	}
	if err != nil {
		t.Fatalf("%v: %s", err, said.Bytes())
	}
	was, kind := *jobopts.Endpoint, *jobopts.EnvironmentType
	t.Cleanup(func() { *jobopts.Endpoint, *jobopts.EnvironmentType = was, kind }) // Prism would heed them too
	*jobopts.Endpoint, *jobopts.EnvironmentType = strings.TrimSpace(string(out)), "LOOPBACK"
}

func TestSparkEqualsLocal(t *testing.T) {
	onSpark(t)
	equalsLocal(t)
	t.Run("bad rows", func(t *testing.T) {
		o := badRows(t)
		o.Runner = "universal"
		refuses(t, o, 0, 61)
	})
}
