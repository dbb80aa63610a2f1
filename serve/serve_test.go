package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// start returns a server for a test, by its options.
func start(t *testing.T, o Options) (*Server, *httptest.Server) {
	t.Helper()
	if o.Limits.Time == 0 {
		o.Limits.Time = 5 * time.Minute // on whatever machine
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { h.Close(); s.close() })
	return s, h
}

// ask sends a request, fails unless the status is as wanted, and reads the answer into out, if that
// is not nil.
func ask(t *testing.T, method, url string, in any, status int, out any) []byte {
	t.Helper()
	var body io.Reader
	switch v := in.(type) {
	case nil:
	case string:
		body = bytes.NewReader([]byte(v))
	default:
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		body = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != status {
		t.Fatalf("%s %s: status %d, want %d: %.500s", method, url, resp.StatusCode, status, b)
	}
	if out != nil {
		if err := json.Unmarshal(b, out); err != nil {
			t.Fatalf("%s %s: %v: %.500s", method, url, err, b)
		}
	}
	return b
}

func TestCompare(t *testing.T) {
	_, h := start(t, Options{})
	var got CompareResponse
	ask(t, "POST", h.URL+"/v1/compare", CompareRequest{A: "the cat sat on the mat", B: "the cat sat on a mat", Methods: []string{"shingle"}, Explain: true}, 200, &got)
	// the cat sat on mat | a: five of six words are shared.
	if len(got.Methods) != 1 || got.Methods[0].Score != 5./6 || got.Methods[0].Explanation.Shared != 5 {
		t.Errorf("got %+v", got)
	}
}
