package memory_test

import (
	"testing"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/index/memory"
)

func TestSuite(t *testing.T) {
	indextest.Run(t, indextest.Backend{
		Open:     func(*testing.T, string) index.Store { return memory.New() },
		Volatile: true,
	})
}
