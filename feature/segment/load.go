package segment

import (
	"fmt"
	"sync"

	"github.com/alike-go/alike/feature/jiebadict"
)

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

// loadOwn makes a dictionary of a word list, or nil for the published one with its
// words of users, and a user's words.
func loadOwn(content []byte, user []Word) (*dict, error) {
	m, err := publishedModel()
	if err != nil {
		return nil, err
	}
	var list []entry
	if content != nil {
		list, err = parseList(content)
	} else {
		var more []Word
		list, more, err = publishedWords()
		user = append(more, user...)
	}
	if err != nil {
		return nil, err
	}
	p, err := newPlan(list, user, m)
	if err != nil {
		return nil, err
	}
	return p.build()
}

func publishedModel() (*model, error) {
	content, err := jiebadict.Read(jiebadict.HMM)
	if err != nil {
		return nil, fmt.Errorf("segment: %w", err)
	}
	return parseModel(content)
}

func publishedWords() ([]entry, []Word, error) {
	content, err := jiebadict.Read(jiebadict.Words)
	if err != nil {
		return nil, nil, fmt.Errorf("segment: %w", err)
	}
	list, err := parseList(content)
	if err != nil {
		return nil, nil, err
	}
	if content, err = jiebadict.Read(jiebadict.UserWords); err != nil {
		return nil, nil, fmt.Errorf("segment: %w", err)
	}
	user, err := ParseUser(content)
	return list, user, err
}
