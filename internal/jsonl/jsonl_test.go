package jsonl

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

type record struct {
	Name  string
	Value int
}

func TestRecords(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new", "records.jsonl")
	if got, err := Read[record](name); got != nil || err != nil {
		t.Fatalf("of no file: %v, %v", got, err)
	}
	want := []record{{"a", 1}, {"<b>", 2}}
	for range 2 {
		if err := Write(name, want); err != nil {
			t.Fatal(err)
		}
		if got, err := Read[record](name); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, %v, want %v", got, err, want)
		}
	}
	if b, err := os.ReadFile(name); err != nil || strings.Count(string(b), "\n") != 2 {
		t.Errorf("%q, %v, want two lines", b, err)
	}
	if err := os.WriteFile(name, []byte("{\"Name\":\"a\"}\n{\"Name\":"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read[record](name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("of half a record: %v, want an error that names the file", err)
	}
}
