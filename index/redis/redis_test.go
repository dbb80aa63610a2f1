package redis_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/index/redis"
)

func TestSuite(t *testing.T) {
	for _, c := range []struct {
		name string
		o    redis.Options
		long bool
	}{
		{"small", redis.Options{Documents: 500}, false},
		{"one-group", redis.Options{Documents: 1, Postings: 1}, true},
		{"for-an-hour", redis.Options{Documents: 500, TTL: 3600e9}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.long {
				indextest.Long(t)
			}
			suite(t, "redis://"+single(t).addr(), "single:"+c.name, c.o)
		})
	}
	t.Run("cluster", func(t *testing.T) {
		suite(t, "redis+cluster://"+addrs(cluster(t)[:2]), "cluster", redis.Options{Documents: 500})
	})
}

func suite(t *testing.T, url, name string, o redis.Options) {
	indextest.Run(t, indextest.Backend{
		Open: func(t *testing.T, test string) index.Store {
			o := o
			o.Name = strings.Join([]string{"test", name, test}, ":")
			return open(t, url, o)
		},
		Shared: true,
		Damage: redis.Damage,
	})
}

func TestTimeToLive(t *testing.T) {
	s := open(t, "redis://"+single(t).addr(), redis.Options{Name: fmt.Sprintf("ttl-%d", rand.Uint64()), Documents: 100, TTL: time.Second})
	defer s.Close()
	indextest.TimeToLive(t, s)
}
