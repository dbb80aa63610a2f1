//go:build !amd64 || noasm

package popcount

func variants() []variant { return []variant{{"go", andGo, rowsGo}} }
