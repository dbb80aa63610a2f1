// Package filelock keeps two processes from writing to one place. It takes the
// lock of an open file, or says that another process has it. The lock ends with
// the process.
//
// Packages dedup/local, index/disk and internal/durable use it. Waiting, and
// messages about the other process, belong to them.
package filelock
