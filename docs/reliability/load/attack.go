// Package load puts load on an index for the tests and benchmarks of its backends
// on servers: attacks by several processes, traffic during which a server dies, and
// documents and queries to measure. A test that has one process belongs in
// index/indextest.
package load

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
)

// The environment of attacks.
const (
	attackTime = "ALIKE_ATTACK"      // how long one takes, such as 60s; without it their tests skip
	attackSeed = "ALIKE_ATTACK_SEED" // 1 unless given
	attackTask = "ALIKE_ATTACK_TASK" // of a process that an attack has started
)

// Attack is traffic from several processes, while a test kills and stops servers
// and the processes themselves. The index must have what was acknowledged, and be
// sound all the time.
type Attack struct {
	Rand *rand.Rand // for the goroutine of the test

	t      *testing.T
	seed   uint64
	until  time.Time
	url    string
	open   OpenURL
	adders []*attacker
	all    []*attacker
	wg     sync.WaitGroup // of the goroutines that listen to attackers

	mu     sync.Mutex
	docs   map[string][]int // by id, the texts that the document may have, or noText
	counts map[string]int
}

// OpenURL opens the store of a URL.
type OpenURL func(ctx context.Context, url string) (index.Store, error)

// noText stands for a document that is not there.
const noText = -1

// attacker is a process of an attack.
type attacker struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	killed atomic.Bool // by the attack
	ended  chan struct{}
}

func (p *attacker) kill() {
	p.killed.Store(true)
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// attackerTask is what a process does. Its role is add, merge or verify.
type attackerTask struct {
	URL, Role, Name string
	Number          int // of the process
	Seed            uint64
}

// attackEvent is a line that a process prints.
type attackEvent struct {
	Kind  string         // begin or end of an operation, broken, or what to count
	Texts map[string]int `json:",omitempty"` // by id, the text that the operation gives the document
	Note  string         `json:",omitempty"` // what is broken
}

// AttackTime returns how long an attack takes. It skips the test unless attacks
// are asked for.
func AttackTime(t *testing.T) time.Duration {
	t.Helper()
	v := os.Getenv(attackTime)
	if v == "" {
		t.Skipf("an attack: only with %s=60s", attackTime)
	}
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 {
		t.Fatalf("%s is %q, want a time such as 60s", attackTime, v)
	}
	return d
}

// StartAttack starts three processes that add, replace, delete and query
// documents, one that merges, and one that verifies.
func StartAttack(t *testing.T, url string, open OpenURL) *Attack {
	t.Helper()
	seed := uint64(1)
	if v := os.Getenv(attackSeed); v != "" {
		var err error
		if seed, err = strconv.ParseUint(v, 10, 64); err != nil {
			t.Fatalf("%s: %v", attackSeed, err)
		}
	}
	a := &Attack{
		Rand: rand.New(rand.NewPCG(seed, 0)), t: t, seed: seed, until: time.Now().Add(AttackTime(t)), url: url, open: open,
		docs: map[string][]int{}, counts: map[string]int{},
	}
	x, err := attackIndex(t.Context(), url, open)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, p := range a.all {
			p.kill()
		}
		a.wg.Wait()
	})
	for range 3 {
		a.adders = append(a.adders, a.start("add"))
	}
	a.start("merge")
	a.start("verify")
	return a
}

// start starts a process and reads its events.
func (a *Attack) start(role string) *attacker {
	a.t.Helper()
	self, err := os.Executable()
	if err != nil {
		a.t.Fatal(err)
	}
	n := len(a.all)
	task, err := json.Marshal(attackerTask{a.url, role, fmt.Sprint(role, "-", n), n, a.seed})
	if err != nil {
		a.t.Fatal(err)
	}
	p := &attacker{cmd: exec.Command(self), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), attackTask+"="+string(task))
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		a.t.Fatal(err)
	}
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		a.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
	a.all = append(a.all, p)
	a.wg.Go(func() {
		defer close(p.ended)
		for d := json.NewDecoder(bufio.NewReader(out)); ; {
			var e attackEvent
			if d.Decode(&e) != nil {
				break // it has ended, perhaps in the middle of a line
			}
			a.hear(role, e)
		}
		if err := p.cmd.Wait(); err != nil && !p.killed.Load() {
			a.t.Errorf("seed %d, %s: %v", a.seed, role, err)
		}
	})
	return p
}

