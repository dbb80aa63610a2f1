import { plot, rect, ruleX, ruleY, text, barX } from "@observablehq/plot";
import { axis, curves, scatter, style } from "../../../../internal/charts/draw.mjs";
import { short } from "../../../../internal/charts/short.mjs";

// scores draws a panel a method: pairs that are alike upwards, the others downwards, both by
// the logarithm of their number.
function scores(chart, width) {
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
    x: { domain: [0, 1], label: chart.x.label, labelAnchor: "center", labelArrow: "none", ticks: 5 },
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
    x: { ...axis({ label: chart.x.label }, width < 500 ? 4 : 7), type: chart.x.log ? "symlog" : "linear", tickFormat: short, nice: false, ...(chart.x.log ? { ticks: [] } : {}) },
    y: { label: null, domain: rows.map((r) => r.label) },
    marks: [
      barX(rows, { x: "value", y: "label", fill: "var(--c0)", className: "bar", insetTop: 3, insetBottom: 3 }),
      text(rows, { x: "value", y: "label", text: (d) => d.value.toLocaleString("en-US"), textAnchor: "start", dx: 5, fill: "var(--ink)" }),
    ],
  });
}

// points are those of a scatter, as the shared script draws them.
const points = ({ series }) =>
  series.map(({ dot: [x, y], interval: [low, high] = [], ...s }) => ({ ...s, x, y, low, high }));

const kinds = { curves, scatter: (chart, width) => scatter({ ...chart, points: points(chart) }, width), scores, bars };

// draw returns the picture of a chart.
export function draw(chart, width, pick) {
  const inWords = (axis) => axis && { ...axis, label: pick(axis.label) };
  return kinds[chart.kind]({ ...chart, x: inWords(chart.x), y: inWords(chart.y) }, width, pick);
}
