// bitPairs returns the bits of two sketches side by side, the lowest first: [bit of a, bit of b].
// Sketches of two lengths have none.
export function bitPairs(pair) {
  if (pair.bits_a !== pair.bits_b) return undefined;
  const [a, b] = [pair.a, pair.b].map((s) => Uint8Array.from(atob(s), (c) => c.charCodeAt(0)));
  return Array.from({ length: pair.bits_a }, (_, i) => [(a[i >> 3] >> (i & 7)) & 1, (b[i >> 3] >> (i & 7)) & 1]);
}
