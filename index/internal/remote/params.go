package remote

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// Take moves the parameters that fields name to where they point: a *string, *int, *bool, *time.Duration, or a
// func(string) error that reads the value itself. Others stay. Of a parameter that is given more than once the
// first value counts. Where several are wrong, the error is of the first by name.
func Take(query url.Values, fields map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !query.Has(name) {
			continue
		}
		v := query.Get(name)
		var err error
		switch f := fields[name].(type) {
		case *string:
			*f = v
		case *int:
			*f, err = strconv.Atoi(v)
		case *bool:
			*f, err = strconv.ParseBool(v)
		case *time.Duration:
			*f, err = time.ParseDuration(v)
		case func(string) error:
			err = f(v)
		default:
			panic(fmt.Sprintf("remote: field %s is a %T", name, f))
		}
		if err != nil {
			return fmt.Errorf("parameter %s is %q: %w", name, v, err)
		}
		query.Del(name)
	}
	return nil
}
