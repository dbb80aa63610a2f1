package similarity_test

import (
	"fmt"

	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// Code that treats methods alike holds them as Method values.
func ExampleHide() {
	set, err := shingle.New(shingle.Options{})
	if err != nil {
		panic(err)
	}
	bits, err := simhash.New(simhash.Options{Bits: 128})
	if err != nil {
		panic(err)
	}
	for _, m := range []similarity.Method{similarity.Hide(set), similarity.Hide(bits)} {
		c := m.NewCollection()
		c.Add("the cat sat on the mat")
		c.Add("the cat sat on the mat")
		fmt.Println(m, c.Score(0, 1), c.Bytes(0), "bytes")
	}
	// Output:
	// shingle 1 40 bytes
	// simhash:bits=128 1 16 bytes
}
