package hbase_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/hbase"
	"github.com/alike-go/alike/index/indextest"
)

func TestSuite(t *testing.T) {
	for _, c := range []struct {
		servers int
		o       hbase.Options
		long    bool
	}{
		{3, hbase.Options{Regions: 3}, false},
		{1, hbase.Options{Regions: 1, Batch: 7, TTL: 3600e9}, true},
	} {
		t.Run(fmt.Sprintf("servers=%d", c.servers), func(t *testing.T) {
			if c.long {
				indextest.Long(t)
			}
			cluster, run := start(t, c.servers), unused("suite")
			indextest.Run(t, indextest.Backend{
				Open: func(t *testing.T, test string) index.Store {
					o := c.o
					o.Name = run + "-" + test
					return open(t, cluster, o)
				},
				Shared: true,
				Damage: hbase.Damage,
			})
		})
	}
}

func TestTimeToLive(t *testing.T) {
	s := open(t, start(t, 3), hbase.Options{Name: unused("ttl"), Regions: 1, TTL: time.Second, Lease: time.Second})
	defer s.Close()
	indextest.TimeToLive(t, s)
}

// When postings have expired, the rows of their documents are still there: nobody
// meets a posting without a row.
func TestRowsOutlivePostings(t *testing.T) {
	defer hbase.SetLonger(time.Second, time.Hour)()
	s := open(t, start(t, 3), hbase.Options{Name: unused("outlive"), Regions: 1, TTL: time.Second, Lease: time.Second})
	defer s.Close()
	if err := s.Create(t.Context(), []byte("header")); err != nil {
		t.Fatal(err)
	}
	e := indextest.RandomEntry(rand.New(rand.NewPCG(6, 6)), "a")
	out, err := s.Add(t.Context(), []index.Entry{e}, false)
	if err != nil {
		t.Fatal(err)
	}
	indextest.Eventually(t, "postings expire", func() bool {
		found, err := indextest.Scan(t.Context(), s, e.Postings, 0)
		if err != nil {
			t.Fatal(err)
		}
		return len(found) == 0
	})
	if n := hbase.States(t, s, []uint64{out[0].Number}); n != 1 {
		t.Errorf("%d rows are there, want 1", n)
	}
	if docs, err := s.Documents(t.Context(), []uint64{out[0].Number}); err != nil || docs[0].Number != 0 {
		t.Errorf("documents: %+v, %v, want none after its time to live", docs, err)
	}
}
