package indextest

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
)

// Need skips a test where a program is missing, unless services are required.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			if os.Getenv("ALIKE_REQUIRE_SERVICES") != "" {
				t.Fatalf("%s is not there: %v", p, err)
			}
			t.Skipf("%s is not there; scripts/services installs it", p)
		}
	}
}

// Long skips a test of minutes unless such are asked for.
func Long(t *testing.T) {
	t.Helper()
	if os.Getenv("ALIKE_LONG") == "" {
		t.Skip("takes minutes: only with ALIKE_LONG")
	}
}

// Eventually waits until something is true, for five minutes at most.
func Eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it does not come that %s", what)
		}
	}
}

// TimeToLive tests a store without an index whose documents stay for a second: what is older is gone for every
// question, can be added again, and a merge removes what is left of it.
func TimeToLive(t *testing.T, s index.Store) {
	ctx := t.Context()
	if err := s.Create(ctx, testHeader); err != nil {
		t.Fatal(err)
	}
	e := RandomEntry(rand.New(rand.NewPCG(1, 1)), "a")
	first := add(t, s, true, e)[0]
	if first.State != index.Added {
		t.Fatalf("add: %v, want added", first)
	}
	expired := func(number uint64) {
		t.Helper()
		Eventually(t, "the document is gone", func() bool {
			docs, err := s.Documents(ctx, []uint64{number})
			return err == nil && docs[0].Number == 0
		})
	}
	expired(first.Number)
	numbers, err := s.Find(ctx, []string{"a"})
	if err != nil || numbers[0] != 0 {
		t.Errorf("found by id %v, %v, want nothing", numbers, err)
	}
	again := add(t, s, true, e)[0]
	if again.State != index.Added || again.Number == first.Number {
		t.Fatalf("again: %v, want added under another number than %d", again, first.Number)
	}
	expired(again.Number)
	if err := s.Merge(ctx); err != nil {
		t.Fatal(err)
	}
	if st, err := s.Stats(ctx); err != nil || st.Documents != 0 || st.Postings != 0 {
		t.Errorf("stats after a merge: %+v, %v, want nothing", st, err)
	}
}
