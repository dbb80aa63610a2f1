// Charts. They and the library that draws them are loaded by the pages that have any.
import { useEffect, useRef } from "preact/hooks";
import { plot, line, dot, link, ruleX, text, tip, pointer } from "@observablehq/plot";
import { useWidth } from "../lib/hooks.js";
import { short } from "../lib/format.js";
import { colours, look } from "./look.js";

// Chart draws what draw(width) makes of a plot, again when it or the width changes. Plot styles itself
// by an element that the policy of these pages forbids; app.css has the same.
function Chart({ label, draw, inputs }) {
  const [ref, width] = useWidth();
  const at = useRef(null);
  useEffect(() => {
    if (width < 40) return;
    const svg = draw(width);
    for (const style of svg.querySelectorAll("style")) style.remove();
    for (const named of svg.querySelectorAll("[aria-label]")) named.removeAttribute("aria-label"); // parts of a picture
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
    at.current.replaceChildren(svg);
  }, [width, label, ...inputs]);
  return <div class="plot" ref={ref}><div ref={at} /></div>;
}

const font = { fontSize: "12px", background: "none", overflow: "visible" };

// leading are the first digits of what the ticks of a logarithmic axis name: the fewer
// decades there are, the more.
const leading = (span) => (span < 5 ? /^[1-9]/ : span < 50 ? /^[125]/ : /^1/);

function axis({ label, log, domain }, values) {
  const common = { label, labelAnchor: "center", labelArrow: "none", grid: true, tickFormat: short };
  if (!log) return { ...common, domain, nice: !domain, ticks: 6 };
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const named = leading(high / low);
  return {
    ...common, type: "log", domain: [low / 1.3, high * 1.3],
    tickFormat: (v) => (named.test(v.toExponential()) && Math.abs(v / +v.toPrecision(1) - 1) < 1e-9 ? short(v) : ""),
  };
}

const tips = (points) => tip(points, pointer({ x: "x", y: "y", title: "title", fontSize: 12, fill: "var(--card)", stroke: "var(--line)", textPadding: 7 }));

// Scatter shows points {x, y, label, look, front, low, high}. A line joins those of the front.
export function Scatter({ label, x, y, points, chosen }) {
  const draw = (width) => {
    const all = points.map((p) => ({ ...p, title: `${p.label}\n${x.label}: ${short(p.x)}\n${y.label}: ${short(p.y)}` }));
    const front = all.filter((p) => p.front).sort((a, b) => a.x - b.x);
    return plot({
      width, height: Math.min(440, Math.max(280, width * 0.5)), style: font, className: "chart",
      marginLeft: 56, marginBottom: 44, marginRight: 20, marginTop: 16,
      x: axis(x, all.map((p) => p.x)), y: axis(y, all.map((p) => p.y)),
      marks: [
        line(front, { x: "x", y: "y", stroke: "var(--faint)", strokeDasharray: "2 4", strokeWidth: 2, className: "front" }),
        link(all.filter((p) => p.low != null), { x1: "x", x2: "x", y1: "low", y2: "high", stroke: (p) => colours(p.look), strokeWidth: 1.5, className: "intervals" }),
        dot(front, { x: "x", y: "y", r: 10, stroke: "var(--ink)", strokeWidth: 1.2 }),
        ...all.map((p) => dot([p], { x: "x", y: "y", symbol: look(p.look), fill: colours(p.look), stroke: chosen === p.label ? "var(--ink)" : "var(--card)", strokeWidth: chosen === p.label ? 3 : 1, r: 6, className: "point", ariaDescription: p.label })),
        tips(all),
      ],
    });
  };
  return <Chart label={label} draw={draw} inputs={[points, chosen, x.label, y.label, x.log]} />;
}

// Curves shows series {label, look, points: [[x, y], …], dots}, and where threshold is given a line there.
export function Curves({ label, x, y, series, threshold }) {
  const draw = (width) => {
    const all = series.flatMap((s) => s.points.map(([px, py]) => ({ x: px, y: py, title: `${s.label}\n${x.label}: ${short(px)}\n${y.label}: ${short(py)}` })));
    return plot({
      width, height: Math.min(380, Math.max(260, width * 0.5)), style: font, className: "chart",
      marginLeft: 52, marginBottom: 44, marginRight: 16, marginTop: 16,
      x: axis(x, all.map((p) => p.x)), y: axis(y, all.map((p) => p.y)),
      marks: [
        ...(threshold == null ? [] : [
          ruleX([threshold], { stroke: "var(--ink)", strokeDasharray: "4 3", className: "threshold" }),
          text([threshold], { x: (d) => d, text: (d) => d.toFixed(3), frameAnchor: "top", dy: -10, fill: "var(--ink)" }),
        ]),
        ...series.map((s) => line(s.points, { stroke: colours(s.look), strokeWidth: s.thin ? 1.2 : 2.5, strokeDasharray: s.thin ? "5 3" : undefined, className: "series", ariaDescription: s.label })),
        ...series.filter((s) => s.dots).map((s) => dot(s.dots, { fill: colours(s.look), r: 3.5, className: "dots" })),
        tips(all),
      ],
    });
  };
  return <Chart label={label} draw={draw} inputs={[series, threshold, x.label, y.label]} />;
}
