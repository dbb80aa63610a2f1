package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/verdict"
	"github.com/alike-go/alike/serve"
)

func TestServeGoldens(t *testing.T) {
	dir := t.TempDir()
	short := filepath.Join(dir, "token")
	if err := os.WriteFile(short, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
	}{
		{"serve-help", []string{"serve", "-h"}, 0},
		{"serve-no-index", []string{"serve", "--addr", "127.0.0.1:0", "--create", "simhash", "-k", "3"}, 2},
		{"serve-no-token", []string{"serve", "--addr", "0.0.0.0:0"}, 2},
		{"serve-short-token", []string{"serve", "--addr", "127.0.0.1:0", "--token-file", short}, 2},
		{"serve-no-threshold", []string{"serve", "--addr", "127.0.0.1:0", "--index", "disk:" + filepath.Join(dir, "seen"), "--create", "simhash"}, 2},
		{"serve-no-records", []string{"serve", "--addr", "127.0.0.1:0", "--records", filepath.Join(dir, "absent")}, 2},
		{"serve-no-data", []string{"serve", "--addr", "127.0.0.1:0", "--data", filepath.Join(dir, "absent")}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := alike(t, "", c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			out := strings.ReplaceAll("stdout:\n"+stdout+"stderr:\n"+stderr, dir, "DIR")
			golden(t, filepath.Join("testdata", c.name+".golden"), regexp.MustCompile(`(\[::\]|0\.0\.0\.0):[0-9]+`).ReplaceAllString(out, "ADDRESS"))
		})
	}
}

// The command and the API say the same of two texts, evidence included, but for times.
func TestServeComparesAsTheCommand(t *testing.T) {
	s, err := serve.New(serve.Options{Limits: serve.Limits{Rate: 1e6, Time: 5 * time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	defer h.Close()
	var pairs [][2]string
	for _, name := range []string{"en", "zh"} {
		set, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(set.Pairs); i += len(set.Pairs)/6 + 1 {
			pairs = append(pairs, [2]string{set.Docs[set.Pairs[i].A].Text, set.Docs[set.Pairs[i].B].Text})
		}
	}
	pairs = append(pairs, [2]string{"", ""}, [2]string{"a", ""}, [2]string{"<script>alert(1)</script>", "<b>&amp;</b> <script>"}, [2]string{"same", "same"})
	for _, methods := range [][]string{nil, {"simhash:bits=128,width=2", "bloom:bits=auto", "minhash:size=16,bits=2", "edit", "shingle:tokens=jieba"}} {
		for _, p := range pairs {
			args := []string{"compare", "--text", "--format", "json", "--explain", "--most", "200"}
			for _, m := range methods {
				args = append(args, "-m", m)
			}
			var want, got []comparison
			lines := json.NewDecoder(strings.NewReader(mustRun(t, append(args, "--", p[0], p[1])...)))
			for lines.More() {
				var row comparison
				if err := lines.Decode(&row); err != nil {
					t.Fatal(err)
				}
				want = append(want, row)
			}
			body, err := json.Marshal(serve.CompareRequest{A: p[0], B: p[1], Methods: methods, Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.Post(h.URL+"/v1/compare", "application/json", bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != 200 {
				t.Fatalf("%.30q: status %d, %v: %.300s", p, resp.StatusCode, err, b)
			}
			var v verdict.Verdict
			if err := json.Unmarshal(b, &struct {
				Methods *[]comparison
				Verdict *verdict.Verdict
			}{&got, &v}); err != nil {
				t.Fatal(err)
			}
			if len(got) != len(want) || len(got) == 0 {
				t.Fatalf("%d methods, want %d", len(got), len(want))
			}
			for i := range want {
				want[i].Seconds, got[i].Seconds = 0, 0
				got[i].Verdict = &v
				if !reflect.DeepEqual(got[i], want[i]) {
					t.Errorf("%.30q by %s:\n%+v\nthe command says\n%+v", p, want[i].Method, got[i], want[i])
				}
			}
		}
	}
}

// A server that is told to end in the midst of additions keeps every one that it has acknowledged, and
// exits as one that is done; its index has a seed that nobody outside sees.
func TestServeEndsWithoutLoss(t *testing.T) {
	dir := t.TempDir()
	at := "disk:" + filepath.Join(dir, "seen")
	cmd := command("serve", "--addr", "127.0.0.1:0", "--index", at, "--create", "shingle:width=1", "-t", "0.9", "--log", "warn", "--data", "en", "--time-limit", "5m")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v: %s", err, &stderr)
	}
	base := strings.TrimSuffix(strings.TrimSpace(line), "/")
	resp, err := http.Get(base + "/v1/index")
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || !bytes.Contains(b, []byte(`seed=secret`)) || regexp.MustCompile(`seed=[1-9]`).Match(b) {
		t.Errorf("the index is described as %s, %v", b, err)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	acknowledged := map[string]bool{}
	for g := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				id := fmt.Sprintf("d%dx%d", g, i)
				resp, err := http.Post(base+"/v1/index/add", "application/json", strings.NewReader(fmt.Sprintf(`{"documents":[{"id":%q,"text":"the words of %s"}]}`, id, id)))
				if err != nil {
					return
				}
				b, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != 200 || !bytes.Contains(b, []byte(`"added"`)) {
					return
				}
				mu.Lock()
				if acknowledged[id] = true; len(acknowledged) == 100 {
					cmd.Process.Signal(syscall.SIGTERM)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("after SIGTERM: %v: %s", err, &stderr)
	}
	if len(acknowledged) < 100 {
		t.Fatalf("%d additions acknowledged: %s", len(acknowledged), &stderr)
	}
	stored := map[string]bool{}
	err = useIndex(t.Context(), io.Discard, at, "", true, func(x *index.Index) error {
		if !strings.Contains(x.Header().Method, "seed=") {
			t.Errorf("an index without a seed: %s", x.Header().Method)
		}
		return x.Store().EachDocument(t.Context(), func(d index.Document) error {
			stored[d.ID] = true
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for id := range acknowledged {
		if !stored[id] {
			t.Errorf("%s was acknowledged and is gone", id)
		}
	}
}
