//go:build unix

package external

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zeebo/xxh3"
)

// The test binary itself is the command: with this variable set it behaves as its value says.
const helperEnv = "ALIKE_TEST_EXTERNAL"

// With this one it is a program that runs the command which it holds.
const parentEnv = "ALIKE_TEST_EXTERNAL_PARENT"

// With this one it does not call Supervise.
const plainEnv = "ALIKE_TEST_EXTERNAL_PLAIN"

// parent runs a command until somebody ends it. It has no handler for any
// signal.
func parent(command string) {
	m, err := New(Options{Command: command})
	if err == nil {
		_, err = m.process()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ready")
	select {}
}

func TestMain(m *testing.M) {
	if os.Getenv(plainEnv) == "" {
		Supervise()
	}
	if command := os.Getenv(parentEnv); command != "" {
		parent(command)
	}
	if mode := os.Getenv(helperEnv); mode != "" {
		helper(mode)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// command returns the command line of a helper.
func command(mode string) string {
	return helperEnv + "=" + mode + " " + os.Args[0] + " -test.run=^$"
}

// open returns a method of a helper, closed when the test ends.
func open(t testing.TB, mode string, timeout time.Duration) *Method {
	t.Helper()
	m, err := New(Options{Command: command(mode), Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// line is any line that a helper reads.
type line struct {
	ID    string      `json:"id"`
	Text  *string     `json:"text"`
	Score [][2]string `json:"score"`
	Flush bool        `json:"flush"`
}

// words are the features of the helpers.
func words(text string) []string { return strings.Fields(strings.ToLower(text)) }

// sketchers answer a text by kind.
var sketchers = map[string]struct {
	hello  string
	sketch func(words []string) any
}{
	"set": {`"kind":"set"`, func(words []string) any {
		var out []uint64
		for _, w := range words {
			out = append(out, xxh3.HashString(w))
		}
		return out
	}},
	"minhash": {`"kind":"minhash","size":16,"bits":32`, func(words []string) any {
		if len(words) == 0 {
			return nil
		}
		out := make([]uint64, 16)
		for i := range out {
			out[i] = 1<<32 - 1
			for _, w := range words {
				out[i] = min(out[i], xxh3.HashStringSeed(w, uint64(i))>>32)
			}
		}
		return out
	}},
	"simhash": {`"kind":"simhash","size":64`, func(words []string) any {
		if len(words) == 0 {
			return nil
		}
		return fmt.Sprintf("%016x", xxh3.HashString(words[0]))
	}},
	"packed": {`"kind":"set","bits":64,"flush":true`, func(words []string) any {
		var data []byte
		for _, w := range words {
			data = pack(data, []uint64{xxh3.HashString(w)}, 64)
		}
		return base64.StdEncoding.EncodeToString(data)
	}},
	"dense": {`"kind":"vector","size":8`, func(words []string) any {
		out := make([]float64, 8)
		for _, w := range words {
			out[xxh3.HashString(w)%8] += 0.1
		}
		return out
	}},
	"sparse": {`"kind":"vector","bits":64`, func(words []string) any {
		count := map[uint64]float64{}
		for _, w := range words {
			count[xxh3.HashString(w)>>32] += 0.1
		}
		indices, values := []uint64{}, []float64{}
		for k, v := range count {
			indices, values = append(indices, k), append(values, v)
		}
		return map[string]any{"indices": indices, "values": values}
	}},
}

func helper(mode string) {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...); out.Flush() }
	kept := map[string]map[string]bool{}
	first := `"kind":"set"`
	if s, ok := sketchers[mode]; ok {
		first = s.hello
	} else if strings.HasPrefix(mode, "score") {
		first = `"kind":"scores"`
	}
	switch mode {
	case "hello-none":
		os.Exit(3)
	case "hello-garbage":
		say("Loading model...")
	case "hello-version":
		say(`{"alike":7,"name":"x","kind":"set"}`)
	case "hello-kind":
		say(`{"alike":1,"name":"x","kind":"embedding"}`)
	case "hello-hang":
		time.Sleep(time.Hour)
	default:
		say(`{"alike":1,"name":"helper","version":"1",%s}`, first)
	}
	if mode == "stubborn" { // does not end when its input does, and leaves a child behind
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM)
		child := exec.Command("sleep", "3600")
		child.Start()
		say(`{"id":"0","child":%d}`, child.Process.Pid)
	}
	var held []line
	seen := 0
	for {
		read, err := in.ReadBytes('\n')
		if err != nil {
			if mode == "stubborn" {
				time.Sleep(time.Hour)
			}
			return
		}
		var q line
		if err := json.Unmarshal(read, &q); err != nil {
			panic(err)
		}
		switch {
		case q.Text != nil:
			seen++
		case q.Score != nil:
			var scores []string
			for _, p := range q.Score {
				a, b := kept[p[0]], kept[p[1]]
				both := 0
				for w := range a {
					if b[w] {
						both++
					}
				}
				scores = append(scores, fmt.Sprint(float64(both)/float64(len(a)+len(b)-both)))
			}
			switch mode {
			case "score-nan":
				scores[0] = "NaN"
			case "score-high":
				scores[0] = "1.5"
			case "score-few":
				scores = scores[1:]
			case "score-asymmetric":
				scores[len(scores)-1] = "0.987"
			case "score-self":
				for i, p := range q.Score {
					if fmt.Sprint(kept[p[0]]) == fmt.Sprint(kept[p[1]]) {
						scores[i] = "0.5"
					}
				}
			case "score-crash":
				os.Exit(4)
			}
			say(`{"scores":[%s]}`, strings.Join(scores, ","))
			continue
		}
		bad := seen == 40 // the document at which things go wrong
		switch {
		case mode == "packed":
			// Answers when a batch ends, as a model on an accelerator would.
			if q.Text != nil {
				held = append(held, q)
			}
			if q.Flush {
				for _, h := range held {
					data, _ := json.Marshal(sketchers[mode].sketch(words(*h.Text)))
					fmt.Fprintf(out, "{\"id\":%q,\"sketch\":%s}\n", h.ID, data)
				}
				held = nil
				out.Flush()
			}
			continue
		case strings.HasPrefix(mode, "score"):
			set := map[string]bool{}
			for _, w := range words(*q.Text) {
				set[w] = true
			}
			kept[q.ID] = set
			say(`{"id":%q,"bytes":%d,"empty":%t}`, q.ID, 8*len(set), len(set) == 0)
			continue
		case mode == "crash" && bad:
			fmt.Fprintln(os.Stderr, "Traceback: the model has no more memory")
			os.Exit(1)
		case mode == "hang" && bad:
			time.Sleep(time.Hour)
		case mode == "deaf" && bad: // neither reads nor answers, with its pipe full
			for range 1 << 20 {
				time.Sleep(time.Hour)
			}
		case mode == "garbage" && bad:
			say("DeprecationWarning: do not do that")
			continue
		case mode == "null" && bad:
			say("null")
			continue
		case mode == "few" && bad:
			continue
		case mode == "wide" && bad:
			say(`{"id":%q,"sketch":[18446744073709551616]}`, q.ID)
			continue
		case mode == "refuse" && bad:
			say(`{"id":%q,"error":"no such language"}`, q.ID)
			continue
		case mode == "half" && bad:
			fmt.Fprintf(out, `{"id":%q,"ske`, q.ID)
			out.Flush()
			return
		}
		s, ok := sketchers[mode]
		if !ok {
			s = sketchers["set"]
		}
		data, _ := json.Marshal(s.sketch(words(*q.Text)))
		say(`{"id":%q,"sketch":%s}`, q.ID, data)
	}
}
