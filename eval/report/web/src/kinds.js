import { plot, line, dot, rect, ruleX, ruleY, text, link, barX, tip, pointer } from "@observablehq/plot";
import { colour, dash, symbol } from "./looks.js";

const style = { fontSize: "12px", background: "none", overflow: "visible" };

// short prints a number with three digits at most and a unit prefix.
const short = (v) => {
  const prefixes = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];
  const [by, prefix] = prefixes.find(([by]) => Math.abs(v) >= by) ?? [1, ""];
  return `${+(v / by).toPrecision(3)}${prefix}`;
};

// leading are the first digits of what the ticks of a logarithmic axis name: the fewer
// decades there are, the more.
const leading = (span) => (span < 5 ? /^[1-9]/ : span < 50 ? /^[125]/ : /^1/);

// axis returns the options of a scale. A logarithmic one goes a little beyond the values.
const axis = ({ label, log, domain }, pick, width, values = []) => {
  const common = { label: pick(label), labelAnchor: "center", labelArrow: "none", grid: true, ticks: width < 500 ? 4 : 7 };
  if (!log) return { ...common, domain, nice: !domain };
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const named = leading(high / low);
  return {
    ...common, type: "log", domain: [low / 1.25, high * 1.25],
    tickFormat: (v) => (named.test(v.toExponential()) && Math.abs(v / +v.toPrecision(1) - 1) < 1e-9 ? short(v) : ""),
  };
};

const tips = (points) =>
  tip(points, pointer({ x: "x", y: "y", title: "title", fontSize: 12, fill: "var(--card)", stroke: "var(--line)", textPadding: 7 }));

const say = (chart, pick, label, x, y) =>
  `${label}\n${pick(chart.x.label)}: ${short(x)}\n${pick(chart.y.label)}: ${short(y)}`;

// equalF1 are the lines along which F1 is the same.
function equalF1() {
  return [0.2, 0.4, 0.6, 0.8, 0.9].flatMap((f) => {
    const from = f / (2 - f);
    const points = Array.from({ length: 81 }, (_, i) => from + ((1 - from) * i) / 80).map((r) => [r, (f * r) / (2 * r - f)]);
    return [
      line(points, { stroke: "var(--line)", strokeDasharray: "4 3", ariaHidden: "true" }),
      text([points.at(-1)], { text: () => `F1 ${f}`, textAnchor: "start", dx: 5, fill: "var(--faint)", ariaHidden: "true" }),
    ];
  });
}

function curves(chart, width, pick) {
  const all = chart.series.flatMap((s) => s.points.map(([x, y]) => ({ x, y, title: say(chart, pick, s.label, x, y) })));
  return plot({
    width, height: Math.min(460, Math.max(300, width * 0.62)), style,
    marginLeft: 52, marginBottom: 44, marginRight: chart.iso ? 52 : 20, marginTop: 16,
    x: axis(chart.x, pick, width, all.map((p) => p.x)),
    y: { ...axis(chart.y, pick, width, all.map((p) => p.y)), ticks: 6 },
    marks: [
      ...(chart.iso ? equalF1() : []),
      ...chart.series.map((s) =>
        line(s.points, { stroke: colour(s.look), strokeWidth: 2, strokeDasharray: dash(s.look), curve: chart.step ? "step-before" : "linear", className: "series", ariaDescription: s.label })),
      ...chart.series.filter((s) => s.marks).map((s) =>
        dot(s.points, { symbol: symbol(s.look), fill: colour(s.look), r: 3.5, ariaDescription: s.label })),
      ...chart.series.filter((s) => s.bounds).map((s) =>
        link(s.bounds, { x1: "0", x2: "0", y1: "1", y2: "2", stroke: colour(s.look), strokeOpacity: 0.7 })),
      ...chart.series.filter((s) => s.at).map((s) =>
        dot([s.at], { symbol: symbol(s.look), fill: colour(s.look), stroke: "var(--card)", r: 6, className: "chosen", ariaDescription: s.label })),
      tips(all),
    ],
  });
}

