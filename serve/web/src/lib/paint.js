import { segments } from "./passages.js";

// Looks of passages, of which the first comes again after the last: eight colours, then the same with other lines.
const colours = 8;
const lines = 3;
export const look = (i) => `p${i % colours} l${Math.floor(i / colours) % lines}`;
const name = (i) => look(i).replace(" ", "");

// paint marks ranges of texts, each of which is the first child of an element; lit are numbers of
// ranges that are to stand out. It adds no elements, as those would break lines at other places
// than the editor does. A browser that cannot do it shows no marks.
export function paint(texts, lit) {
  if (!globalThis.CSS?.highlights) return;
  const found = new Map();
  for (const { element, text, ranges } of texts) {
    const node = element.firstChild;
    let at = 0;
    for (const s of segments(text, ranges)) {
      const end = at + s.text.length;
      if (s.mark !== undefined && end <= node.length) {
        const key = lit.size === 0 ? name(s.mark) : lit.has(s.mark) ? "lit" : undefined;
        if (key && !found.has(key)) found.set(key, new Highlight());
        if (key) found.get(key).add(new StaticRange({ startContainer: node, startOffset: at, endContainer: node, endOffset: end }));
      }
      at = end;
    }
  }
  for (const key of CSS.highlights.keys()) if (!found.has(key)) CSS.highlights.delete(key);
  for (const [key, ranges] of found) CSS.highlights.set(key, ranges);
}

// top returns how far below the top of an element a place of its text stands.
export function top(element, at) {
  const range = document.createRange();
  range.setStart(element.firstChild, at);
  range.setEnd(element.firstChild, at);
  return range.getBoundingClientRect().top - element.getBoundingClientRect().top;
}
