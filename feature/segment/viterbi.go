package segment

// states finds the most probable states of the characters of cells (Viterbi, IEEE
// Transactions on Information Theory 13, 1967) and leaves them in their len. back is
// room for a byte each: from which state each state is reached best, two bits each.
//
// The comparisons and sums are those of cppjieba, in its order, but for those that the
// transitions rule out, which never win: a logarithm is not above 0, so that with
// impossible added it is not above impossible.
func (d *dict) states(cells []cell, back []uint8) {
	tr := &d.chain.trans
	e := &d.emit[cells[0].label]
	s := &d.chain.start
	b, en, m, si := s[stateB]+e[stateB], s[stateE]+e[stateE], s[stateM]+e[stateM], s[stateS]+e[stateS]
	eb, sb := tr[stateE][stateB], tr[stateS][stateB]
	be, me := tr[stateB][stateE], tr[stateM][stateE]
	bm, mm := tr[stateB][stateM], tr[stateM][stateM]
	es, ss := tr[stateE][stateS], tr[stateS][stateS]
	for x := 1; x < len(cells); x++ {
		e := &d.emit[cells[x].label]
		nb, ne, nm, ns := impossible, impossible, impossible, impossible
		const none = stateE | stateE<<2 | stateE<<4 | stateE<<6
		p := uint8(none)
		if w := en + eb + e[stateB]; w > nb {
			nb = w
		}
		if w := si + sb + e[stateB]; w > nb {
			nb, p = w, p&^3|stateS
		}
		if w := b + be + e[stateE]; w > ne {
			ne, p = w, p&^(3<<2)|stateB<<2
		}
		if w := m + me + e[stateE]; w > ne {
			ne, p = w, p&^(3<<2)|stateM<<2
		}
		if w := b + bm + e[stateM]; w > nm {
			nm, p = w, p&^(3<<4)|stateB<<4
		}
		if w := m + mm + e[stateM]; w > nm {
			nm, p = w, p&^(3<<4)|stateM<<4
		}
		if w := en + es + e[stateS]; w > ns {
			ns = w
		}
		if w := si + ss + e[stateS]; w > ns {
			ns, p = w, p&^(3<<6)|stateS<<6
		}
		b, en, m, si = nb, ne, nm, ns
		back[x] = p
	}
	state := uint8(stateS)
	if en >= si {
		state = stateE
	}
	for x := len(cells) - 1; x >= 0; x-- {
		cells[x].len = uint16(state)
		state = back[x] >> (2 * state) & 3
	}
}
