// sorted orders rows by a key; rows without the value come last, whichever way. Ties stay as they are.
export function sorted(rows, key, down) {
  const known = (v) => v !== undefined && v !== null && !Number.isNaN(v);
  return rows
    .map((row, i) => ({ row, i, v: key(row) }))
    .sort((x, y) => {
      if (known(x.v) !== known(y.v)) return known(x.v) ? -1 : 1;
      if (!known(x.v) || x.v === y.v) return x.i - y.i;
      return (x.v < y.v ? -1 : 1) * (down ? -1 : 1);
    })
    .map(({ row }) => row);
}

// matching keeps the rows whose text has all words of a filter, in any case.
export function matching(rows, filter, text) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? rows : rows.filter((r) => words.every((w) => text(r).toLowerCase().includes(w)));
}