// hear takes an event of a process.
func (a *Attack) hear(role string, e attackEvent) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch e.Kind {
	case "begin":
		for id, text := range e.Texts {
			if a.docs[id] == nil {
				a.docs[id] = []int{noText}
			}
			a.docs[id] = append(a.docs[id], text)
		}
	case "end":
		for id, text := range e.Texts {
			a.docs[id] = []int{text}
		}
		a.counts["acknowledged"] += len(e.Texts)
	case "broken":
		a.t.Errorf("seed %d, %s: %s", a.seed, role, e.Note)
	default:
		a.counts[e.Kind]++
	}
}

// Wait waits for a random time of at most d.
func (a *Attack) Wait(d time.Duration) { time.Sleep(time.Duration(a.Rand.Int64N(int64(d)))) }

// Goes reports whether the attack goes on: there is time left, and nothing is
// broken.
func (a *Attack) Goes() bool { return time.Now().Before(a.until) && !a.t.Failed() }

// Count counts what was done to a server, such as "killed".
func (a *Attack) Count(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts[what]++
}

// KillAdder kills one of the processes that add, and starts another.
func (a *Attack) KillAdder() {
	a.t.Helper()
	p := &a.adders[a.Rand.IntN(len(a.adders))]
	(*p).kill()
	*p = a.start("add")
	a.Count("killed")
}

// Check ends the traffic and compares the index with what was acknowledged. All
// servers must run again.
func (a *Attack) Check() {
	a.t.Helper()
	for _, p := range a.all {
		_ = p.stdin.Close()
	}
	for _, p := range a.all {
		select {
		case <-p.ended:
		case <-time.After(5 * time.Minute):
			a.t.Fatal("a process does not end")
		}
	}
	x, err := attackIndex(a.t.Context(), a.url, a.open)
	if err != nil {
		a.t.Fatal(err)
	}
	defer x.Close()
	if err := x.Merge(a.t.Context()); err != nil {
		a.t.Errorf("merge: %v", err)
	}
	there := a.checkDocuments(x)
	v, err := x.Verify(a.t.Context())
	if err != nil || len(v.Problems) > 0 || v.Documents != int64(there) {
		a.t.Errorf("verify: %+v, %v, want %d documents and nothing wrong", v, err, there)
	}
	var counts []string
	for _, what := range slices.Sorted(maps.Keys(a.counts)) {
		counts = append(counts, fmt.Sprint(a.counts[what], " ", what))
	}
	// docs/reliability reads "killed N times" from this line.
	a.t.Logf("seed %d, killed %d times: %s, %d documents in the end", a.seed, a.counts["killed"], strings.Join(counts, ", "), there)
}

// checkDocuments checks every document by its id and by its text, and returns
// how many there are.
func (a *Attack) checkDocuments(x *index.Index) (there int) {
	ctx := a.t.Context()
	shared := map[int][]string{} // by text, the ids that have it
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(a.docs)), 256) {
		numbers, err := x.Store().Find(ctx, ids)
		if err != nil {
			a.t.Fatal(err)
		}
		docs, err := x.Store().Documents(ctx, numbers)
		if err != nil {
			a.t.Fatal(err)
		}
		var asked []index.Doc
		var texts []int
		for i, id := range ids {
			text := noText
			if d := docs[i]; d.Number != 0 {
				there++
				text = int(d.Time)
				asked, texts = append(asked, attackDoc(id, text)), append(texts, text)
			}
			if !slices.Contains(a.docs[id], text) {
				a.t.Errorf("seed %d: %s has text %d, want one of %v", a.seed, id, text, a.docs[id])
			}
		}
		answers, err := x.QueryBatch(ctx, asked, index.QueryOptions{})
		if err != nil {
			a.t.Fatal(err)
		}
		for i, d := range asked {
			if note := wrongAnswer(d, answers[i]); note != "" {
				a.t.Errorf("seed %d: %s", a.seed, note)
			}
			if texts[i] < sharedTexts {
				shared[texts[i]] = append(shared[texts[i]], d.ID)
			}
		}
	}
	for text, ids := range shared {
		if len(ids) > 1 {
			a.t.Errorf("seed %d: text %d was added if new under %q", a.seed, text, ids)
		}
	}
	return there
}

