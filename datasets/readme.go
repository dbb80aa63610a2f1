package datasets

import (
	"io/fs"
	"strings"
)

// readReadme returns the first paragraph of the folder's README.md and its list
// item "licence:", both as single lines; they are empty where there is none. A
// README is for people: nothing in it is an error.
func readReadme(dir fs.FS) (description, licence string) {
	b, err := fs.ReadFile(dir, "README.md")
	if err != nil {
		return "", ""
	}
	var inLicence bool
	var first, item []string
	started, done := false, false
	for line := range strings.Lines(strings.ToValidUTF8(string(b), "\uFFFD")) {
		text := strings.TrimSpace(line)
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
			done = started
			inLicence = false
		case strings.HasPrefix(line, "- "):
			done = true
			var rest string
			if rest, inLicence = strings.CutPrefix(text, "- licence:"); inLicence && item == nil {
				item = append(item, strings.TrimSpace(rest))
			} else {
				inLicence = false
			}
		case inLicence:
			item = append(item, text)
		case !done:
			started = true
			first = append(first, text)
		}
	}
	return strings.Join(first, " "), strings.Join(item, " ")
}
