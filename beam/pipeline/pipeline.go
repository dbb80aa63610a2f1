package pipeline

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
)

// Workers find the steps by their names, so all are registered.
func init() {
	for _, step := range []any{
		&keyed{}, &readTexts{}, &groupTexts{}, &crowded{}, &sketch{}, &pack{}, &fetch{},
		&pairBuckets{}, &pairTasks{}, &tasks{}, &joinGroups{}, &partners{}, &send{}, &score{},
		&ends{}, &begin{}, &wave{}, &rest{}, &sweep{}, &leaders{}, &chaining{},
		&judgedTexts{}, &scored{},
		&assign{}, &weigh{}, &measure{}, &number{}, &tellMembers{},
		&write{}, &why{}, &explain{}, &writeWhy{}, &groupIDs{}, &summarise{},
	} {
		beam.RegisterDoFn(step)
	}
	register.DoFn4x0[context.Context, []byte, []byte, func([]byte, []byte)](&meter{})
	register.Emitter1[[]byte]()
	register.Emitter2[[]byte, []byte]()
	register.Emitter2[string, int64]()
	register.Iter1[[]byte]()
	register.Iter2[string, int64]()
}

// keyed gives each piece its key.
type keyed struct{}

func (*keyed) ProcessElement(_ context.Context, piece string, emit func([]byte, []byte)) error {
	p, err := pieceOfJSON(piece)
	if err != nil {
		return err
	}
	emit(p.key(), []byte(piece))
	return nil
}

// meter counts what goes into a shuffle: elements and their encoded bytes, with
// the lengths of key and value.
type meter struct {
	Name  string
	bytes beam.Distribution // of an element
}

// shuffleNamespace holds the metrics of shuffles.
const shuffleNamespace = "alike.shuffle"

func (m *meter) Setup() { m.bytes = beam.NewDistribution(shuffleNamespace, m.Name) }

func (m *meter) ProcessElement(ctx context.Context, key, value []byte, emit func([]byte, []byte)) {
	n := len(key) + len(value)
	for _, l := range []int{len(key), len(value)} {
		for n++; l >= 1<<7; l >>= 7 {
			n++
		}
	}
	m.bytes.Update(ctx, int64(n))
	emit(key, value)
}

// defaultWaves is how many waves decide before the rest is swept. Three decide
// all but one in a thousand of planted near-duplicates.
const defaultWaves = 4

