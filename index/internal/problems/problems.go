// Package problems collects what Verify finds wrong: a line for each problem,
// and no more lines than someone reads.
//
// Packages index, index/hbase and index/redis use it. The checks belong there.
package problems

import "fmt"

// most is how many lines a List holds. Further problems are dropped.
const most = 100

// List is what was found so far, a line each.
type List []string

// Add adds a line.
func (l *List) Add(format string, args ...any) {
	if len(*l) < most {
		*l = append(*l, fmt.Sprintf(format, args...))
	}
}
