// Command reliability attacks the commands of this repository. It tries to lose a
// document, fill the memory, hang a process or get a wrong number: it kills
// processes, fills disks, damages files and sends hostile input. It writes
// docs/reliability.md.
//
//	go run ./docs/reliability -alike BINARY -beam BINARY -records FILE -page docs/reliability.md
//
// scripts/attack builds the commands and runs it. An attack replaces its record in
// the file. The page is made from all records.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/internal/jsonl"
)

// record is the result of one attack.
type record struct {
	Attack  string       `json:"attack"`
	What    string       `json:"what"`    // what is done, and what must hold
	Outcome string       `json:"outcome"` // held, broken, skipped or failed
	Rounds  int          `json:"rounds"`
	Counts  []count      `json:"counts,omitempty"`
	Notes   []string     `json:"notes,omitempty"` // what broke, or why the attack was skipped
	Fuzz    []target     `json:"fuzz,omitempty"`
	Seed    uint64       `json:"seed"`
	Seconds float64      `json:"seconds"`
	Date    string       `json:"date"`
	Command string       `json:"command"`
	Machine eval.Machine `json:"machine"`
}

// The outcomes of an attack.
const (
	held    = "held"
	broken  = "broken"  // a promise did not hold
	skipped = "skipped" // this machine lacks something that the attack needs
	failed  = "failed"  // the attack itself could not be carried out
)

// count is how often something happened.
type count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// attack is one way to break a promise.
type attack struct {
	name string
	what string
	try  func(context.Context, *arena)
}

// attacks are in the order of the page.
var attacks = slices.Concat(testAttacks, commandAttacks, indexAttacks, serveAttacks, beamAttacks, clockAttacks, hostileAttacks, fuzzAttacks)

// errSkipped is wrapped by the errors of attacks that this machine does not allow.
var errSkipped = errors.New("skipped")

func main() {
	log.SetFlags(0)
	log.SetPrefix("reliability: ")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var l lab
	flag.StringVar(&l.alike, "alike", "", "the alike command")
	flag.StringVar(&l.beam, "beam", "", "the alike-beam command; without it attacks on it are skipped")
	flag.Uint64Var(&l.seed, "seed", 1, "seed of everything that is random, except for the scheduler")
	flag.DurationVar(&l.fuzzTime, "fuzztime", time.Second, "time for each fuzz target")
	minutes := flag.Float64("minutes", 15, "minutes for all attacks but fuzzing, divided equally; each attack has at least one round")
	only := flag.String("only", "", "regular expression of the attacks to make")
	records := flag.String("records", "", "file of records")
	page := flag.String("page", "", "Markdown file to write")
	list := flag.Bool("list", false, "print the attacks and stop")
	flag.Parse()
	if *list {
		for _, a := range attacks {
			fmt.Printf("%-20s %s\n", a.name, a.what)
		}
		return
	}
	broke, err := run(ctx, &l, *only, *minutes, *records, *page)
	if err != nil {
		log.Print(err)
		os.Exit(2)
	}
	if broke {
		os.Exit(1)
	}
}

// lab is what attacks have in common.
type lab struct {
	alike, beam string
	seed        uint64
	fuzzTime    time.Duration
}

// run makes the attacks that match, writes the records and the page, and reports
// whether a promise was broken or an attack failed.
func run(ctx context.Context, l *lab, only string, minutes float64, name, page string) (broke bool, err error) {
	if !(minutes > 0 && minutes <= 24*60) {
		return false, fmt.Errorf("%v minutes, want more than 0 and at most a day", minutes)
	}
	match, err := regexp.Compile(only)
	if err != nil {
		return false, err
	}
	chosen := slices.DeleteFunc(slices.Clone(attacks), func(a attack) bool { return !match.MatchString(a.name) })
	if len(chosen) == 0 {
		return false, fmt.Errorf("no attack matches %q", only)
	}
	records, err := jsonl.Read[record](name)
	if err != nil {
		return false, err
	}
	share := time.Duration(minutes * float64(time.Minute) / float64(len(chosen)))
	for _, k := range chosen {
		r := l.attack(ctx, k, share)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		fmt.Printf("%-20s %-8s %3d rounds  %6.1f s  %s\n", r.Attack, r.Outcome, r.Rounds, r.Seconds, counted(r.Counts))
		for _, n := range r.Notes {
			fmt.Printf("    %s\n", n)
		}
		broke = broke || r.Outcome == broken || r.Outcome == failed
		records = append(slices.DeleteFunc(records, func(o record) bool { return o.Attack == r.Attack }), r)
		if err := jsonl.Write(name, records); err != nil {
			return false, err
		}
	}
	if page == "" {
		return broke, nil
	}
	text, err := write(records)
	if err != nil {
		return false, err
	}
	return broke, durable.Replace(page, []byte(text))
}

// attack makes one attack in a folder of its own. The folder stays if a promise
// was broken.
func (l *lab) attack(ctx context.Context, k attack, share time.Duration) record {
	r := record{
		Attack: k.name, What: k.what, Outcome: held, Seed: l.seed, Date: time.Now().UTC().Format(time.DateOnly),
		Command: strings.Join(append([]string{"bash scripts/attack"}, flagsGiven()...), " "), Machine: eval.ThisMachine(),
	}
	dir, err := os.MkdirTemp("", "alike-attack-*")
	if err != nil {
		r.Outcome, r.Notes = failed, []string{err.Error()}
		return r
	}
	began := time.Now()
	// Every attack has its own random stream, so that it does the same alone and
	// among others.
	h := fnv.New64a()
	h.Write([]byte(k.name))
	a := &arena{lab: l, dir: dir, rand: rand.New(rand.NewPCG(l.seed, h.Sum64())), until: began.Add(share)}
	err = kit.Try(func() { k.try(ctx, a) })
	r.Rounds, r.Counts, r.Notes, r.Fuzz, r.Seconds = a.round, a.counts, a.broken, a.fuzz, time.Since(began).Seconds()
	switch {
	case len(a.broken) > 0:
		r.Outcome = broken
		r.Notes = append(r.Notes, "what is left of it lies in "+dir)
	case errors.Is(err, errSkipped):
		r.Outcome = skipped
	case err != nil:
		r.Outcome = failed
	}
	if err != nil {
		r.Notes = append(r.Notes, err.Error())
	}
	if r.Outcome != broken {
		os.RemoveAll(dir)
	}
	return r
}

// flagsGiven returns the flags of this process that a reader needs to repeat it.
func flagsGiven() (out []string) {
	flag.Visit(func(f *flag.Flag) {
		if slices.Contains([]string{"seed", "minutes", "fuzztime", "only"}, f.Name) {
			out = append(out, "-"+f.Name, f.Value.String())
		}
	})
	return out
}

func counted(counts []count) string {
	var parts []string
	for _, c := range counts {
		parts = append(parts, fmt.Sprintf("%d %s", c.N, c.Name))
	}
	return strings.Join(parts, ", ")
}

// root returns the folder of the module, where go test runs.
func root() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.mod in this folder or above it")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}
