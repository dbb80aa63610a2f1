package redis_test

import (
	"testing"

	"github.com/alike-go/alike/index/redis"
)

// A store refuses options and URLs that make no sense, before it connects.
func TestOpenRefuses(t *testing.T) {
	for _, url := range []string{
		"", "redis", "http://x", "redis://127.0.0.1:1?name=a{b}", "redis://127.0.0.1:1?documents=-4",
		"redis://127.0.0.1:1?documents=many", "redis://127.0.0.1:1?ttl=5ms", "redis://127.0.0.1:1?replicas=-2",
		"redis://127.0.0.1:1?unheard=of", "redis+cluster://127.0.0.1:1,127.0.0.1:2?lease=1ms",
	} {
		if s, err := redis.Open(t.Context(), url, redis.Options{Patience: -1}); err == nil {
			s.Close()
			t.Errorf("%q was opened", url)
		}
	}
}
