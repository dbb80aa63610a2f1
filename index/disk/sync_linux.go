package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// datasync makes the content of a file durable, and of what the file system says about it as much as
// is needed to read it.
func datasync(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }
