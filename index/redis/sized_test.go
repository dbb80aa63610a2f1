package redis_test

import (
	"errors"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/redis"
	"github.com/alike-go/alike/similarity"
)

func TestSizedURL(t *testing.T) {
	parse := func(spec string) similarity.Method {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, c := range []struct {
		url, method string
		documents   int64
		want        string
	}{
		{"redis://h:1/0?name=seen", "simhash", 8e9, "redis://h:1/0?documents=8000000000&name=seen&postings=20"},
		{"redis+cluster://h:1,i:1", "simhash", 1e6, "redis+cluster://h:1,i:1?documents=1000000&postings=4"},
		{"redis://h:1", "shingle", 1e6, "redis://h:1?documents=1000000"},
		{"redis://h:1?documents=5", "simhash", 8e9, "redis://h:1?documents=5"},
		{"redis://h:1?postings=5", "simhash", 8e9, "redis://h:1?postings=5"},
		{"redis://h:1?a=%zz", "simhash", 8e9, "redis://h:1?a=%zz"},
		{"redis://h:1", "simhash", 0, "redis://h:1"},
		{"disk:web", "simhash", 8e9, "disk:web"},
	} {
		got, err := redis.SizedURL(c.url, parse(c.method), index.Options{Threshold: 0.989, Documents: c.documents})
		if err != nil || got != c.want {
			t.Errorf("%s for %d documents of %s: %q, %v, want %q", c.url, c.documents, c.method, got, err, c.want)
		}
	}
	if _, err := redis.SizedURL("redis://h:1", parse("cosine"), index.Options{Threshold: 0.989, Documents: 10}); !errors.Is(err, similarity.ErrNoBuckets) {
		t.Errorf("without buckets: %v", err)
	}
}
