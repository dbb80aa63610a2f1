// within is the probability that two fingerprints of so many bits differ in at most radius of them,
// where the cosine of the documents is as given: a bit differs with probability angle/π (Charikar
// 2002), each by itself.
export function within(cosine, radius, bits) {
  const p = Math.acos(Math.min(1, Math.max(-1, cosine))) / Math.PI;
  if (p === 0 || radius >= bits) return 1;
  if (p === 1) return 0; // all bits differ
  // By logarithms, since (1-p)^bits may be too small for a number.
  let term = bits * Math.log1p(-p);
  let sum = Math.exp(term);
  for (let i = 1; i <= radius; i++) {
    term += Math.log((bits - i + 1) / i) + Math.log(p) - Math.log1p(-p);
    sum += Math.exp(term);
  }
  return Math.min(1, sum);
}