// build makes the pipeline.
func build(root beam.Scope, all []piece, set settings, waves int) error {
	var list []string
	for i := range all {
		b, err := json.Marshal(&all[i])
		if err != nil {
			return fmt.Errorf("beam: %w", err)
		}
		list = append(list, string(b))
	}
	b := &builder{root: root, w: worker{Settings: set}}
	input := beam.Reshuffle(root.Scope("pieces"), beam.CreateList(root, list))
	byKey := beam.ParDo(root.Scope("keyed"), &keyed{}, input)

	s := root.Scope("read")
	texts, samples, sizes, bad, stat := beam.ParDo5(s, &readTexts{b.w}, input)
	b.count(stat)
	s = root.Scope("equal texts")
	skips, equals, stat := beam.ParDo3(s, &groupTexts{b.w}, b.group(s, "texts", texts))
	b.count(stat)

	pairs, empty, judged := b.pairs(byKey, skips, samples)
	var compared beam.PCollection
	if set.Verify != "" {
		pairs, compared = b.compare(pairs, byKey, byTexts)
	}
	decided := b.decide(byKey, pairs, judged, waves)

	s = root.Scope("assign")
	known := decided
	if set.Verify != "" {
		known = beam.Flatten(s, decided, compared)
	}
	members, weights, stat := beam.ParDo3(s, &assign{b.w}, beam.CoGroupByKey(s, b.meter(s, "decisions", known), b.meter(s, "equals", equals), b.meter(s, "empty", empty)))
	b.count(stat)
	b.chaining(pairs, decided, weights)

	s = root.Scope("number")
	clusters, stat := beam.ParDo2(s, &measure{b.w}, b.group(s, "members", members))
	b.count(stat)
	numbers, counts, best := beam.ParDo3(s, &number{b.w}, b.group(s, "clusters", clusters))
	told, listeners := beam.ParDo2(s, &tellMembers{b.w}, beam.CoGroupByKey(s, b.meter(s, "numbers", numbers), b.meter(s, "numbered", members)))

	sums := stats.SumPerKey(root.Scope("totals"), beam.Flatten(root.Scope("counts"), b.counts...))
	s = root.Scope("write")
	kept, said, laid, texts, ids := beam.ParDo5(s, &write{b.w}, beam.ParDo(s, &pack{}, beam.CoGroupByKey(s, byKey, b.meter(s, "rows", told))),
		beam.SideInput{Input: sizes}, beam.SideInput{Input: counts}, beam.SideInput{Input: sums})
	told, wholes := beam.ParDo2(s, &why{b.w}, beam.CoGroupByKey(s, b.meter(s, "kept", kept), b.meter(s, "listeners", listeners)))
	reasons := []beam.PCollection{said, told}
	if set.Explain {
		reasons = append(reasons, beam.ParDo(s, &explain{b.w}, beam.CoGroupByKey(s, b.meter(s, "texts kept", wholes), b.meter(s, "texts removed", texts))))
	}
	beam.ParDo0(s, &writeWhy{b.w}, beam.ParDo(s, &pack{}, beam.CoGroupByKey(s, byKey, b.meter(s, "reasons", beam.Flatten(s, reasons...)))), beam.SideInput{Input: sizes}, beam.SideInput{Input: sums})

	s = root.Scope("summary")
	repeated := beam.ParDo(s, &groupIDs{b.w}, b.group(s, "ids", ids))
	beam.ParDo0(s, &summarise{b.w}, beam.Impulse(s), beam.SideInput{Input: sums}, beam.SideInput{Input: sizes}, beam.SideInput{Input: best},
		beam.SideInput{Input: bad}, beam.SideInput{Input: laid}, beam.SideInput{Input: repeated})
	return nil
}

// builder holds what the parts of the pipeline share.
type builder struct {
	root   beam.Scope
	w      worker
	counts []beam.PCollection
}

// count adds counts to the totals.
func (b *builder) count(c beam.PCollection) { b.counts = append(b.counts, c) }

// meter measures a shuffle.
func (b *builder) meter(s beam.Scope, name string, c beam.PCollection) beam.PCollection {
	return beam.ParDo(s, &meter{Name: name}, c)
}

// group brings elements of the same key together.
func (b *builder) group(s beam.Scope, name string, c beam.PCollection) beam.PCollection {
	return beam.GroupByKey(s, b.meter(s, name, c))
}

// pairs finds the pairs of texts that are alike by their sketches, and the texts
// without features. skips are the rows to skip, samples the counts of buckets.
// judged are the texts that were judged, for begin and for sweep.
func (b *builder) pairs(pieces, skips, samples beam.PCollection) (pairs, empty beam.PCollection, judged [2]beam.PCollection) {
	s := b.root.Scope("sketch")
	read := beam.CoGroupByKey(s, pieces, b.meter(s, "skipped", skips))
	if b.w.Settings.JudgedSum != "" {
		var stat beam.PCollection
		judged[0], judged[1], stat = beam.ParDo3(s.Scope("judged"), &judgedTexts{b.w}, read)
		b.count(stat)
	}
	if b.w.Settings.Groups > 0 {
		s := b.root.Scope("join")
		pairs, empty, stat := beam.ParDo3(s, &joinGroups{b.w}, b.group(s, "groups", beam.ParDo(s, &tasks{b.w}, read)))
		b.count(stat)
		return pairs, empty, judged
	}
	crowds := beam.ParDo(s, &crowded{b.w}, b.group(s, "samples", samples))
	posted, direct, empty, stat := beam.ParDo4(s, &sketch{b.w}, beam.ParDo(s, &pack{}, read), beam.SideInput{Input: crowds})
	b.count(stat)
	s = b.root.Scope("buckets")
	small, tasks := beam.ParDo2(s, &pairBuckets{pairer: pairer{worker: b.w}}, b.group(s, "postings", posted))
	large := beam.ParDo(s, &pairTasks{pairer{worker: b.w}}, beam.GroupByKey(s, beam.Flatten(s, b.meter(s, "crowded", direct), b.meter(s, "blocks", tasks))))
	found := beam.Flatten(s, small, large)
	if b.w.Settings.Carry {
		return found, empty, judged
	}
	pairs, _ = b.compare(found, pieces, bySketches)
	return pairs, empty, judged
}

