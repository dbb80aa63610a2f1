package hbase

import (
	"strings"
	"testing"
	"time"
)

// Options that make no sense are refused, and of several wrong ones always the
// same is named.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Name: "_a"}, `name "_a"`},
		{Options{Name: "a:b"}, `name "a:b"`},
		{Options{Regions: 257}, "Regions is 257"},
		{Options{Batch: -1}, "Batch is -1"},
		{Options{TTL: 5 * time.Millisecond}, "TTL is 5ms"},
		{Options{TTL: 1e6 * time.Hour}, "at most 60 years"},
		{Options{Patience: 1, ReadTimeout: 2, Lease: 3}, "Patience is 1ns"},
		{Options{ReadTimeout: 2, Lease: 3}, "ReadTimeout is 2ns"},
		{Options{Lease: 3}, "Lease is 3ns"},
	} {
		for range 50 {
			if _, err := c.o.check(); err == nil || !strings.HasPrefix(err.Error(), "hbase: ") || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%+v: %v, want %s", c.o, err, c.want)
			}
		}
	}
	o, err := Options{}.check()
	if want := (Options{Name: "alike", Regions: 8, Batch: 1000, Patience: 2 * time.Minute, ReadTimeout: 20 * time.Second, Lease: 30 * time.Second, Root: "/hbase", User: "alike"}); err != nil || o != want {
		t.Errorf("no options become %+v, %v, want %+v", o, err, want)
	}
}