// wrongAnswer returns what is wrong with the answer for a document that is there.
// The answer must have the document once, with its text, and no document of
// another text.
func wrongAnswer(d index.Doc, m []index.Match) string {
	n, ids := 0, map[string]bool{}
	for _, m := range m {
		if m.ID == d.ID && m.Time == d.Time {
			n++
		}
		if ids[m.ID] || m.Time != d.Time {
			return fmt.Sprintf("%s of text %d gets %s of text %d, or gets it twice", d.ID, d.Time, m.ID, m.Time)
		}
		ids[m.ID] = true
	}
	if n != 1 {
		return fmt.Sprintf("%s of text %d is in its answer %d times, want once", d.ID, d.Time, n)
	}
	return ""
}

// sharedTexts is how many texts are added if new, by all processes.
const sharedTexts = 1 << 20

// attackDoc is a document of a text. Its time is the number of the text.
func attackDoc(id string, text int) index.Doc {
	return index.Doc{ID: id, Text: indextest.Text(text), Time: int64(text)}
}

func attackIndex(ctx context.Context, url string, open OpenURL) (*index.Index, error) {
	s, err := open(ctx, url)
	if err != nil {
		return nil, err
	}
	return indextest.SimHash(ctx, s)
}

// AttackMain does the task of a process that an attack has started, until its
// standard input ends. In other processes it returns false at once. TestMain calls
// it first.
func AttackMain(open OpenURL) bool {
	v := os.Getenv(attackTask)
	if v == "" {
		return false
	}
	w := &attackWorker{out: json.NewEncoder(os.Stdout), own: map[string]int{}}
	if err := json.Unmarshal([]byte(v), &w.attackerTask); err != nil {
		panic("load: " + err.Error())
	}
	w.rng = rand.New(rand.NewPCG(w.Seed, uint64(w.Number)+1))
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	// Servers may be down at the moment.
	ctx := context.Background()
	var err error
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if w.x, err = attackIndex(ctx, w.URL, open); err == nil || time.Now().After(end) {
			break
		}
	}
	for err == nil {
		select {
		case <-ended:
			return true
		default:
			err = w.step(ctx)
		}
	}
	w.say(attackEvent{Kind: "broken", Note: fmt.Sprintf("%s: %v", w.Name, err)})
	return true
}

// attackWorker is the state of a process of an attack, within the process.
type attackWorker struct {
	attackerTask
	x    *index.Index
	rng  *rand.Rand
	out  *json.Encoder
	own  map[string]int // its documents that are there, and their texts
	next int            // the number of its next document
}

func (w *attackWorker) say(e attackEvent) {
	if err := w.out.Encode(e); err != nil {
		os.Exit(1) // the test is gone
	}
}

func (w *attackWorker) step(ctx context.Context) error {
	switch w.Role {
	case "merge":
		time.Sleep(time.Duration(w.rng.Int64N(int64(2 * time.Second))))
		err := w.x.Merge(ctx)
		w.say(attackEvent{Kind: "merged"})
		return err
	case "verify":
		time.Sleep(time.Duration(w.rng.Int64N(int64(2 * time.Second))))
		v, err := w.x.Verify(ctx)
		w.say(attackEvent{Kind: "verified"})
		if err == nil && len(v.Problems) > 0 {
			err = fmt.Errorf("verify: %q", v.Problems)
		}
		return err
	}
	switch w.rng.IntN(10) {
	case 0:
		return w.replace(ctx)
	case 1:
		return w.delete(ctx)
	case 2, 3:
		return w.addIfNew(ctx)
	case 4, 5, 6:
		return w.ask(ctx)
	default:
		var docs []index.Doc
		for range 1 + w.rng.IntN(20) {
			docs = append(docs, w.fresh())
		}
		return w.add(ctx, docs)
	}
}

