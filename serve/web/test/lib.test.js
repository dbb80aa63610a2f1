import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { looks } from "../../../internal/charts/looks.mjs";
import { passages, segments, covered } from "../src/lib/passages.js";
import { pack, unpack } from "../src/lib/share.js";
import * as format from "../src/lib/format.js";
import { bitPairs } from "../src/lib/bits.js";
import { found, half } from "../src/lib/curves.js";
import { within } from "../src/lib/plan.js";
import { remember } from "../src/lib/route.js";
import { sorted, matching } from "../src/lib/table.js";
import { front } from "../src/lib/pareto.js";
import { splitter } from "../src/lib/events.js";
import { documents, pairs } from "../src/lib/sample.js";
import { chinese } from "../src/lib/notes.js";
import { differ, words } from "../src/lib/differ.js";
import { laned, segments as cutUp, linesOf, cut } from "../../../internal/charts/passages.mjs";

// random is a small generator (mulberry32), so that a failure can be seen again.
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const letters = ["a", "b", "é", "Ж", "中", "文", "𠀀", "😀", " ", "\n", "<", "\ud800"];
const text = (next, n) => Array.from({ length: n }, () => letters[Math.floor(next() * letters.length)]).join("");

// evidence is what shingles of so many words give, found by looking everywhere.
function evidence(a, b, width) {
  const at = (s) => {
    const words = [...s.matchAll(/[\p{L}\p{N}]+/gu)].map((m) => [m.index, m.index + m[0].length, m[0]]);
    const out = new Map();
    for (let i = 0; i + width <= words.length; i++) {
      const key = words.slice(i, i + width).map((w) => w[2]).join(" ");
      out.set(key, [...(out.get(key) ?? []), [words[i][0], words[i + width - 1][1]]]);
    }
    return out;
  };
  const inB = at(b);
  return [...at(a)].filter(([k]) => inB.has(k)).map(([k, places]) => ({ weight: 1, a: places, b: inB.get(k) }));
}

test("features in a row are one passage", () => {
  const a = "the cat sat on the mat, and the dog lay down";
  const b = "and the dog lay there while the cat sat on the mat";
  const got = passages(evidence(a, b, 1), a, b).map((p) => [a.slice(...p.a), b.slice(...p.b)]);
  assert.deepEqual(got, [
    ["the cat sat on the mat", "the cat sat on the mat"],
    ["and the dog lay", "and the dog lay"],
  ]);
});

test("passages cover the evidence in the first text, and nothing else but what lies between", () => {
  const next = random(2);
  const dictionary = ["ab", "cd", "ef", "中文", "x1"];
  const make = () => Array.from({ length: 1 + Math.floor(next() * 30) }, () => dictionary[Math.floor(next() * dictionary.length)] + (next() < 0.2 ? ", " : " ")).join("");
  for (let round = 0; round < 300; round++) {
    const [a, b, width] = [make(), make(), 1 + (round % 3)];
    const e = evidence(a, b, width);
    const all = passages(e, a, b);
    const mark = (text, ranges) => {
      const over = new Uint8Array(text.length);
      for (const [from, to] of ranges) over.fill(1, from, to);
      return over;
    };
    for (const [text, spans, ranges, every] of [
      [a, e.flatMap((x) => x.a), all.map((p) => p.a), true],
      [b, e.flatMap((x) => x.b), all.map((p) => p.b), false],
    ]) {
      const [want, got] = [mark(text, spans), mark(text, ranges)];
      for (let i = 0; i < text.length; i++) {
        if (every && want[i]) assert.ok(got[i], `${JSON.stringify([a, b, width])}: character ${i} is not marked`);
        if (got[i] && !want[i]) assert.match(text[i], /[^\p{L}\p{N}]/u, `${JSON.stringify([a, b, width])}: character ${i} is marked`);
      }
    }
    assert.equal(new Set(all.flatMap((p) => p.pieces)).size, e.length);
  }
});

test("segments give back the text, and the longest range is seen", () => {
  const next = random(3);
  for (let round = 0; round < 200; round++) {
    const s = "abcdefghijklmnopqrstuvwxyz".slice(0, Math.floor(next() * 27));
    const ranges = Array.from({ length: Math.floor(next() * 6) }, () => {
      const from = Math.floor(next() * (s.length + 1));
      return [from, from + Math.floor(next() * (s.length - from + 1))];
    });
    const got = segments(s, ranges);
    assert.equal(got.map((x) => x.text).join(""), s);
    let at = 0;
    for (const { text, mark } of got) {
      for (let i = at; i < at + text.length; i++) {
        const over = ranges.map((r, n) => [r[1] - r[0], n]).filter(([, n]) => ranges[n][0] <= i && i < ranges[n][1]);
        over.sort((x, y) => y[0] - x[0] || x[1] - y[1]);
        assert.equal(mark, over[0]?.[1]);
      }
      at += text.length;
    }
    const naive = [...s].filter((_, i) => ranges.some(([f, t]) => f <= i && i < t)).length;
    assert.equal(covered(ranges), naive);
  }
});

