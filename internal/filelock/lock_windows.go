package filelock

import (
	"os"

	"golang.org/x/sys/windows"
)

// Try takes the lock of an open file, which the system gives back when the process
// ends, however it does. ok is false where another process has it.
func Try(f *os.File) (ok bool, err error) {
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
	if err == windows.ERROR_LOCK_VIOLATION {
		return false, nil
	}
	return err == nil, err
}
