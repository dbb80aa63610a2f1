// Charts that reports and the pages of serve share. Labels are in the language of the page.
// An axis is {label, log, domain}; what a point or a series looks like is its look.
import { plot, line, dot, ruleX, text, link, tip, pointer } from "@observablehq/plot";
import { colour, dash, symbol } from "./looks.mjs";
import { short } from "./short.mjs";

export const style = { fontSize: "12px", background: "none", overflow: "visible" };

// leading matches the first digits of the ticks that a logarithmic axis labels: the fewer
// decades there are, the more digits.
const leading = (span) => (span < 5 ? /^[1-9]/ : span < 50 ? /^[125]/ : /^1/);

// axis returns the options of a scale. A logarithmic one goes a little beyond the values.
export function axis({ label, log, domain }, ticks, values) {
  const common = { label, labelAnchor: "center", labelArrow: "none", grid: true, ticks };
  if (!log) return { ...common, domain, nice: !domain };
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const named = leading(high / low);
  return {
    ...common, type: "log", domain: [low / 1.25, high * 1.25],
    tickFormat: (v) => (named.test(v.toExponential()) && Math.abs(v / +v.toPrecision(1) - 1) < 1e-9 ? short(v) : ""),
  };
}

// frame returns what all charts have: size, margins and the axes around the points.
const frame = ({ x, y }, width, points) => ({
  width, height: Math.min(440, Math.max(290, width * 0.56)), style, className: "chart",
  marginLeft: 54, marginBottom: 44, marginRight: 20, marginTop: 16,
  x: axis(x, width < 500 ? 4 : 7, points.map((p) => p.x)), y: axis(y, 6, points.map((p) => p.y)),
});

const titled = ({ x, y }, points) =>
  points.map((p) => ({ ...p, title: `${p.label}\n${x.label}: ${short(p.x)}\n${y.label}: ${short(p.y)}` }));

const tips = (points) =>
  tip(points, pointer({ x: "x", y: "y", title: "title", fontSize: 12, fill: "var(--card)", stroke: "var(--line)", textPadding: 7 }));

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

// curves draws series {label, look, points: [[x, y], …]}. With marks a series shows its points, with bounds
// [[x, low, high], …] their intervals, with dots further points, and with at one that stands out. A thin
// one stands back. chart.step draws steps, chart.iso lines of equal F1, and chart.threshold a line at this x.
export function curves(chart, width) {
  const { series, threshold } = chart;
  const all = titled(chart, series.flatMap((s) => s.points.map(([x, y]) => ({ label: s.label, x, y }))));
  return plot({
    ...frame(chart, width, all), ...(chart.iso ? { marginRight: 52 } : {}),
    marks: [
      ...(chart.iso ? equalF1() : []),
      ...(threshold == null ? [] : [
        ruleX([threshold], { stroke: "var(--ink)", strokeDasharray: "4 3", className: "threshold" }),
        text([threshold], { x: (d) => d, text: (d) => d.toFixed(3), frameAnchor: "top", dy: -10, fill: "var(--ink)" }),
      ]),
      ...series.map((s) => line(s.points, {
        stroke: colour(s.look), strokeWidth: s.thin ? 1.2 : 2, strokeDasharray: s.thin ? "5 3" : dash(s.look),
        curve: chart.step ? "step-before" : "linear", className: "series", ariaDescription: s.label,
      })),
      ...series.filter((s) => s.marks).map((s) => dot(s.points, { symbol: symbol(s.look), fill: colour(s.look), r: 3.5, ariaDescription: s.label })),
      ...series.filter((s) => s.bounds).map((s) => link(s.bounds, { x1: "0", x2: "0", y1: "1", y2: "2", stroke: colour(s.look), strokeOpacity: 0.7 })),
      ...series.filter((s) => s.dots).map((s) => dot(s.dots, { fill: colour(s.look), r: 3.5, className: "dots" })),
      ...series.filter((s) => s.at).map((s) => point(s.look, [s.at], { ariaDescription: s.label })),
      tips(all),
    ],
  });
}

const point = (look, at, options) =>
  dot(at, { symbol: symbol(look), fill: colour(look), stroke: "var(--card)", r: 6, className: "point", ...options });

// scatter draws points {x, y, label, look, front, low, high}; low and high bound an interval, if there is one. Those of the
// front have rings, and a line joins them unless chart.apart says otherwise. chart.others are grey points without
// a look, and chart.chosen is the label of a point that stands out.
export function scatter(chart, width) {
  const points = titled(chart, chart.points);
  const others = titled(chart, chart.others ?? []);
  const front = points.filter((p) => p.front).sort((a, b) => a.x - b.x);
  const chosen = { stroke: "var(--ink)", strokeWidth: 3 };
  return plot({
    ...frame(chart, width, [...points, ...others]),
    marks: [
      dot(others, { x: "x", y: "y", r: 3, fill: "var(--faint)", fillOpacity: 0.45, className: "others" }),
      line(chart.apart ? [] : front, { x: "x", y: "y", stroke: "var(--faint)", strokeDasharray: "1 4", strokeLinecap: "round", strokeWidth: 2, className: "front" }),
      link(points.filter((p) => p.low != null), { x1: "x", x2: "x", y1: "low", y2: "high", stroke: (p) => colour(p.look), strokeWidth: 1.5, className: "intervals" }),
      dot(front, { x: "x", y: "y", r: 10, stroke: "var(--ink)", strokeWidth: 1.2 }),
      ...points.map((p) => point(p.look, [p], { x: "x", y: "y", ariaDescription: p.label, ...(p.label === chart.chosen ? chosen : {}) })),
      tips([...points, ...others]),
    ],
  });
}
