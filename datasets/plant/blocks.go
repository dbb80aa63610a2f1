package plant

import (
	"bytes"
	"strings"
	"sync"
)

// move moves k consecutive units of n past k or more others. It returns k, or 0
// if there is none to move. What stands between the units of a block, and behind
// its last one, moves too.
func (e *editor) move(n, k int) int {
	if k == 0 {
		return 0
	}
	// Two neighbouring blocks change places: from a to b, and from b to c.
	a := e.r.Below(n - 2*k + 1)
	c := a + 2*k + e.r.Below(n-2*k-a+1)
	b := a + k
	if e.r.Below(2) == 0 {
		b = c - k
	}
	at := e.starts(a, b, c)
	first, second, tail := e.text[at[0]:at[1]], e.text[at[1]:at[2]], e.text[at[2]:]
	e.out = append(e.out, e.text[:at[0]]...)
	if c == n {
		// What ends the text stays there: it is often a full stop or a line break.
		end := at[2] - len(gapBehind(e.lang, second))
		second, tail = e.text[at[1]:end], e.text[end:]
		between := gapBehind(e.lang, first)
		first = first[:len(first)-len(between)]
		second += between
	}
	for _, block := range []string{second, first, tail} {
		e.separate(block)
		e.out = append(e.out, block...)
	}
	return k
}

// starts returns where the units of three ascending numbers start; the number of
// all units stands for the end of the text.
func (e *editor) starts(numbers ...int) (at [3]int) {
	n, found := 0, 0
	for start := range e.lang.units(e.text) {
		for found < len(numbers) && numbers[found] == n {
			at[found] = start
			found++
		}
		if n++; found == len(numbers) {
			break
		}
	}
	for ; found < len(numbers); found++ {
		at[found] = len(e.text)
	}
	return at
}

// gapBehind returns what follows the last unit of a block.
func gapBehind(lang Lang, block string) string {
	last := 0
	for _, end := range lang.units(block) {
		last = end
	}
	return block[last:]
}

// truncate cuts k of n units off the end.
func (e *editor) truncate(n, k int) int {
	cut, left := 0, n-k
	for _, end := range e.lang.units(e.text) {
		if left--; left < 0 {
			break
		}
		cut = end
	}
	e.out = append(e.out, e.text[:cut]...)
	return k
}

// boilerplate puts k units of the notice before the text. It repeats the notice if
// k is more than it has.
func (e *editor) boilerplate(k int) int {
	n := notices(e.chinese)
	for left := k; left > 0; {
		take := min(left, len(n.ends))
		e.out = append(e.out, n.text[:n.ends[take-1]]...)
		if left -= take; left > 0 {
			e.out = append(e.out, '\n')
		}
	}
	e.out = append(e.out, '\n', '\n')
	e.out = append(e.out, e.text...)
	return k
}

// quote sets the text between k new units. They are drawn one by one: a passage
// of another document would make the copy like that one too.
func (e *editor) quote(k int) int {
	before := e.r.Below(k + 1)
	e.filler(before)
	open, closing := " \"", "\" "
	if e.chinese {
		open, closing = "“", "”"
	}
	if before == 0 {
		open = strings.TrimLeft(open, " ")
	}
	e.out = append(e.out, open...)
	e.out = append(e.out, strings.TrimSpace(e.text)...)
	e.out = append(e.out, closing...)
	e.filler(k - before)
	if before == k {
		e.out = bytes.TrimRight(e.out, " ")
	}
	return k
}

// filler writes n new units, in sentences.
func (e *editor) filler(n int) {
	for n > 0 {
		length := min(n, 5+e.r.Below(16))
		for i := range length {
			w := e.draw()
			if i > 0 && !e.chinese {
				e.out = append(e.out, ' ')
			}
			e.separate(w)
			e.out = append(e.out, w...)
		}
		if n -= length; e.chinese {
			e.out = append(e.out, "。"...)
		} else if e.out = append(e.out, '.'); n > 0 {
			e.out = append(e.out, ' ')
		}
	}
}

// notice is the text that Boilerplate puts before others.
type notice struct {
	text  string
	units []string
	ends  []int // of the units in the text
}

func newNotice(text string) notice {
	n := notice{text: text}
	for start, end := range Auto.units(text) {
		n.units = append(n.units, text[start:end])
		n.ends = append(n.ends, end)
	}
	return n
}

// notices returns the notice in English or in Chinese.
func notices(chinese bool) notice {
	if chinese {
		return chineseNotice()
	}
	return englishNotice()
}

var englishNotice = sync.OnceValue(func() notice {
	return newNotice(`Skip to main content. Home, News, Weather, Sports, Business, Opinion, Archive, Contact.
Sign in to comment or to follow this topic. Subscribe to our newsletter and read up to ten stories a month for free.
This site uses cookies to remember your settings and to count visits. By continuing you agree to our terms of use and privacy policy.
Share this page by mail, print it, or save it for later. Related stories appear below the text.
Copyright by the publisher and its partners. All rights reserved. No part of this material may be stored, published or passed on without written permission.
The views expressed here are those of the authors alone. Report an error, suggest a correction, or write to the editors.`)
})

var chineseNotice = sync.OnceValue(func() notice {
	return newNotice(`首页 新闻 天气 体育 财经 评论 专题 联系我们
登录后可以发表评论并关注本栏目。扫描二维码下载客户端，每天免费阅读十篇文章。
本网站使用缓存保存您的设置并统计访问次数，继续浏览即表示您同意用户协议和隐私政策。
分享本页，打印本页，收藏本页，推荐阅读见正文下方。
版权归本社及合作单位所有，未经书面许可，任何单位和个人不得转载、摘编、复制或者建立镜像。
文章只代表作者本人观点，与本网站立场无关。如发现差错，请与编辑部联系，我们将及时更正。`)
})
