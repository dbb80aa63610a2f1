package plant

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Apply returns the text with the edit done to it, and what was done. The result
// is a function of the arguments alone, the state of r among them.
//
// New units are drawn from words, each as likely as another, so that words with
// repetitions have the frequencies of the text they come from; where there are no
// words they are those of a built-in notice. A unit or a mark that is touched may
// be anywhere in the text, each place as likely as another. The number of units
// touched is the rate times the units, rounded up or down so that the mean is
// right, but at least one: a copy differs from its original also where the text
// is short. Exceptions, which Record tells: Substitute may fail to draw another
// unit; Move and Truncate leave a text of one unit, and Truncate leaves the first
// unit of any; Case and Width find nothing to change in some texts. A text
// without units stays as it is.
//
// Blanks are kept in order: a deleted word takes one with it, and two words never
// run together. A text in valid UTF-8 stays so; other bytes are passed on. Apply
// panics if the edit is none that ParseEdit would return.
func Apply(r *Rand, edit Edit, text string, words []string, lang Lang) (string, Record) {
	if err := edit.check(); err != nil {
		panic(err.Error())
	}
	e := editor{lang: lang}
	return e.apply(r, edit, text, words)
}

// editor applies edits one after another in the same memory.
type editor struct {
	lang    Lang
	r       *Rand
	text    string
	words   []string
	chinese bool

	out     []byte
	dirty   bool // what was written last is not what the text has there
	dropped bool // the unit before the gap was deleted
	marked  bool // the gap is to get another mark
}

func (e *editor) apply(r *Rand, edit Edit, text string, words []string) (string, Record) {
	var fits func(string) bool
	switch edit.Kind {
	case Case:
		fits = hasCase
	case OCR:
		fits = confusable
	}
	units, fit, chinese := e.lang.census(text, fits)
	if units == 0 {
		return text, Record{}
	}
	if len(words) == 0 {
		words = notices(chinese).units
	}
	*e = editor{lang: e.lang, r: r, text: text, words: words, chinese: chinese, out: e.out[:0]}
	rec := Record{Units: units}
	n := func(most int) int { return r.count(units, edit.Rate, 1, most) }
	switch edit.Kind {
	case Insert:
		rec.Touched = e.rewrite(nil, picker{}, picker{units, n(units)}, e.insert)
	case Delete:
		rec.Touched = e.rewrite(nil, picker{}, picker{units, n(units)}, e.drop)
	case Substitute:
		rec.Touched = e.rewrite(nil, picker{}, picker{units, n(units)}, e.substitute)
	case Mixed:
		rec.Touched = e.rewrite(nil, picker{}, picker{units, n(units)}, e.mixed)
	case Punct:
		rec.Touched = e.rewrite(nil, picker{}, picker{units, n(units)}, e.mark)
	case OCR:
		k := n(units)
		rec.Touched = e.rewrite(confusable, picker{fit, min(k, fit)}, picker{units - fit, max(0, k-fit)}, e.misread)
	case Case:
		rec.Units = fit
		rec.Touched = e.rewrite(hasCase, picker{fit, r.count(fit, edit.Rate, 1, fit)}, picker{}, e.recase)
	case Width:
		rec = e.width(edit.Rate)
	case Move:
		rec.Touched = e.move(units, n(units/2))
	case Truncate:
		rec.Touched = e.truncate(units, n(units-1))
	case Boilerplate:
		rec.Touched = e.boilerplate(n(maxAdded))
	case Quote:
		rec.Touched = e.quote(n(maxAdded))
	}
	out := string(e.out)
	if rec.Touched == 0 || out == text { // as when a block moves among its like
		return text, Record{Units: rec.Units}
	}
	return out, rec
}

// maxAdded bounds the units that an edit adds: a rate of 100 of a long text would
// be a document larger than memory.
const maxAdded = 1 << 24

// rewrite copies the text and calls change in the place of the units that are
// picked: those that fit by the picker some, the others by the picker rest; with
// a nil fits every unit is one of the rest. It returns how often change reports
// that it did change something.
func (e *editor) rewrite(fits func(string) bool, some, rest picker, change func(unit string) bool) (touched int) {
	last := 0
	for start, end := range e.lang.units(e.text) {
		e.gap(e.text[last:start], false)
		unit := e.text[start:end]
		p := &rest
		if fits != nil && fits(unit) {
			p = &some
		}
		if p.take(e.r) {
			if change(unit) {
				touched++
			}
		} else {
			e.put(unit)
		}
		last = end
	}
	e.gap(e.text[last:], true)
	return touched
}

// put writes a unit, behind a blank if it would run into what was written last.
func (e *editor) put(unit string) {
	if e.dirty {
		e.separate(unit)
		e.dirty = false
	}
	e.out = append(e.out, unit...)
}

// putNew writes a unit that the text does not have in this place.
func (e *editor) putNew(unit string) {
	e.separate(unit)
	e.out = append(e.out, unit...)
	e.dirty = true
}

func (e *editor) separate(next string) {
	if len(e.out) > 0 && e.lang.glue(e.out, next) {
		e.out = append(e.out, ' ')
	}
}

// gap writes what stands between two units.
func (e *editor) gap(gap string, last bool) {
	if e.dropped {
		e.dropped = false
		switch n := len(e.out); {
		case gap == "" && !last:
		case n > 0 && e.out[n-1] == ' ':
			e.out = e.out[:n-1]
		case n == 0 || e.out[n-1] == '\n':
			gap = strings.TrimPrefix(gap, " ")
		}
	}
	if e.marked {
		e.marked = false
		gap = e.remark(gap)
	}
	e.out = append(e.out, gap...)
}

// draw returns a random one of the words.
func (e *editor) draw() string { return e.words[e.r.Below(len(e.words))] }

func (e *editor) insert(unit string) bool {
	e.putNew(e.draw())
	if c, _ := utf8.DecodeRuneInString(unit); e.lang.class(c) == joined {
		e.out = append(e.out, ' ')
	}
	e.put(unit)
	return true
}

func (e *editor) drop(string) bool {
	e.dropped, e.dirty = true, true
	return true
}

func (e *editor) substitute(unit string) bool {
	for range 8 {
		if w := e.draw(); w != unit {
			e.putNew(w)
			return true
		}
	}
	e.put(unit)
	return false
}

func (e *editor) mixed(unit string) bool {
	switch e.r.Below(4) {
	case 0:
		return e.drop(unit)
	case 1:
		return e.insert(unit)
	}
	return e.substitute(unit)
}

func (e *editor) mark(unit string) bool {
	e.put(unit)
	e.marked = true
	return true
}

// The marks that Punct chooses from.
var (
	latinMarks   = []string{",", ".", ";", ":", "!", "?"}
	chineseMarks = []string{"，", "。", "；", "：", "！", "？", "、"}
)

// remark returns the gap with a mark more, or without the one it begins with, or
// with another in its place.
func (e *editor) remark(gap string) string {
	marks := latinMarks
	if e.chinese {
		marks = chineseMarks
	}
	c, size := utf8.DecodeRuneInString(gap)
	if !unicode.IsPunct(c) {
		return marks[e.r.Below(len(marks))] + gap
	}
	e.dirty = true
	if e.r.Below(2) == 0 {
		return gap[size:]
	}
	i := e.r.Below(len(marks))
	if marks[i] == gap[:size] {
		i = (i + 1) % len(marks)
	}
	return marks[i] + gap[size:]
}
