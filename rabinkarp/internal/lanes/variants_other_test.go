//go:build !amd64 || noasm

package lanes

func variants() []variant { return nil }
