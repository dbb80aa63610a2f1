package catalog

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/alike-go/alike/external"
	"github.com/alike-go/alike/similarity"
)

// Exec is the name of the method that a command carries out; its spec is "exec:COMMAND".
// It is not among Names, since it means nothing without a command, and it is nobody's
// default. Parsing a spec starts nothing, but using the method runs the command: a spec from
// a source that is not trusted must not be parsed.
const Exec = "exec"

// commands is the entry of Exec.
var commands = define(Entry{
	Name:     Exec,
	Summary:  "what a command answers in lines of JSON: minhash values, a set, a simhash code, a vector, or scores (see package external)",
	When:     "to hold a library of another language against these methods: exec:python3 method.py",
	Reads:    "the text as it is",
	OnDemand: true,
}, func(o external.Options) (similarity.Method, error) { return external.New(o) }, []key[external.Options]{
	{Key{Name: "command", Default: "-", Allowed: "a command line of the shell", Doc: "what runs; exec:COMMAND says the same, commas and all"},
		func(o *external.Options, v string) error { o.Command = v; return nil }},
	{Key{Name: "timeout", Default: external.DefaultTimeout.String(), Allowed: "a duration such as 90s or 10m", Doc: "how long the process may be silent while it owes an answer"},
		func(o *external.Options, v string) (err error) {
			if o.Timeout, err = time.ParseDuration(v); err != nil || o.Timeout <= 0 {
				return fmt.Errorf("want a duration such as 90s or 10m")
			}
			return nil
		}},
})

// execSettings reads what stands behind "exec:". What begins with a key is keys, anything
// else the command, as it is.
func execSettings(rest string) ([]setting, error) {
	for _, k := range external.Keys {
		if strings.HasPrefix(rest, k+"=") {
			return settings(rest)
		}
	}
	return []setting{{"command", rest}}, nil
}

// quoted returns a value as it stands in a spec.
func quoted(value string) string {
	if strings.ContainsAny(value, `,"`) {
		return strconv.Quote(value)
	}
	return value
}
