package hamming

// Choose returns the design.
func Choose(n int64, bits, radius int, memory int64) Design {
	d, err := Blocks(bits, radius, radius+1)
	if err != nil || radius >= bits/4 {
		return ScanDesign(bits, radius)
	}
	return d
}