// fresh returns a new document with a text that no other document has.
func (w *attackWorker) fresh() index.Doc {
	w.next++
	return attackDoc(fmt.Sprint(w.Name, "-", w.next), w.freshText())
}

func (w *attackWorker) freshText() int {
	w.next++
	return sharedTexts + w.Number<<24 + w.next
}

// some returns up to n of its documents.
func (w *attackWorker) some(n int) []string {
	all := slices.Sorted(maps.Keys(w.own))
	w.rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	return all[:min(n, len(all))]
}

func (w *attackWorker) begin(docs []index.Doc) map[string]int {
	texts := map[string]int{}
	for _, d := range docs {
		texts[d.ID] = int(d.Time)
	}
	w.say(attackEvent{Kind: "begin", Texts: texts})
	return texts
}

func (w *attackWorker) add(ctx context.Context, docs []index.Doc) error {
	texts := w.begin(docs)
	results, err := w.x.Add(ctx, docs)
	if err != nil {
		return err
	}
	for i, r := range results {
		if r.State != index.Added && r.State != index.Replaced && r.State != index.Same {
			return fmt.Errorf("%s: %v, want added", docs[i].ID, r.State)
		}
	}
	w.say(attackEvent{Kind: "end", Texts: texts})
	maps.Copy(w.own, texts)
	return nil
}

// replace gives a document that was added another text.
func (w *attackWorker) replace(ctx context.Context) error {
	var docs []index.Doc
	for _, id := range w.some(5) {
		docs = append(docs, attackDoc(id, w.freshText()))
	}
	if len(docs) == 0 {
		return nil
	}
	return w.add(ctx, docs)
}

func (w *attackWorker) delete(ctx context.Context) error {
	ids := w.some(1 + w.rng.IntN(5))
	texts := map[string]int{}
	for _, id := range ids {
		texts[id] = noText
	}
	w.say(attackEvent{Kind: "begin", Texts: texts})
	if _, err := w.x.Delete(ctx, ids...); err != nil {
		return err
	}
	w.say(attackEvent{Kind: "end", Texts: texts})
	for _, id := range ids {
		delete(w.own, id)
	}
	return nil
}

// addIfNew adds texts that the other processes add too: the numbers of the texts
// grow with the steps of the processes.
func (w *attackWorker) addIfNew(ctx context.Context) error {
	var docs []index.Doc
	seen := map[int]bool{}
	for range 1 + w.rng.IntN(5) {
		text := w.next/4 + w.rng.IntN(20)
		if w.next++; !seen[text] {
			docs = append(docs, attackDoc(fmt.Sprint(w.Name, "-", w.next), text))
		}
		seen[text] = true
	}
	w.begin(docs)
	results, err := w.x.AddIfNew(ctx, docs, dedup.Limits{})
	if err != nil {
		return err
	}
	texts := map[string]int{}
	for i, r := range results {
		switch d := docs[i]; r.State {
		case index.Added, index.Same: // Same after an attempt whose reply was lost
			texts[d.ID] = int(d.Time)
			w.own[d.ID] = int(d.Time)
		case index.Known:
			texts[d.ID] = noText
		default:
			return fmt.Errorf("%s: %v, want added or known", d.ID, r.State)
		}
	}
	w.say(attackEvent{Kind: "end", Texts: texts})
	return nil
}

// ask queries some of its documents.
func (w *attackWorker) ask(ctx context.Context) error {
	var docs []index.Doc
	for _, id := range w.some(8) {
		docs = append(docs, attackDoc(id, w.own[id]))
	}
	answers, err := w.x.QueryBatch(ctx, docs, index.QueryOptions{})
	if err != nil {
		return err
	}
	for i, d := range docs {
		if note := wrongAnswer(d, answers[i]); note != "" {
			return errors.New(note)
		}
	}
	w.say(attackEvent{Kind: "asked"})
	return nil
}
