package datasets

import "errors"

// skipper counts the bad rows that are passed over.
type skipper struct {
	max, skipped int
	on           func(error)
}

// pass reports whether err is that of a bad row and may be passed over.
func (s *skipper) pass(err error) bool {
	if _, bad := errors.AsType[*BadRow](err); !bad || s == nil || s.skipped >= s.max {
		return false
	}
	s.skipped++
	if s.on != nil {
		s.on(err)
	}
	return true
}
