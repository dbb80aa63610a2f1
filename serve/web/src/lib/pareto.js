// front returns those rows that no other beats: less or equal in price, more or equal in
// quality, and better in one of them. Rows without either number are never of it.
export function front(rows, price, quality) {
  const known = rows
    .map((row) => ({ row, p: price(row), q: quality(row) }))
    .filter(({ p, q }) => Number.isFinite(p) && Number.isFinite(q))
    .sort((x, y) => x.p - y.p || y.q - x.q);
  const out = new Set();
  let best = -Infinity;
  for (let i = 0; i < known.length; ) {
    // All of one price: of them only those of the best quality, and that must be a new best.
    const { p, q } = known[i];
    for (; i < known.length && known[i].p === p; i++) if (known[i].q === q && q > best) out.add(known[i].row);
    best = Math.max(best, q);
  }
  return out;
}
