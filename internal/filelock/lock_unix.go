//go:build unix

package filelock

import (
	"os"

	"golang.org/x/sys/unix"
)

// Try takes the lock of an open file, which the system gives back when the process
// ends, however it does. ok is false where another process has it.
func Try(f *os.File) (ok bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}
