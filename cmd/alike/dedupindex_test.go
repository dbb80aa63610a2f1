package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
)

// indexed returns the documents of the index at a URL by id, with hash and sketch.
func indexed(t testing.TB, url string) map[string]string {
	t.Helper()
	s, err := openStore(t.Context(), io.Discard, url, true)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out := map[string]string{}
	if err := s.EachDocument(t.Context(), func(d index.Document) error {
		out[d.ID] = fmt.Sprintf("%x %x", d.Hash, d.Sketch)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// dedupRedis starts a server of Redis and returns its URL, or skips where there is no server and
// services are not required.
func dedupRedis(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("ALIKE_REQUIRE_SERVICES") != "" {
			t.Fatal(err)
		}
		t.Skip("redis-server is not there; scripts/services installs it")
	}
	for range 20 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr := l.Addr().(*net.TCPAddr)
		l.Close()
		cmd := exec.Command("redis-server", "--port", fmt.Sprint(addr.Port), "--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		gone := make(chan struct{})
		go func() { cmd.Wait(); close(gone) }()
		t.Cleanup(func() { cmd.Process.Kill(); <-gone })
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			select {
			case <-gone:
				end = time.Now() // another has taken the port
				continue
			default:
			}
			if c, err := net.Dial("tcp", addr.String()); err == nil {
				fmt.Fprint(c, "PING\r\n")
				c.SetDeadline(time.Now().Add(10 * time.Second))
				b := make([]byte, 5)
				n, _ := c.Read(b)
				c.Close()
				if string(b[:n]) == "+PONG" {
					return "redis://" + addr.String() + "/0?name=dedup"
				}
			}
		}
	}
	t.Fatal("redis-server does not answer")
	return ""
}

func must(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	code, stdout, stderr := alike(t, "", args...)
	if code != 0 {
		t.Fatalf("%v: exit code %d: %s", args, code, stderr)
	}
	return stdout
}

// Batch by batch against an index that is updated gives what one run over all gives, on every store.
func TestDedupAgainstIndex(t *testing.T) {
	for _, store := range []string{"disk", "redis"} {
		t.Run(store, func(t *testing.T) {
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, name) }
			url := "disk:" + at("seen")
			if store == "redis" {
				url = dedupRedis(t)
			}
			corpusOf(t, at("all.jsonl"), 1, 900)
			all, err := os.ReadFile(at("all.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			rows := bytes.SplitAfter(all, []byte("\n"))
			must(t, "index", "create", url, "-m", "simhash", "-k", "6")
			must(t, "dedup", at("all.jsonl"), "-o", at("full"), "-m", "simhash", "--features", "width=1", "-k", "6", "--verify", "sketch")
			var kept []byte
			for i, part := range [][][]byte{rows[:400], rows[400:410], rows[410:]} {
				in, out := at(fmt.Sprint(i, ".jsonl")), at(fmt.Sprint("out", i))
				if err := os.WriteFile(in, bytes.Join(part, nil), 0o666); err != nil {
					t.Fatal(err)
				}
				must(t, "dedup", in, "-o", out, "--against", url, "--verify", "sketch", "--update")
				b, err := os.ReadFile(filepath.Join(out, "kept.jsonl"))
				if err != nil {
					t.Fatal(err)
				}
				kept = append(kept, b...)
			}
			want, err := os.ReadFile(at("full/kept.jsonl"))
			if err != nil || !bytes.Equal(kept, want) || bytes.Equal(want, all) {
				t.Errorf("batch by batch %d bytes are kept, at once %d of %d, %v", len(kept), len(want), len(all), err)
			}
			had := indexed(t, url)
			if n := bytes.Count(want, []byte("\n")); len(had) != n {
				t.Errorf("the index has %d documents, want the %d that are kept", len(had), n)
			}
			stdout := must(t, "dedup", at("all.jsonl"), "-o", at("again"), "--against", url, "--verify", "sketch", "--update")
			if !strings.Contains(stdout, "0 documents added to it") || !maps.Equal(had, indexed(t, url)) {
				t.Errorf("again: the index has changed, or\n%s", stdout)
			}
			why, err := os.ReadFile(at("again/why.jsonl"))
			if err != nil || bytes.Count(why, []byte("\n")) != 900 || !bytes.Contains(why, []byte(`"reason":"equal","score":1,`)) || !bytes.Contains(why, []byte(`"at":"`+url+`","against":true}`)) {
				t.Errorf("%.300s, %v", why, err)
			}
		})
	}
}

func TestDedupIndexRefusals(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	url := "disk:" + at("seen")
	corpusOf(t, at("in.jsonl"), 1, 20)
	must(t, "index", "create", url, "-m", "simhash", "-k", "3")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"holds sketches and no texts, which --verify text would need: want --verify sketch", []string{"--against", url}},
		{"which --verify cosine would need", []string{"--against", url, "--verify", "cosine"}},
		{"was made by simhash (simhash:bits=64,", []string{"--against", url, "--verify", "sketch", "-m", "minhash"}},
		{"this run has minhash:width=3 (minhash:size=128,", []string{"--against", url, "--verify", "sketch", "-m", "minhash"}},
		{"from 0.5 on, the threshold of this run", []string{"--against", url, "--verify", "sketch", "-t", "0.5"}},
		{"want at most one", []string{"--against", url, "--against", url, "--verify", "sketch"}},
		{"there is no index", []string{"--against", "disk:" + at("none"), "--verify", "sketch"}},
		{"goes without DryRun", []string{"--against", url, "--verify", "sketch", "--update", "--dry-run"}},
	} {
		code, _, stderr := alike(t, "", append([]string{"dedup", at("in.jsonl"), "-o", at("out")}, c.args...)...)
		if code != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d, %s want 2 and %q", c.args, code, stderr, c.want)
		}
	}
	for in, want := range map[string]string{
		"redis://:secret@host:1/0?name=a":          "redis://host:1/0?name=a",
		"redis+cluster://me:secret@a:1,b:2?name=a": "redis+cluster://a:1,b:2?name=a",
		"disk:a@b": "disk:a@b",
	} {
		if got := withoutPassword(in); got != want {
			t.Errorf("%s is named %s, want %s", in, got, want)
		}
	}
}

// However often a run that updates an index is killed, wherever, it goes on to the same output and the same index.
func TestDedupUpdateOfIndexSurvivesKilling(t *testing.T) {
	docs, rounds := 4000, 4
	switch {
	case testing.Short():
		docs, rounds = 1500, 2
	case os.Getenv("ALIKE_LONG") != "":
		docs, rounds = 50_000, 20
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	url := "disk:" + at("seen")
	corpusOf(t, at("old.jsonl"), 8, docs/4)
	corpusOf(t, at("in.jsonl"), 8, docs) // the old ones and more
	must(t, "index", "create", url, "-m", "simhash", "-k", "3")
	must(t, "index", "add", url, at("old.jsonl"))
	if err := os.CopyFS(at("was"), os.DirFS(at("seen"))); err != nil {
		t.Fatal(err)
	}
	restore := func() {
		t.Helper()
		for _, name := range []string{"seen", "out", "out.partial"} {
			if err := os.RemoveAll(at(name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.CopyFS(at("seen"), os.DirFS(at("was"))); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"dedup", at("in.jsonl"), "-o", at("out"), "--against", url, "--verify", "sketch", "--update", "--resume"}
	began := time.Now()
	if out, err := command(args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	took := time.Since(began)
	want, wantIndex := files(t, at("out")), indexed(t, url)
	r := rand.New(rand.NewPCG(2, 1))
	killed := 0
	for round := range rounds {
		restore()
		for kills := 0; ; kills++ {
			if _, err := os.Stat(at("out")); err == nil {
				break // it was killed behind the last step
			}
			cmd := command(args...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- cmd.Wait() }()
			var err error
			switch after := time.Duration(r.Int64N(int64(took))); {
			case kills == 5: // enough
				err = <-done
			case round%2 == 0:
				err = killAt(cmd, done, dir, after)
			default: // within the last steps
				err = killAt(cmd, done, at("out.partial/commit"), after/16)
			}
			if err == nil {
				break
			}
			if cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("exit code %d: %s", cmd.ProcessState.ExitCode(), stderr.String())
			}
			killed++
		}
		if got := files(t, at("out")); !reflect.DeepEqual(got, want) {
			for name := range want {
				if got[name] != want[name] {
					t.Errorf("round %d, killed %d times: %s differs", round, killed, name)
				}
			}
		}
		if got := indexed(t, url); !maps.Equal(got, wantIndex) {
			t.Errorf("round %d, killed %d times: the index has %d documents, want %d, or others", round, killed, len(got), len(wantIndex))
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("killed %d times", killed)
}

// killAt kills a command a while after a file is there, unless it ends before.
func killAt(cmd *exec.Cmd, done chan error, path string, after time.Duration) error {
	for {
		select {
		case err := <-done:
			return err
		default:
		}
		if _, err := os.Stat(path); err == nil {
			select {
			case err := <-done:
				return err
			case <-time.After(after):
			}
			cmd.Process.Kill()
			return <-done
		}
		time.Sleep(time.Millisecond)
	}
}
