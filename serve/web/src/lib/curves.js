// found is the probability that documents of a similarity share a band of MinHash: bands of
// so many rows each (Leskovec, Rajaraman, Ullman: Mining of Massive Datasets, section 3.4.2).
export const found = (similarity, bands, rows) => 1 - (1 - similarity ** rows) ** bands;

// steepest is the similarity at which half of the pairs are found.
export const half = (bands, rows) => (1 - 0.5 ** (1 / bands)) ** (1 / rows);
