package token

// HanRun returns the length in bytes of the run of ideographs from U+4E00 to U+9FFF that text
// starts with.
func HanRun(text string) int { return hanRun(text) }

func hanRunGo(text string) int {
	i := 0
	for ; i+3 <= len(text); i += 3 {
		a, b, c := text[i], text[i+1], text[i+2]
		if a-0xe4 > 5 || b&0xc0 != 0x80 || c&0xc0 != 0x80 || a == 0xe4 && b < 0xb8 {
			break
		}
	}
	return i
}
