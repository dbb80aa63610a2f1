package index

import (
	"errors"
	"reflect"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// What a store has of a document with fields, by hand.
func TestPackedFields(t *testing.T) {
	const packed = "\x03dpa\x00\x0a2024-06-03\x01\x02"
	d := Document{Number: 7, ID: "a", Sketch: []byte{1, 2}, Fields: []string{"dpa", "", "2024-06-03"}}
	got := pack(d)
	if string(got.Sketch) != packed || got.Fields != nil || got.ID != "a" || got.Number != 7 {
		t.Errorf("packed %+v, want the sketch %q", got, packed)
	}
	if back, err := unpack(got, 3); err != nil || !reflect.DeepEqual(back, d) {
		t.Errorf("unpacked %+v, %v, want %+v", back, err, d)
	}
	for _, bad := range []string{"", "\x03dpa\x00", "\x03dpa\x00\x0a2024", "\x03dpa\x00\x80", "\x03dpa\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"} {
		if _, err := unpack(Document{Sketch: []byte(bad)}, 3); !errors.Is(err, similarity.ErrFormat) {
			t.Errorf("%q: error %v, want one that wraps ErrFormat", bad, err)
		}
	}
}

// The version says whether there are fields: a program of before knows version 1 alone.
func TestVersionOfFields(t *testing.T) {
	for _, c := range []struct {
		version int
		fields  []string
		ok      bool
	}{{1, nil, true}, {2, []string{"a"}, true}, {2, nil, false}, {1, []string{"a"}, false}, {3, []string{"a"}, false}} {
		if err := (Header{Version: c.version, Fields: c.fields}).checkVersion(); (err == nil) != c.ok {
			t.Errorf("version %d with the fields %q: %v", c.version, c.fields, err)
		}
	}
}