// compare fetches the sketches that decide, and keeps the pairs that are alike.
// compared are their texts.
func (b *builder) compare(pairs, pieces beam.PCollection, by comparison) (alike, compared beam.PCollection) {
	name := [...]string{"sketches ", "texts ", "judged "}[by]
	s := b.root.Scope([...]string{"compare", "verify", "score"}[by])
	wanted, lists, stat := beam.ParDo3(s, &partners{worker: b.w, By: by}, b.group(s, name+"candidates", pairs))
	b.count(stat)
	earlier, later, compared, stat := beam.ParDo4(s, &fetch{worker: b.w, By: by}, beam.CoGroupByKey(s, pieces, b.meter(s, name+"wanted", wanted)))
	b.count(stat)
	sent := beam.ParDo(s, &send{b.w}, beam.CoGroupByKey(s, b.meter(s, name+"lists", lists), b.meter(s, name+"earlier", earlier)))
	alike = beam.ParDo(s, &score{worker: b.w, By: by}, beam.CoGroupByKey(s, b.meter(s, name+"later", later), b.meter(s, name+"sent", sent)))
	return alike, compared
}

// decide decides which texts are kept: in waves, then the rest by a sweep. Texts that
// were judged are left to the sweep.
func (b *builder) decide(pieces, pairs beam.PCollection, judged [2]beam.PCollection, waves int) beam.PCollection {
	s := b.root.Scope("waves")
	told := beam.ParDo(s, &ends{b.w}, pairs)
	if judged[0].IsValid() {
		told = beam.Flatten(s, told, judged[0])
	}
	node, news, done := beam.ParDo3(s, &begin{b.w}, b.group(s, "ends", told))
	decided := []beam.PCollection{done}
	for range waves - 1 {
		both := beam.CoGroupByKey(s, b.meter(s, "nodes", node), b.meter(s, "news", news))
		node, news, done = beam.ParDo3(s, &wave{b.w}, both)
		decided = append(decided, done)
	}
	s = b.root.Scope("sweep")
	left := beam.ParDo(s, &rest{b.w}, beam.CoGroupByKey(s, b.meter(s, "nodes", node), b.meter(s, "news", news)))
	if judged[1].IsValid() {
		left = beam.Flatten(s, left, judged[1])
	}
	swept, unscored := beam.ParDo2(s, &sweep{b.w}, b.group(s, "sweep", left))
	decided = append(decided, swept)
	if judged[1].IsValid() {
		pairs, _ := b.compare(unscored, pieces, byScore)
		decided = append(decided, beam.ParDo(s, &scored{b.w}, pairs))
	}
	return beam.Flatten(s, decided...)
}

// chaining measures what closure would have done.
func (b *builder) chaining(pairs, decided, weights beam.PCollection) {
	s := b.root.Scope("chaining")
	half := beam.ParDo(s, &leaders{worker: b.w}, beam.CoGroupByKey(s, b.meter(s, "decided", decided), b.meter(s, "pairs", pairs)))
	links := beam.ParDo(s, &leaders{worker: b.w, Second: true}, beam.CoGroupByKey(s, b.meter(s, "decided", decided), b.meter(s, "halves", half)))
	sums := beam.ParDo(s, &weigh{b.w}, b.group(s, "weights", weights))
	b.count(beam.ParDo(s, &chaining{b.w, chainTexts}, beam.CoGroupByKey(s, b.meter(s, "links", links), b.meter(s, "sums", sums))))
}
