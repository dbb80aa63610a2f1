// Numbers as people read them.

// score prints a score or a share with up to four digits, never rounding up to 1 or down to 0
// what is neither.
export function score(v) {
  if (v === 0 || v === 1) return String(v);
  return Math.min(0.9999, Math.max(0.0001, v)).toFixed(4);
}

// digits prints a number with three digits.
export function digits(v) {
  if (v == null || !Number.isFinite(v)) return "–";
  if (v === 0) return "0";
  const size = Math.abs(v);
  if (size >= 1e15 || size < 1e-4) return v.toExponential(1).replace("e+", "e");
  if (size >= 1000) return Math.round(v).toLocaleString("en-US");
  return String(+v.toPrecision(3));
}

// bytes prints a size by powers of 1,024.
export function bytes(v) {
  if (v == null) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let i = 0;
  for (; v >= 1024 && i < units.length - 1; i++) v /= 1024;
  return `${i === 0 ? Math.round(v) : v.toFixed(1)} ${units[i]}`;
}

// seconds prints a time with three digits, also in minutes and hours.
export function seconds(v) {
  if (v == null) return "–";
  const units = [[1e-6, "ns", 1e9], [1e-3, "µs", 1e6], [1, "ms", 1e3]];
  for (const [below, unit, by] of units) if (v < below * 0.9995) return `${+(v * by).toPrecision(3)} ${unit}`;
  if (v < 100) return `${+v.toPrecision(3)} s`;
  return v < 7200 ? `${+(v / 60).toPrecision(3)} min` : `${digits(v / 3600)} h`;
}

export { short } from "../../../../internal/charts/short.mjs";