test("what is packed is unpacked", async () => {
  for (const value of [{ a: "", b: "" }, { a: "床前明月光", b: "😀<script>" }, { a: "ab ".repeat(100_000), b: "" }]) {
    const packed = await pack(value);
    assert.match(packed, /^[A-Za-z0-9_-]+$/);
    assert.deepEqual(await unpack(packed), value);
  }
  assert.ok((await pack({ a: "the same words ".repeat(700) })).length < 300);
});

test("what is not packed, or unpacks to too much, is refused", async () => {
  for (const bad of ["", "!", "AAAA", "eyJhIjoxfQ"]) await assert.rejects(unpack(bad), bad);
  await assert.rejects(unpack(await pack("x".repeat(5 << 20))), /more than/);
});

test("numbers are printed", () => {
  assert.deepEqual([0, 1, 0.5, 0.99999, 0.00001].map(format.score), ["0", "1", "0.5000", "0.9999", "0.0001"]);
  assert.deepEqual([0, 3.14159, 1234.5, 1e16, 0.00001, NaN].map(format.digits), ["0", "3.14", "1,235", "1.0e16", "1.0e-5", "–"]);
  assert.deepEqual([8, 1024, 1536, 5 * 2 ** 30].map(format.bytes), ["8 B", "1.0 KiB", "1.5 KiB", "5.0 GiB"]);
  assert.deepEqual([2e-9, 1.5e-6, 0.0123, 0.9999, 75, 600, 7200].map(format.seconds), ["2 ns", "1.5 µs", "12.3 ms", "1 s", "75 s", "10 min", "2 h"]);
  assert.deepEqual([12, 1200, 8e9].map(format.short), ["12", "1.2k", "8G"]);
});

test("bits are those of the bytes, from the lowest", () => {
  const next = random(4);
  for (let round = 0; round < 100; round++) {
    const n = 1 + Math.floor(next() * 20);
    const [x, y] = [0, 0].map(() => Uint8Array.from({ length: n }, () => Math.floor(next() * 256)));
    const number = (bytes) => bytes.reduceRight((v, b) => (v << 8n) | BigInt(b), 0n);
    const base64 = (bytes) => Buffer.from(bytes).toString("base64");
    const pairs = bitPairs({ bits_a: 8 * n, bits_b: 8 * n, a: base64(x), b: base64(y) });
    const [p, q] = [number(x), number(y)];
    assert.deepEqual(pairs, Array.from({ length: 8 * n }, (_, i) => [Number((p >> BigInt(i)) & 1n), Number((q >> BigInt(i)) & 1n)]));
  }
  assert.equal(bitPairs({ bits_a: 8, bits_b: 16, a: "AA==", b: "AAA=" }), undefined);
});

// Table 3.6 of Mining of Massive Datasets, of 20 bands with 5 rows each.
test("S-curves are those of the book", () => {
  const table = { 0.2: 0.006, 0.3: 0.047, 0.4: 0.186, 0.5: 0.47, 0.6: 0.802, 0.7: 0.975, 0.8: 0.9996 };
  for (const [s, p] of Object.entries(table)) assert.ok(Math.abs(found(+s, 20, 5) - p) < 0.0006, `at ${s}: ${found(+s, 20, 5)}`);
  assert.ok(Math.abs(found(half(20, 5), 20, 5) - 0.5) < 1e-12);
});

test("the front is of those that none beats", () => {
  const next = random(5);
  for (let round = 0; round < 200; round++) {
    const rows = Array.from({ length: Math.floor(next() * 12) }, () => ({ p: Math.floor(next() * 5), q: next() < 0.1 ? undefined : Math.floor(next() * 5) }));
    const got = front(rows, (r) => r.p, (r) => r.q);
    for (const r of rows) {
      const beaten = r.q === undefined || rows.some((o) => o.q !== undefined && o.p <= r.p && o.q >= r.q && (o.p < r.p || o.q > r.q));
      assert.equal(got.has(r), !beaten, JSON.stringify({ rows, r }));
    }
  }
});

