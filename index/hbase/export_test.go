package hbase

// SetPageSize makes pages smaller, and returns what makes them as they were.
func SetPageSize(n uint64) (restore func()) {
	old := pageSize
	pageSize = n
	return func() { pageSize = old }
}
