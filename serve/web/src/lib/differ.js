import { diffArrays } from "diff/lib/diff/array.js";

// words cuts a text into words and what is between them, Chinese into the words that the
// browser knows.
export function words(text) {
  if (!globalThis.Intl?.Segmenter) return text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [];
  return Array.from(new Intl.Segmenter(undefined, { granularity: "word" }).segment(text), (s) => s.segment);
}

// differ lines up two texts by words: [{text, side}], side being "a" for what stands only in the
// first, "b" for what only in the second, undefined for what both have. Texts with more edits
// than a page can usefully show come out as wholly different.
export function differ(a, b, most = 4000) {
  const changes = diffArrays(words(a), words(b), { maxEditLength: most, timeout: 1500 });
  if (!changes) return [{ text: a, side: "a" }, { text: b, side: "b" }].filter((c) => c.text);
  return changes.map((c) => ({ text: c.value.join(""), side: c.removed ? "a" : c.added ? "b" : undefined }));
}
