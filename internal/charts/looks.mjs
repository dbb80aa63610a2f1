// Looks of methods, as looks.json states them: colour, dashes and symbol. Package charts has the
// same rule in Go; testdata/looks.json holds cases for both.
import table from "./looks.json" with { type: "json" };

const { methods, colours, dashes, symbols } = table;

// looks returns the number of a look for each label: a Map. A method without settings always has the
// same look, and its variants have its colour.
export function looks(labels) {
  const out = new Map();
  const taken = new Set();
  const take = (label, look) => {
    out.set(label, look);
    taken.add(look);
  };
  methods.forEach((m, i) => labels.includes(m) && take(m, i));
  const all = colours.length * dashes.length;
  for (const label of labels) {
    if (out.has(label)) continue;
    if (taken.size === all) taken.clear();
    const first = methods.indexOf(label.split(/[: ]/, 1)[0]);
    let look = first < 0 ? colours.length - 1 : first;
    while (look < all && taken.has(look)) look += colours.length;
    if (look >= all) for (look = colours.length - 1; taken.has(look); ) look = (look + 1) % all; // no dashes are left
    take(label, look);
  }
  return out;
}

// colour is a variable of the style sheet, which has a value for each theme.
export const colour = (look) => `var(--c${look % colours.length})`;
export const dash = (look) => dashes[Math.floor(look / colours.length) % dashes.length].join(" ") || "none";

// symbol returns a symbol as d3-shape and Observable Plot draw it. A symbol of their size has the
// area of a circle of radius 1.
export const symbol = (look) => ({
  draw(context, size) {
    const r = Math.sqrt(size / Math.PI);
    const { corners } = symbols[(look + Math.floor(look / colours.length)) % symbols.length];
    corners.forEach(([x, y], i) => (i ? context.lineTo(r * x, -r * y) : context.moveTo(r * x, -r * y)));
    context.closePath();
  },
});

// outline returns the path of a symbol around the origin, for a legend.
export function outline(look, radius) {
  const path = [];
  const to = (command) => (x, y) => path.push(`${command}${x.toFixed(2)},${y.toFixed(2)}`);
  symbol(look).draw({ moveTo: to("M"), lineTo: to("L"), closePath: () => path.push("Z") }, Math.PI * radius ** 2);
  return path.join("");
}
