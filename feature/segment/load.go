package segment

import "sync"

// loadShared reads what is embedded, once for the process.
var loadShared = sync.OnceValues(loadEmbedded)

func loadEmbedded() (*dict, error) {
	content, err := unpack(embedded)
	if err != nil {
		return nil, err
	}
	p, err := readPlan(content)
	if err != nil {
		return nil, err
	}
	return p.build()
}
