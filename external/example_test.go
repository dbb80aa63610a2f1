//go:build linux

package external_test

import (
	"fmt"

	"github.com/alike-go/alike/external"
)

// A method of an editor of lines: what has a cat in it is alike, the rest has no features.
func Example() {
	const command = `echo '{"alike": 1, "name": "cats", "kind": "set"}'; ` +
		`sed -u -e 's/{"id":\("[0-9]*"\).*cat.*/{"id":\1,"sketch":[1]}/;t' -e 's/{"id":\("[0-9]*"\).*/{"id":\1,"sketch":null}/'`
	m, err := external.New(external.Options{Command: command})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()
	c := m.NewCollection()
	for _, text := range []string{"the cat sat", "a cat", "a dog"} {
		c.Add(text)
	}
	fmt.Println(c.Score(0, 1), c.Empty(2), c.Err())
	// Output: 1 true <nil>
}
