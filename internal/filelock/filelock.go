// Package filelock keeps two processes from writing to one place.
package filelock
