// Evidence comes as features with their places in both texts. Readers look for passages: runs
// of features that follow one another in both texts. Here the one becomes the other.

const mostPlaces = 24; // of a feature that are tried as the beginning of a run
const between = /^[^\p{L}\p{N}]*$/u; // what may lie between features of one passage

// passages joins evidence into passages, by their order in the first text. Each is
// {a: [from, to], b: [from, to], weight, pieces}, pieces being numbers of the evidence in it.
// evidence is [{weight, a: [[from, to], …], b: […]}] with ascending places in UTF-16 units.
// A place in the first text lies in one passage only, unless its features overlap.
export function passages(evidence, a, b) {
  const places = [];
  evidence.forEach((e, k) => {
    if (e.b.length > 0) for (const [from, to] of e.a) places.push({ from, to, k });
  });
  places.sort((x, y) => x.from - y.from || y.to - x.to || x.k - y.k);

  const joined = (text, from, to) => to <= from || (to - from <= 12 && between.test(text.slice(from, to)));
  const follow = (i, begin) => {
    const p = { a: [places[i].from, places[i].to], b: [...begin], count: 1, at: begin[0] };
    for (let j = i + 1; j < places.length && joined(a, p.a[1], places[j].from); j++) {
      const next = after(evidence[places[j].k].b, places[j].from === places[j - 1].from ? p.at : p.at + 1);
      if (!next || !joined(b, p.b[1], next[0])) break;
      p.a[1] = Math.max(p.a[1], places[j].to);
      p.b[1] = Math.max(p.b[1], next[1]);
      p.at = next[0];
      p.count++;
    }
    return p;
  };

  const out = [];
  for (let i = 0; i < places.length; ) {
    let best;
    for (const begin of evidence[places[i].k].b.slice(0, mostPlaces)) {
      const p = follow(i, begin);
      if (!best || p.count > best.count) best = p;
    }
    const pieces = [...new Set(places.slice(i, i + best.count).map((p) => p.k))];
    out.push({ a: best.a, b: best.b, pieces, weight: pieces.reduce((w, k) => w + evidence[k].weight, 0) });
    i += best.count;
  }
  return out;
}

// after returns the first of ascending places that begins at least at from.
function after(places, from) {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle][0] < from) low = middle + 1;
    else high = middle;
  }
  return places[low];
}

// segments cuts a text where marks begin and end: [{text, mark}], mark being the number of the
// range in ranges, undefined outside of all. Where ranges overlap the longest is seen, among equals
// the first.
export function segments(text, ranges) {
  const over = new Int32Array(text.length).fill(-1);
  const order = ranges.map((_, i) => i).sort((i, j) => length(ranges[i]) - length(ranges[j]) || j - i);
  for (const i of order) over.fill(i, ranges[i][0], ranges[i][1]);
  const out = [];
  for (let from = 0; from < text.length; ) {
    let to = from + 1;
    while (to < text.length && over[to] === over[from]) to++;
    out.push(over[from] < 0 ? { text: text.slice(from, to) } : { text: text.slice(from, to), mark: over[from] });
    from = to;
  }
  return out;
}

const length = ([from, to]) => to - from;

// covered returns how many units of a text lie in at least one range.
export function covered(ranges) {
  let sum = 0;
  let end = 0;
  for (const [from, to] of [...ranges].sort((x, y) => x[0] - y[0])) {
    if (to > end) sum += to - Math.max(from, end);
    end = Math.max(end, to);
  }
  return sum;
}
