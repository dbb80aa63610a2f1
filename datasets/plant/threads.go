package plant

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alike-go/alike/datasets"
)

// Threads makes the messages of mailing lists. Replies quote what they answer, in
// whole or in part, below, above or between their own words, and most authors
// sign. A share of the messages is sent twice: only such copies are alike. A
// thread is a function of the options and its number alone. Threads is safe for
// concurrent use.
type Threads struct {
	*Maker
	share float64
}

// NewThreads returns a maker of threads. The options say what the authors write:
// Mean is the mean number of words of a message, without quotes and signature,
// and a thread has one topic. Share is the probability for a message to be sent
// twice, from 0 to 1.
func NewThreads(o MakeOptions, share float64) (*Threads, error) {
	if !(share >= 0 && share <= 1) {
		return nil, fmt.Errorf("plant: the share of messages that are sent twice is %v, want 0 to 1", share)
	}
	m, err := NewMaker(o)
	if err != nil {
		return nil, err
	}
	return &Threads{m, share}, nil
}

// String returns all options in one line, for the README of what was made.
func (t *Threads) String() string { return fmt.Sprintf("%s share=%v", t.Maker, t.share) }

// Docs returns n messages and besides them the copies of those that are sent
// twice. A copy stands behind its original, in the same thread. The message with
// the id "t7.2" is the third one of thread 7. It never returns an error.
func (t *Threads) Docs(n uint64) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for thread := uint64(0); n > 0; thread++ {
			for _, d := range t.thread(thread, &n) {
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}

// longest is the number of messages of the longest thread.
const longest = 30

// thread returns the messages of a thread, at most left, and subtracts their number.
func (t *Threads) thread(number uint64, left *uint64) []Document {
	r := seeded(t.options.Seed, 't', number)
	c := t.newCorrespondence(&r)
	var messages []*message
	var docs []Document
	for i := 0; i == 0 || i < longest && r.Chance(0.8); i++ {
		if *left == 0 {
			break
		}
		*left--
		var parent *message
		if i > 0 {
			parent = messages[max(r.Below(i), r.Below(i))]
		}
		m := c.write(parent)
		m.id = fmt.Sprintf("t%d.%d", number, i)
		messages = append(messages, m)
		d := Document{Doc: datasets.Doc{ID: m.id, Text: c.send(m, 0, 72), Lang: string(t.options.Lang)}, Original: m.id}
		if parent != nil {
			d.Answers = parent.id
		}
		twice := r.Chance(t.share)
		if twice {
			d.Copies = 1
		}
		docs = append(docs, d)
		if twice {
			docs = append(docs, c.crossPost(d, m))
		}
	}
	return docs
}

// crossPost returns the copy of a message that is sent twice: one of four is equal.
func (c *correspondence) crossPost(d Document, m *message) Document {
	list, width := 1+c.r.Below(len(c.lists)-1), 72
	switch c.r.Below(4) {
	case 0:
		list = 0
	case 1:
		width = 60
	}
	units, _, _ := c.options.Lang.census(d.Text, nil)
	text := c.send(m, list, width)
	d.Record = Record{Units: units}
	if text != d.Text {
		changed, _, _ := c.options.Lang.census(c.lists[list]+c.footer(list), nil)
		d.Record.Touched = min(units, changed)
	}
	d.ID, d.Text, d.Copy, d.Edit = d.Original+"~1", text, 1, Edit{Kind: CrossPost}
	return d
}

// message is what somebody has written.
type message struct {
	id     string
	from   author
	date   time.Time
	reply  bool
	blocks []block // quotes and paragraphs
}

// block is a paragraph, or a part of a quote.
type block struct {
	text   string
	prefix string // of each line: ">" for every level of quoting and a blank
	fixed  bool   // attribution lines and signatures are not wrapped
}

type author struct{ name, address, signature string }

// signed begins a signature.
const signed = "-- \n"

// phrases are what mail programs add in a language.
type phrases struct {
	header  string // list, author, address, date, subject
	reply   string // before a subject
	written []string
	lists   []string
	footers []string
	first   []string
	last    []string
	space   string
	layout  string // of dates
}

var english = phrases{
	header:  "List: %s\nFrom: %s <%s>\nDate: %s\nSubject: %s\n\n",
	reply:   "Re: ",
	written: []string{"On %[3]s, %[1]s wrote:", "%[1]s <%[2]s> writes:", "-----Original Message-----\nFrom: %[1]s\nSent: %[3]s"},
	lists:   []string{"users", "developers", "announcements", "off-topic"},
	footers: []string{"", "_____\nYou receive this because you read %s.\n", "--\nTo leave %s, send a message without text.\n"},
	first:   strings.Fields("Anna Ben Clara David Emma Frank Grace Henry Irene Jack Karen Leo Maria Nick Olga Paul"),
	last:    strings.Fields("Adams Brown Carter Davis Evans Fisher Green Hughes Irving Jones King Lewis Moore Nelson Owen Parker"),
	space:   " ",
	layout:  "2 Jan 2006 15:04",
}

var chinese = phrases{
	header:  "邮件列表：%s\n发件人：%s <%s>\n日期：%s\n主题：%s\n\n",
	reply:   "回复：",
	written: []string{"在 %[3]s，%[1]s 写道：", "%[1]s <%[2]s> 于 %[3]s 写道：", "-----原始邮件-----\n发件人：%[1]s\n发送时间：%[3]s"},
	lists:   []string{"用户", "开发者", "公告", "闲谈"},
	footers: []string{"", "_____\n您收到此邮件是因为您订阅了%s。\n", "--\n退订%s请发送空白邮件。\n"},
	first:   strings.Fields("伟 芳 娜 敏 静 强 磊 洋 艳 勇 军 杰 娟 涛 明 霞"),
	last:    strings.Fields("王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 高 林"),
	layout:  "2006年1月2日 15:04",
}

// correspondence writes the messages of one thread.
type correspondence struct {
	*Threads
	phrases
	r       *Rand
	topic   int
	subject string
	date    time.Time
}

func (t *Threads) newCorrespondence(r *Rand) *correspondence {
	c := &correspondence{Threads: t, phrases: english, r: r, topic: t.turn(r)}
	if t.options.Lang == Chinese {
		c.phrases = chinese
	}
	c.subject = strings.TrimRight(c.words(3+r.Below(5)), ".。")
	c.date = time.Date(2024, 1, 1, 0, r.Below(366*24*60), 0, 0, time.UTC)
	return c
}

// words returns sentences of n words.
func (c *correspondence) words(n int) string {
	return string(c.sentences(nil, c.r, n, c.topic))
}

// author returns one of 256 authors. One of four does not sign.
func (c *correspondence) author(number int) author {
	r := seeded('a', uint64(number))
	first, last := c.first[number%len(c.first)], c.last[number/len(c.first)]
	a := author{address: fmt.Sprintf("a%d@example.org", number)}
	if a.name = first + c.space + last; c.space == "" {
		a.name = last + first
	}
	if r.Below(4) > 0 {
		a.signature = signed + a.name + "\n" + string(c.sentences(nil, &r, 2+r.Below(20), -1)) + "\n+00 " + strconv.Itoa(1e6+r.Below(9e6))
	}
	return a
}

// write writes an answer to a message, or to none. Top-posters quote the whole of
// it below their words. Others quote above or between their words, at times only
// a part, and leave signatures out.
func (c *correspondence) write(parent *message) *message {
	c.date = c.date.Add(time.Duration(1+c.r.Below(2000)) * time.Minute)
	m := &message{from: c.author(c.r.Below(len(c.first) * len(c.last))), date: c.date, reply: parent != nil}
	var own []block
	for n := c.length.draw(c.r); n > 0; {
		words := min(n, 20+c.r.Below(60))
		n -= words
		own = append(own, block{text: c.words(words)})
	}
	signature := block{text: m.from.signature, fixed: true}
	if parent == nil {
		m.blocks = append(own, signature)
		return m
	}
	form, prefix := c.r.Below(len(c.written)), "> "
	if form == 2 {
		prefix = "" // as mail programs of offices do
	}
	attribution := block{text: fmt.Sprintf(c.written[form], parent.from.name, parent.from.address, parent.date.Format(c.layout)), fixed: true}
	style := c.r.Below(5)
	top := style < 2 || prefix == ""
	var quote []block
	for _, b := range parent.blocks {
		if b.text == "" || !top && strings.HasPrefix(b.text, signed) {
			continue
		}
		if b.prefix == "" {
			b.prefix = prefix
		} else {
			b.prefix = strings.TrimRight(prefix, " ") + b.prefix
		}
		quote = append(quote, b)
	}
	switch {
	case top:
		m.blocks = append(append(own, signature, attribution), quote...)
		return m
	case style == 2: // a part
		from := c.r.Below(len(quote))
		quote = quote[from : from+1+c.r.Below(len(quote)-from)]
	case style == 3: // between
		m.blocks = append(m.blocks, attribution)
		for i := range max(len(own), len(quote)) {
			if i < len(quote) {
				m.blocks = append(m.blocks, quote[i])
			}
			if i < len(own) {
				m.blocks = append(m.blocks, own[i])
			}
		}
		m.blocks = append(m.blocks, signature)
		return m
	}
	m.blocks = append(append(append(append(m.blocks, attribution), quote...), own...), signature)
	return m
}

// footer returns what a list adds to its messages.
func (c *correspondence) footer(list int) string {
	if f := c.footers[list%len(c.footers)]; f != "" {
		return fmt.Sprintf(f, c.lists[list])
	}
	return ""
}

// send returns the text of a message to a list, in lines of about width columns.
func (c *correspondence) send(m *message, list, width int) string {
	subject := c.subject
	if m.reply {
		subject = c.reply + subject
	}
	out := fmt.Appendf(nil, c.header, c.lists[list], m.from.name, m.from.address, m.date.Format(c.layout), subject)
	for _, b := range m.blocks {
		if b.text == "" {
			continue
		}
		for line := range strings.SplitSeq(b.text, "\n") {
			for {
				end := len(line)
				if !b.fixed {
					end = c.lineEnd(line, width)
				}
				out = append(append(append(out, b.prefix...), strings.TrimRight(line[:end], " ")...), '\n')
				if line = strings.TrimLeft(line[end:], " "); line == "" {
					break
				}
			}
		}
		out = append(out, '\n')
	}
	return string(append(out, c.footer(list)...))
}

// lineEnd returns where to break a line: at the last blank within the width or,
// in Chinese, at half as many characters.
func (c *correspondence) lineEnd(line string, width int) int {
	if len(line) <= width {
		return len(line)
	}
	if c.space != "" {
		if at := strings.LastIndexByte(line[:width], ' '); at > 0 {
			return at
		}
		return len(line)
	}
	at := 0
	for i := 0; i < width/2 && at < len(line); i++ {
		_, size := utf8.DecodeRuneInString(line[at:])
		at += size
	}
	return at
}
