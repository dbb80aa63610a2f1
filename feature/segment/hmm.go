package segment

// States of a character in a word: it begins a word, ends one, stands in the
// middle, or is one by itself.
const (
	stateB = iota
	stateE
	stateM
	stateS
	states
)

// impossible is the logarithm that cppjieba has for what cannot be. It is no
// infinity: sums of it are compared.
const impossible = -3.14e100

// emission is how probable a character is in each state, as logarithms.
type emission [states]float64

// chain is how probable a state is at the start, and after another.
type chain struct {
	start [states]float64
	trans [states][states]float64 // from a state to a state
}
