import { colour, dash, outline } from "../../../../internal/charts/looks.mjs";

const svg = (name, attributes) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
};

// legend returns the list of what the series of a chart look like, or nothing for a chart
// that says so itself.
export function legend({ series }) {
  if (!series) return null;
  const list = document.createElement("ul");
  list.className = "legend";
  for (const s of series) {
    const key = svg("svg", { width: 30, height: 14, "aria-hidden": "true" });
    const look = { stroke: colour(s.look), fill: "none", "stroke-width": 2 };
    if (s.points) key.append(svg("line", { ...look, x1: 0, y1: 7, x2: 30, y2: 7, "stroke-dasharray": dash(s.look) }));
    if (s.at || s.dot || s.marks) {
      key.append(svg("path", { ...look, "stroke-width": 1.5, fill: colour(s.look), d: outline(s.look, 4), transform: "translate(15,7)" }));
    }
    const item = document.createElement("li");
    item.append(key, s.label);
    list.append(item);
  }
  return list;
}
