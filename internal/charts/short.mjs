// short prints a number with three digits at most and a unit prefix, as axes do.
export function short(v) {
  const [by, prefix] = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([by]) => Math.abs(v) >= by) ?? [1, ""];
  return `${+(v / by).toPrecision(3)}${prefix}`;
}
