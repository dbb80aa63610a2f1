package rabinkarp

import (
	"fmt"
	"strings"

	"github.com/alike-go/alike/feature"
)

// foldSpec returns the settings of a fold that differ from the default.
func foldSpec(f feature.Fold) string {
	var p []string
	switch f.Form {
	case feature.NFC:
		p = append(p, "norm=nfc")
	case feature.NoForm:
		p = append(p, "norm=none")
	}
	if f.KeepCase {
		p = append(p, "case=keep")
	}
	if f.DropMarks {
		p = append(p, "marks=drop")
	}
	if f.DropPunct {
		p = append(p, "punct=drop")
	}
	switch f.Space {
	case feature.KeepSpace:
		p = append(p, "space=keep")
	case feature.DropSpace:
		p = append(p, "space=drop")
	}
	return strings.Join(p, ",")
}

func foldSettings(f feature.Fold) string { return fmt.Sprintf("fold=%+v", f) }
