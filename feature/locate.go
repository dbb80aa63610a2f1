package feature

// Locate appends the features of a text with their places in it, in document
// order, repeats included: the hashes are those of AppendHashes. It is for
// explanations: slower than Blocks and allocating; memory grows with the text,
// which must be shorter than 4 GB when folded.
func (x *Extractor) Locate(text string) []Located {
	folded, spans := x.o.Fold.NormalizeSpans(text)
	tokens := x.locateTokens(folded, spans)
	if len(tokens) == 0 {
		return nil
	}
	window := func(from, to int) Located {
		l := Located{Span: Span{tokens[from].Start, tokens[to-1].End}}
		switch x.o.Tokens {
		case Rune, Byte, Overlap:
			l.Hash = x.sum(folded[tokens[from].folded.Start:tokens[to-1].folded.End])
		default:
			hashes := make([]uint64, 0, maxWidth)
			for _, t := range tokens[from:to] {
				hashes = append(hashes, t.Hash)
			}
			l.Hash = shingleHash(hashes)
		}
		return l
	}
	if len(tokens) < x.o.MinWidth {
		return []Located{window(0, len(tokens))}
	}
	var out []Located
	for end := 1; end <= len(tokens); end++ {
		for w := x.o.MinWidth; w <= min(x.o.MaxWidth, end); w++ {
			out = append(out, window(end-w, end))
		}
	}
	return out
}

// locatedToken is a token with its places in the folded and the original text.
type locatedToken struct {
	Located
	folded span
}

func (x *Extractor) locateTokens(folded []byte, spans []Span) []locatedToken {
	var cut []span
	switch x.o.Tokens {
	case Word, Single:
		cut, _ = cutWords(nil, folded, 0, x.o.Tokens == Single, true)
	case Segmented:
		cut, _ = x.cutSegments(nil, folded, true)
	default:
		for i := 0; i < len(folded); {
			n := 1
			if x.o.Tokens != Byte {
				n = runeLenBytes(folded[i:])
			}
			cut = append(cut, span{Start: uint32(i), End: uint32(i + n)})
			i += n
		}
	}
	s := newScratch()
	defer s.free()
	var tokens []locatedToken
	for _, c := range cut {
		h, ok := x.token(s, folded[c.Start:c.End])
		if !ok {
			continue
		}
		t := locatedToken{Located{h, Span{spans[c.Start].Start, spans[c.End-1].End}}, c}
		tokens = append(tokens, t)
	}
	if !x.merges {
		return tokens
	}
	merged := tokens[:0]
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if i+1 < len(tokens) {
			if next := tokens[i+1]; x.model.isPhrase(pairKey(t.Hash, next.Hash)) {
				t.Hash = pairKey(t.Hash, next.Hash)
				t.End, t.folded.End = next.End, next.folded.End
				i++
			}
		}
		merged = append(merged, t)
	}
	return merged
}