function scatter(chart, width, pick) {
  const dots = chart.series.map((s) => ({ ...s, x: s.dot[0], y: s.dot[1], title: say(chart, pick, s.label, s.dot[0], s.dot[1]) }));
  const others = (chart.others ?? []).map((o) => ({ ...o, title: say(chart, pick, o.label, o.x, o.y) }));
  const front = dots.filter((d) => d.front).sort((a, b) => a.x - b.x);
  return plot({
    width, height: Math.min(420, Math.max(300, width * 0.58)), style,
    marginLeft: 52, marginBottom: 44, marginRight: 20, marginTop: 16,
    x: axis(chart.x, pick, width, [...dots, ...others].map((d) => d.x)),
    y: { ...axis(chart.y, pick, width), ticks: 6 },
    marks: [
      dot(others, { x: "x", y: "y", r: 3, fill: "var(--faint)", fillOpacity: 0.45, className: "others" }),
      line(chart.apart ? [] : front, { x: "x", y: "y", stroke: "var(--faint)", strokeDasharray: "1 4", strokeLinecap: "round", strokeWidth: 2, className: "front" }),
      link(dots.filter((d) => d.interval), { x1: "x", x2: "x", y1: (d) => d.interval[0], y2: (d) => d.interval[1], stroke: (d) => colour(d.look), strokeWidth: 1.5 }),
      dot(front, { x: "x", y: "y", r: 10, stroke: "var(--ink)", strokeWidth: 1.2 }),
      ...dots.map((d) => dot([d], { x: "x", y: "y", symbol: symbol(d.look), fill: colour(d.look), stroke: "var(--card)", r: 6, className: "chosen", ariaDescription: d.label })),
      tips([...dots, ...others]),
    ],
  });
}

// scores draws a panel a method: pairs that are alike upwards, the others downwards, both by
// the logarithm of their number.
function scores(chart, width, pick) {
  const tallest = chart.up ? 220 : 130;
  const columns = width > 620 && chart.panels.length > 1 ? 2 : 1;
  const rows = Math.ceil(chart.panels.length / columns);
  const place = (i) => ({ fx: i % columns, fy: Math.floor(i / columns) });
  const tall = (n) => Math.log10(1 + n);
  const bars = (of, sign) => chart.panels.flatMap((p, i) => p[of].map((n, k) =>
    ({ ...place(i), x1: k / p[of].length, x2: (k + 1) / p[of].length, y: sign * tall(n), n })).filter((b) => b.n > 0));
  const names = chart.panels.map((p, i) => ({ ...place(i), label: p.label, threshold: p.threshold }));
  const most = Math.max(1, ...chart.panels.flatMap((p) => [...p.alike, ...p.other]).map(tall));
  const ticks = Array.from({ length: 2 * Math.floor(most) + 1 }, (_, i) => i - Math.floor(most)).filter((v) => (most < 4 || v % 2 === 0) && !(chart.up && v < 0));
  const bar = { x1: "x1", x2: "x2", y1: 0, y2: "y", fx: "fx", fy: "fy", insetLeft: 0.5, insetRight: 0.5, title: (d) => `${d.x1}–${d.x2}: ${d.n}` };
  return plot({
    width, height: 56 + rows * tallest, style, marginLeft: 48, marginBottom: 42, marginTop: 8, marginRight: 12,
    x: { domain: [0, 1], label: pick(chart.x.label), labelAnchor: "center", labelArrow: "none", ticks: 5 },
    y: { label: null, grid: true, domain: [chart.up ? 0 : -most, most], ticks, tickFormat: (v) => (v === 0 ? "0" : short(10 ** Math.abs(v))) },
    fx: { axis: null, padding: 0.06 },
    fy: { axis: null, padding: 0.08 },
    marks: [
      rect(bars("alike", 1), { ...bar, fill: "var(--alike)", className: "alike" }),
      rect(bars("other", -1), { ...bar, fill: "var(--other)", className: "other" }),
      ruleY([0], { stroke: "var(--faint)" }),
      ruleX(names.filter((p) => p.threshold != null), { x: "threshold", fx: "fx", fy: "fy", stroke: "var(--ink)", strokeWidth: 1.5, strokeDasharray: "4 2", className: "threshold" }),
      text(names, { fx: "fx", fy: "fy", text: "label", frameAnchor: "top-right", dx: -2, dy: -6, fontWeight: 600, fill: "var(--ink)", stroke: "var(--card)", strokeWidth: 4 }),
    ],
  });
}

function bars(chart, width, pick) {
  const rows = chart.bars.map(({ label, value }) => ({ label: pick(label), value }));
  const longest = Math.max(...rows.map((r) => [...r.label].reduce((n, c) => n + (c > "\u2e80" ? 2 : 1), 0)));
  return plot({
    width, height: 60 + rows.length * 30, style, marginLeft: Math.min(width * 0.45, 16 + longest * 7), marginBottom: 42, marginRight: 50, marginTop: 8,
    x: { ...axis({ label: chart.x.label }, pick, width), type: chart.x.log ? "symlog" : "linear", tickFormat: short, nice: false, ...(chart.x.log ? { ticks: [] } : {}) },
    y: { label: null, domain: rows.map((r) => r.label) },
    marks: [
      barX(rows, { x: "value", y: "label", fill: "var(--c0)", className: "bar", insetTop: 3, insetBottom: 3 }),
      text(rows, { x: "value", y: "label", text: (d) => d.value.toLocaleString("en-US"), textAnchor: "start", dx: 5, fill: "var(--ink)" }),
    ],
  });
}

export const kinds = { curves, scatter, scores, bars };
