//go:build !amd64 || noasm

package lanes

// Available reports whether the processor can do it.
func Available() bool { return false }

func begin(*Roller, *[Lanes]uint64, []byte, int) { panic("lanes: not available") }

func roll(*Roller, []uint64, []byte, *[Lanes]uint64, []byte, int) { panic("lanes: not available") }
