package segment

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Word is a word of a user's own.
type Word struct {
	Text string // 1 to 512 characters

	// Frequency says how often the word occurs in as much text as the word list was
	// counted in (60 million words for jieba's), at most 2^40. Zero means as often as the
	// list's median word, as in cppjieba.
	Frequency uint64
}

// maxWord is the most characters of a word; cppjieba finds none that is longer.
const maxWord = 512

const maxFrequency = 1 << 40

func checkWord(word []byte) error {
	if len(word) == 0 || !utf8.Valid(word) || len(word) > maxWord && utf8.RuneCount(word) > maxWord {
		return fmt.Errorf("word is %q, want 1 to %d characters of UTF-8", word, maxWord)
	}
	return nil
}

// parseFrequency reads a number from 1 to maxFrequency.
func parseFrequency(s []byte) (n uint64, ok bool) {
	for _, c := range s {
		if c-'0' > 9 {
			return 0, false
		}
		if n = 10*n + uint64(c-'0'); n > maxFrequency {
			return 0, false
		}
	}
	return n, n > 0
}

// entry is a line of a word list.
type entry struct {
	word []byte
	freq uint64
}

// parseList reads a word list; see Options.Dict.
func parseList(content []byte) ([]entry, error) {
	list := make([]entry, 0, bytes.Count(content, []byte("\n"))+1)
	for n := 1; len(content) > 0; n++ {
		var line []byte
		line, content, _ = bytes.Cut(content, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		word, rest, _ := bytes.Cut(line, []byte(" "))
		number, _, _ := bytes.Cut(rest, []byte(" "))
		freq, ok := parseFrequency(number)
		if !ok {
			return nil, fmt.Errorf("segment: word list: line %d is %q, want a word, a space and its frequency, 1 to %d", n, line, uint64(maxFrequency))
		}
		if err := checkWord(word); err != nil {
			return nil, fmt.Errorf("segment: word list: line %d: %w", n, err)
		}
		list = append(list, entry{word, freq})
	}
	if len(list) == 0 {
		return nil, errors.New("segment: the word list is empty")
	}
	return list, nil
}

// ParseUser reads words of a user's own from lines of a word and, behind single
// spaces, its frequency, or its part of speech, or both in this order: the format of
// jieba's user dictionaries, and of cppjieba's. Empty lines are skipped, and parts of
// speech are not kept.
//
// Where only one field follows the word, a number is a frequency, as in jieba;
// cppjieba takes it for a part of speech.
func ParseUser(content []byte) ([]Word, error) {
	var words []Word
	for n := 1; len(content) > 0; n++ {
		var line []byte
		line, content, _ = bytes.Cut(content, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			continue
		}
		fields := bytes.Split(line, []byte(" "))
		if len(fields) > 3 {
			return nil, fmt.Errorf("segment: user's words: line %d has %d fields, want 1 to 3", n, len(fields))
		}
		w := Word{Text: string(fields[0])}
		if err := checkWord(fields[0]); err != nil {
			return nil, fmt.Errorf("segment: user's words: line %d: %w", n, err)
		}
		if len(fields) > 1 {
			freq, ok := parseFrequency(fields[1])
			_, err := strconv.ParseFloat(string(fields[1]), 64)
			if !ok && (len(fields) == 3 || err == nil) {
				return nil, fmt.Errorf("segment: user's words: line %d: frequency is %q, want 1 to %d", n, fields[1], uint64(maxFrequency))
			}
			w.Frequency = freq
		}
		words = append(words, w)
	}
	return words, nil
}
