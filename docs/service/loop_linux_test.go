package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A server may close connections that rest, and the loop opens them anew: it has all answers nevertheless.
func TestConnectionsAreOpenedAnew(t *testing.T) {
	h := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, `{"matches":[]}`)
	}))
	h.Config.IdleTimeout = time.Nanosecond
	h.Start()
	defer h.Close()
	requests := []request{{bytes: post(`{"text":"a"}`), none: true}, {bytes: post(`{"text":"b"}`)}}
	o, err := ask(t.Context(), h.Listener.Addr().String(), requests, 100, 3, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.latencies) != 100 || len(o.late) != 100 || o.wrong > 0 {
		t.Errorf("%d answers, %d requests, %d answers wrong: %s; want 100, 100, none", len(o.latencies), len(o.late), o.wrong, o.first)
	}
	if o.reopened == 0 {
		t.Error("no connection was opened anew")
	}
}
