package plant

import (
	"math/bits"
	"strings"
)

// vocabulary is words by rank, the most frequent first.
type vocabulary struct {
	text string   // all words, one behind the other
	at   []uint32 // where each begins, and the end of the last
	// common is how many of them, from the first, are grammatical words that
	// every topic uses.
	common int
}

// The most frequent words are real ones, so that lists of stop words have
// something to stop.
const (
	englishCommon = `the of and to in a is that for it as was with be by on not he his but at are this have from or had an
they which one you were all her she there would their we him been has when who will no more if out so up said what its about
than into them can only other time new some could these two may first then do any like my now over such our man me even most
made after also did many must before through years where much your way well down should because each just those people how too`
	chineseCommon = `的 是 在 了 和 不 有 人 这 我 一 他 也 就 说 为 上 对 中 与 而 要 以 到 都 你 会 着 个 等 地 从 但 又 把 被 将 其
于 及 或 由 则 所 此 很 更 最 已 还 我们 他们 可以 没有 这个 一个 自己 就是 因为 如果 但是 所以 这些 已经 以及 通过 进行 对于`
)

// What English-like words are made of. A part that stands twice is as frequent.
var (
	onsets = strings.Fields("b c d f g h l m n p r s t v w st tr ch sh th r s t l pl gr pr")
	vowels = strings.Fields("a e i o u a e i o e ea ou ai")
	codas  = strings.Fields("n r s t l d nd st ng ct . . . . . . . . . . .")
)

// hanParts are common characters, the most frequent first, as far as we can tell:
// what Chinese-like words are made of.
var hanParts = []rune(`国大来时们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严`)

// newVocabulary returns n different words of the language. They do not depend on a
// seed: documents made under different seeds are in one language.
func newVocabulary(lang Lang, n int) *vocabulary {
	r := NewRand('v', uint64(len(lang)), uint64(len(hanParts)))
	common, next := strings.Fields(englishCommon), englishWord
	if lang == Chinese {
		common, next = strings.Fields(chineseCommon), chineseWord
	}
	v := &vocabulary{at: []uint32{0}, common: min(n, len(common))}
	seen := make(map[string]bool, n)
	var text strings.Builder
	add := func(w string) {
		if !seen[w] {
			seen[w] = true
			text.WriteString(w)
			v.at = append(v.at, uint32(text.Len()))
		}
	}
	for _, w := range common[:v.common] {
		add(w)
	}
	for len(v.at) <= n {
		add(next(r, len(v.at)))
	}
	v.text = text.String()
	return v
}

// englishWord makes a pronounceable word, as a rule of the more syllables the
// rarer it is.
func englishWord(r *Rand, rank int) string {
	var w strings.Builder
	// From one or two syllables at rank 100 to two to four at rank 2^16.
	for range 1 + (bits.Len(uint(rank))+r.Below(16))/11 {
		if r.Below(8) > 0 {
			w.WriteString(onsets[r.Below(len(onsets))])
		}
		w.WriteString(vowels[r.Below(len(vowels))])
		if c := codas[r.Below(len(codas))]; c != "." {
			w.WriteString(c)
		}
	}
	return w.String()
}

// chineseWord makes a word of mostly two characters, the frequent ones more often.
func chineseWord(r *Rand, rank int) string {
	length := 2
	switch x := r.Below(100); {
	case rank < 1<<11 && x < 30:
		length = 1
	case x >= 97-bits.Len(uint(rank)):
		length = 4
	case x >= 90-2*bits.Len(uint(rank)):
		length = 3
	}
	var w strings.Builder
	for range length {
		w.WriteRune(hanParts[r.Below(r.Below(len(hanParts))+1)])
	}
	return w.String()
}