test("differences give back both texts", () => {
  assert.deepEqual(words("the cat, 中国"), ["the", " ", "cat", ",", " ", "中国"]);
  const next = random(6);
  for (let round = 0; round < 100; round++) {
    const [a, b] = [text(next, 30), text(next, 30)];
    const d = differ(a, b);
    assert.equal(d.filter((c) => c.side !== "b").map((c) => c.text).join(""), a);
    assert.equal(d.filter((c) => c.side !== "a").map((c) => c.text).join(""), b);
  }
  assert.deepEqual(differ("one two", "one three", 0), [{ text: "one two", side: "a" }, { text: "one three", side: "b" }]);
});

test("fingerprints within a distance are counted as by hand", () => {
  // Of 8 bits, each of which differs with probability p: all 256 patterns.
  for (const cosine of [-1, -0.5, 0, 0.3, 0.9, 0.999, 1]) {
    const p = Math.acos(cosine) / Math.PI;
    for (let radius = 0; radius <= 8; radius++) {
      let want = 0;
      for (let pattern = 0; pattern < 256; pattern++) {
        const ones = [...pattern.toString(2)].filter((c) => c === "1").length;
        if (ones <= radius) want += p ** ones * (1 - p) ** (8 - ones);
      }
      assert.ok(Math.abs(within(cosine, radius, 8) - want) < 1e-12, `cosine ${cosine}, radius ${radius}`);
    }
  }
});

test("rows are sorted, and those without a value come last", () => {
  const rows = [{ v: 2 }, { v: null }, { v: 1 }, { v: 2, second: true }, {}];
  assert.deepEqual(sorted(rows, (r) => r.v, false), [{ v: 1 }, { v: 2 }, { v: 2, second: true }, { v: null }, {}]);
  assert.deepEqual(sorted(rows, (r) => r.v, true), [{ v: 2 }, { v: 2, second: true }, { v: 1 }, { v: null }, {}]);
  assert.deepEqual(matching(["simhash:bits=64", "SimHash:bits=128", "cosine"], "sim 128", (s) => s), ["SimHash:bits=128"]);
});

test("events come whole, however the stream is cut", () => {
  const stream = 'event: progress\ndata: {"share":0.5}\n\n: a beat\n\ndata: one\ndata: two\r\n\r\ndata: of which the end is missing';
  for (let size = 1; size <= stream.length; size++) {
    const split = splitter();
    const got = [];
    for (let at = 0; at < stream.length; at += size) got.push(...split(stream.slice(at, at + size)));
    assert.deepEqual(got, ['{"share":0.5}', "one\ntwo"], `in pieces of ${size}`);
  }
});

test("a sample is read by line, and what is wrong names its place", () => {
  const lines = documents("d.jsonl", '{"id":7,"text":"one"}\n\n{"text":"二"}\r\n');
  assert.deepEqual(lines, [{ id: "7", text: "one" }, { id: "d.jsonl:3", text: "二" }]);
  assert.deepEqual(documents("d.txt", "{}\nlines"), [{ id: "d.txt", text: "{}\nlines" }]);
  assert.throws(() => documents("d.jsonl", '{"text":"one"}\n{"text":2}'), /d\.jsonl:2: .*text/);
  assert.throws(() => documents("d.jsonl", "one"), /d\.jsonl:1: /);
  const ids = ["7", "d.jsonl:3"];
  assert.deepEqual(pairs("p.tsv", "label\tid1\tid2\n1\td.jsonl:3\t7\n0\t7\td.jsonl:3\n", ids), [{ a: 1, b: 0, alike: true }, { a: 0, b: 1, alike: false }]);
  assert.throws(() => pairs("p.tsv", "id1\tid2\n", ids), /label/);
  assert.throws(() => pairs("p.tsv", "id1\tid2\tlabel\n7\t8\t1\n", ids), /p\.tsv:2: .*8/);
  for (const bad of ["2", "", "yes"]) assert.throws(() => pairs("p.tsv", `id1\tid2\tlabel\n7\td.jsonl:3\t${bad}\n`, ids), /p\.tsv:2: /);
});

test("notes that are known are Chinese and keep their numbers, others stay", () => {
  const got = chinese("101 of 128 values agree; 11 of 14 shingles shared; a form of its own");
  assert.deepEqual(got.map((p) => p.lang), ["zh", "zh", "en"]);
  assert.deepEqual(got[0].text.match(/\d+/g), ["128", "101"]);
  assert.deepEqual(got[1].text.match(/\d+/g), ["14", "11"]);
  assert.equal(got[2].text, "a form of its own");
});

