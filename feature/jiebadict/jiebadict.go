// Package jiebadict holds the Chinese dictionaries of jieba, as cppjieba ships
// them: the word list, the hidden Markov model, the idf table and the stop
// words.
//
// Only the idf table is embedded, compressed (1.6 MB), for the weights jieba
// and jieba-mean of a spec. [IDF] reads it; nothing is loaded before. The
// dictionary of package segment is made from the word list and the model. Rules
// of cutting belong to package segment.
//
// The data is under the MIT licence; data/README.md names its source.
package jiebadict

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// File is one file of the dictionaries.
type File struct {
	Name   string // within data, without .zst
	Size   int    // bytes
	SHA256 string // lower-case hex
}

// The files, uncompressed.
var (
	Words     = File{"jieba.dict.utf8", 5071204, "3043b77068e09c9904f27cad82f12b6ebe9dbdb5aeff3b25e45ab7f9c1122b55"}
	HMM       = File{"hmm_model.utf8", 519739, "f17790586ac86dd048c8adffed052c4bd2b28ed0682972c1275e59040c0589a7"}
	UserWords = File{"user.dict.utf8", 49, "495bbf49270408a1234690e1e6a97328f30a482a7a72aa769e8a12e8714b0c62"}
	IDFTable  = File{"idf.utf8", 5998717, "dbd1e03d72b2263cc8d84a4304ed77677eed9e7deaf43a1a5133bbba9733b535"}
	StopWords = File{"stop_words.utf8", 8974, "b788b8a939d2e2fe079abd579ea98f12f9fb84370bfd0dddd81bb9381f7ab42c"}
)

// Sum returns one checksum for several files, 16 hex digits. It is part of the identity
// of a segmenter or a table.
func Sum(files ...File) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s %s\n", f.Name, f.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

//go:embed data/idf.utf8.zst
var packedIDF []byte

// unpack returns the uncompressed content of a file, verified.
func unpack(f File, packed []byte) ([]byte, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("jiebadict: %w", err)
	}
	defer dec.Close()
	content, err := dec.DecodeAll(packed, make([]byte, 0, f.Size))
	if err != nil {
		return nil, fmt.Errorf("jiebadict: decompress %s: %w", f.Name, err)
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != f.SHA256 {
		return nil, fmt.Errorf("jiebadict: %s: checksum differs", f.Name)
	}
	return content, nil
}
