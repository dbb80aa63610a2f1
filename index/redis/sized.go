package redis

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// SizedURL returns the URL of a store with the numbers of documents and postings
// that it is sized for, by the options of its index. A URL that states one of them
// stays as it is. So does the URL of another backend.
func SizedURL(at string, m similarity.Method, o index.Options) (string, error) {
	place, query, _ := strings.Cut(at, "?")
	params, err := url.ParseQuery(query)
	if !strings.HasPrefix(at, "redis") || o.Documents == 0 || err != nil || params.Has("documents") || params.Has("postings") {
		return at, nil // Open says what is wrong with it
	}
	b, err := m.NewCollection().Buckets(similarity.JoinOptions{Threshold: o.Threshold, Recall: o.Recall, Documents: o.Documents})
	if err != nil {
		return at, fmt.Errorf("index: %w", err)
	}
	params.Set("documents", strconv.FormatInt(o.Documents, 10))
	if b.Tables > 1 { // in a single table a document may have any number
		params.Set("postings", strconv.Itoa(b.Tables))
	}
	return place + "?" + params.Encode(), nil
}