test("an address that has gone to another page stays as it is", () => {
  const written = [];
  globalThis.history = { replaceState: (state, title, url) => written.push(url) };
  for (const [hash, page] of [["#/results", "choose"], ["#/choose?data=en", "choose"], ["", "compare"], ["#/data", "compare"]]) {
    globalThis.location = { hash };
    remember(page, { job: "7" });
  }
  assert.deepEqual(written, ["#/choose?job=7", "#/compare?job=7"]);
});

test("looks follow the rule that the files of alike eval --plots follow", () => {
  const cases = JSON.parse(readFileSync(new URL("../../../internal/charts/testdata/looks.json", import.meta.url), "utf8"));
  for (const { what, labels, looks: want } of cases) {
    const got = looks(labels);
    assert.deepEqual(labels.map((l) => got.get(l)), want, what);
  }
});

// Of a view: a document of random parts, and places in it.
function viewed(next) {
  const whole = text(next, 60).replaceAll("\ud800", "x");
  const parts = [];
  let at = 0;
  while (at < whole.length) {
    const from = at + Math.floor(next() * 8);
    const to = Math.min(whole.length, from + 1 + Math.floor(next() * 20));
    if (from < to) parts.push({ start_utf16: from, line: whole.slice(0, from).split("\n").length, text: whole.slice(from, to) });
    at = Math.max(to, from) + 1;
  }
  const places = Array.from({ length: Math.floor(next() * 8) }, (_, of) => {
    const start = Math.floor(next() * whole.length);
    return { of, start, end: start + 1 + Math.floor(next() * (whole.length - start)) };
  });
  return { whole, doc: { parts, length_utf16: whole.length }, places };
}

test("places that overlap have different lanes, and no lane is wasted", () => {
  for (let seed = 0; seed < 300; seed++) {
    const { whole, places } = viewed(random(seed));
    const all = laned(places);
    assert.equal(all.length, places.length);
    let most = 0;
    for (let i = 0; i < whole.length; i++) {
      const over = all.filter((p) => p.start <= i && i < p.end);
      assert.equal(new Set(over.map((p) => p.lane)).size, over.length, `seed ${seed}`);
      most = Math.max(most, over.length);
    }
    assert.equal(Math.max(-1, ...all.map((p) => p.lane)) + 1, most, `seed ${seed}`);
  }
});

test("segments say of each character which places are over it", () => {
  for (let seed = 0; seed < 300; seed++) {
    const next = random(seed);
    const { whole, places } = viewed(next);
    const from = Math.floor(next() * whole.length);
    const to = from + 1 + Math.floor(next() * (whole.length - from));
    const all = cutUp(from, to, places);
    assert.equal(all[0].from, from);
    assert.equal(all.at(-1).to, to);
    all.slice(1).forEach((s, i) => assert.equal(s.from, all[i].to));
    for (const s of all) {
      for (let i = s.from; i < s.to; i++) assert.deepEqual(s.over.map((p) => p.of), places.filter((p) => p.start <= i && i < p.end).map((p) => p.of), `seed ${seed}`);
      assert.deepEqual(s.starts.map((p) => p.of), places.filter((p) => p.start === s.from).map((p) => p.of), `seed ${seed}`);
      assert.deepEqual(s.ends.map((p) => p.of), places.filter((p) => p.end === s.to && p.start < s.to).map((p) => p.of), `seed ${seed}`);
    }
  }
});

test("lines and cuts of a document are those of its text, but for the gaps", () => {
  for (let seed = 0; seed < 300; seed++) {
    const next = random(seed);
    const { whole, doc } = viewed(next);
    let at = 0;
    let joined = "";
    for (const r of linesOf(doc)) {
      if (r.gap) {
        at = joined.length + r.gap;
        joined += whole.slice(joined.length, at);
        continue;
      }
      if (r.from > joined.length) joined += "\n";
      assert.equal(r.from, joined.length, `seed ${seed}`);
      assert.equal(r.line, whole.slice(0, r.from).split("\n").length, `seed ${seed}`);
      joined += r.text;
    }
    assert.equal(joined, whole, `seed ${seed}`);
    const [from, to] = [next() * whole.length, next() * whole.length].map(Math.floor).sort((a, b) => a - b);
    const there = (i) => doc.parts.some((p) => p.start_utf16 <= i && i < p.start_utf16 + p.text.length);
    let want = "";
    for (let i = from; i < to; i++) want += there(i) ? whole[i] : i === from || there(i - 1) ? " … " : "";
    assert.equal(cut(doc, from, to), want, `seed ${seed}`);
  }
});
