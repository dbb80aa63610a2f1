package simhash

import (
	"crypto/md5"
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/alike-go/alike/feature"
)

// Fingerprints that other programs publish, from their documentation and tests.

// The example that is passed round in Chinese introductions: six bits, two words of
// weights 4 and 5 whose columns add up to 9 -9 1 -1 1 9.
func TestSixBits(t *testing.T) {
	fs := []feature.Feature{{Hash: 0b100101, Weight: 4}, {Hash: 0b101011, Weight: 5}}
	if got, want := Sum(32, TieZero, fs).Lo, uint64(0b101011); got != want {
		t.Errorf("sum %06b, want %06b", got, want)
	}
	ones, ties, _ := naive(6, fs)
	if ones.Lo != 0b101011 || ties.Lo != 0 {
		t.Errorf("by the definition %06b with ties %06b, want 101011 without", ones.Lo, ties.Lo)
	}
}

// yanyiwu/simhash, README and test/unittest: keywords of cppjieba hashed with Jenkins'
// lookup3, (pc<<32)|pb.
func TestYanyiwu(t *testing.T) {
	for _, c := range []struct {
		name string
		fs   []feature.Feature
		want uint64
	}{
		{"蓝翔, CEO, 升职, 加薪, 手扶拖拉机", []feature.Feature{
			{Hash: 4456126642618087437, Weight: 11.7392}, {Hash: 15527884971851335464, Weight: 11.7392},
			{Hash: 12795442418582434293, Weight: 10.8562}, {Hash: 17469274401231235653, Weight: 10.6426},
			{Hash: 5143693181545528385, Weight: 10.0089}}, 17831459094038722629},
		{"five hashes", []feature.Feature{
			{Hash: 15142046212652221781, Weight: 318.452}, {Hash: 2117559126361955906, Weight: 151.001},
			{Hash: 14814508906697812479, Weight: 140.87}, {Hash: 13004687738940023035, Weight: 106.978},
			{Hash: 18264030747823598625, Weight: 103.739}}, 15286165794479097173},
		// One word outweighs the other, so the fingerprint is that word's hash.
		{"你好, 世界", []feature.Feature{
			{Hash: 17676873585679812141, Weight: 7.958}, {Hash: 17364469107188678083, Weight: 4.368}},
			17676873585679812141},
	} {
		if got := Sum(64, TieZero, c.fs).Lo; got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// The words of the same README, hashed by package feature.
func TestYanyiwuWords(t *testing.T) {
	for text, want := range map[string]uint64{"你好": 17676873585679812141, "蓝翔": 4456126642618087437} {
		m, err := New(Options{Tie: TieZero, Features: feature.Options{Hash: feature.Lookup3}})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Sketch(text).Lo; got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// yanyiwu/simhash, test of isEqual(a, b, n): whether at most n bits differ.
func TestYanyiwuDistance(t *testing.T) {
	for _, c := range []struct {
		a, b uint64
		n    int
		want bool
	}{
		{0b100010110110, 0b110001110011, 3, false},
		{0b100010110110, 0b110001110011, 5, true},
		{0b100010110110, 0b110010110111, 3, true},
	} {
		if got := Distance(Fingerprint{Lo: c.a}, Fingerprint{Lo: c.b}) <= c.n; got != c.want {
			t.Errorf("%b and %b within %d: %v, want %v", c.a, c.b, c.n, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b Fingerprint
		want int
	}{
		{Fingerprint{Lo: 9560576906391065291}, Fingerprint{Lo: 9560436168902711947}, 3}, // a blog's demonstration pair
		{Fingerprint{Lo: 851459198}, Fingerprint{Lo: 847263864}, 4},                     // the blog that contrasts
		{Fingerprint{Lo: 851459198}, Fingerprint{Lo: 984968088}, 16},                    // them with the bits of a
		{Fingerprint{Lo: 847263864}, Fingerprint{Lo: 984968088}, 12},                    // traditional hash
		{Fingerprint{Lo: 0x4bbb22fbbc29d9b5}, Fingerprint{Lo: 0x4bbb62fb9c29c9b5}, 3},   // seomoz/simhash-cpp: bits 46, 29, 12
		{Fingerprint{Lo: 0b10101}, Fingerprint{Lo: 0b00110}, 3},                         // positions 1, 4 and 5 from the left
		{Fingerprint{Hi: 1, Lo: 2}, Fingerprint{Hi: 2, Lo: 1}, 4},
		{Fingerprint{Hi: ^uint64(0), Lo: ^uint64(0)}, Fingerprint{}, 128},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("distance of %v and %v: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// ong is the feature hash of the Python package simhash (1e0ng/simhash): the last
// eight bytes of MD5, big-endian.
func ong(s string) uint64 {
	d := md5.Sum([]byte(s))
	return binary.BigEndian.Uint64(d[8:])
}

// 1e0ng/simhash, tests/test_simhash.py: a bit is one where the ones weigh more
// than half.
func TestOng(t *testing.T) {
	plain, weighted := []uint64{}, []feature.Feature{}
	for i := range 500 {
		h := ong(strconv.Itoa(i))
		plain = append(plain, h)
		weighted = append(weighted, feature.Feature{Hash: h, Weight: float64(50 * i)})
	}
	for _, c := range []struct {
		name string
		got  Fingerprint
		want uint64
	}{
		// Two features of one weight tie in half the positions: the AND of the hashes.
		{"aaa, bbb", SumHashes(64, TieZero, []uint64{ong("aaa"), ong("bbb")}), 57087923692560392},
		{"0 to 499", SumHashes(64, TieZero, plain), 7984652473404407437},
		{"0 to 499, weights 50i", Sum(64, TieZero, weighted), 3372825719632739723},
		{"a text", SumHashes(64, TieZero, ongText("How are you? I AM fine. Thanks. And you?")), 13831624873712969754},
	} {
		if c.got.Lo != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got.Lo, c.want)
		}
	}
}

// ongText hashes the windows of four letters that the package takes of a text:
// lower case, all but letters, digits, _ and Han dropped.
func ongText(s string) (hashes []uint64) {
	var kept []rune
	for _, r := range strings.ToLower(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			kept = append(kept, r)
		}
	}
	for i := 0; i < max(1, len(kept)-3); i++ {
		hashes = append(hashes, ong(string(kept[i:min(len(kept), i+4)])))
	}
	return hashes
}

// Distances that the same scheme gives short texts, which show how little such
// texts have to say: the sentences share most of their letters.
func TestOngShortTexts(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"the cat sat on the mat", "the cat sat on a mat", 21},
		{"你妈妈喊你回家吃饭哦,回家罗回家罗", "你妈妈叫你回家吃饭啦,回家罗回家罗", 22},
	} {
		a, b := SumHashes(64, TieZero, ongText(c.a)).Lo, SumHashes(64, TieZero, ongText(c.b)).Lo
		if got := bits.OnesCount64(a ^ b); got != c.want {
			t.Errorf("%q and %q: distance %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
