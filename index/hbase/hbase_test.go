package hbase_test

import (
	"fmt"
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
			})
		})
	}
}

func TestTimeToLive(t *testing.T) {
	s := open(t, start(t, 3), hbase.Options{Name: unused("ttl"), Regions: 1, TTL: time.Second, Lease: time.Second})
	defer s.Close()
	indextest.TimeToLive(t, s)
}
