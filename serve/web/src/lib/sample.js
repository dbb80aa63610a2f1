// A sample that a method is chosen on: documents, and what is known of pairs of them. It is read here, from the
// files that alike choose reads.
import { t } from "./words.js";

// documents returns those of a file: of JSON lines one a line, with "text" and perhaps "id"; any other is one.
export function documents(name, text) {
  if (!/\.(jsonl|ndjson)$/i.test(name)) return [{ id: name, text }];
  const out = [];
  text.split("\n").forEach((line, i) => {
    if (line.trim() === "") return;
    const wrong = (what) => { throw new Error(`${name}:${i + 1}: ${what}`); };
    let row;
    try { row = JSON.parse(line); } catch { wrong(t("no JSON", "不是 JSON")); }
    if (typeof row?.text !== "string") wrong(t('no field "text"', "没有 text 字段"));
    out.push({ id: row.id === undefined ? `${name}:${i + 1}` : String(row.id), text: row.text });
  });
  return out;
}

// pairs returns what a file of tab-separated lines says: columns id1, id2 and label, which is 1 for two documents
// that are alike and 0 for others. ids are those of the documents, in their order.
export function pairs(name, text, ids) {
  const [head, ...lines] = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const columns = head.split("\t");
  const [one, other, label] = ["id1", "id2", "label"].map((c) => {
    if (!columns.includes(c)) throw new Error(t(`${name}: no column ${c}`, `${name}：没有 ${c} 列`));
    return columns.indexOf(c);
  });
  const at = new Map(ids.map((id, i) => [id, i]));
  return lines.flatMap((line, i) => {
    if (line === "") return [];
    const cells = line.split("\t");
    const number = (id) => {
      if (!at.has(id)) throw new Error(t(`${name}:${i + 2}: no document ${id}`, `${name}:${i + 2}：没有文档 ${id}`));
      return at.get(id);
    };
    const value = Number(cells[label] || NaN);
    if (!(value >= 0 && value <= 1)) throw new Error(t(`${name}:${i + 2}: the label is ${cells[label]}, want 0 or 1`, `${name}:${i + 2}：标注为 ${cells[label]}，应为 0 或 1`));
    return { a: number(cells[one]), b: number(cells[other]), alike: value >= 0.5 };
  });
}

// read returns the text of a file, unpacked where it is packed.
export async function read(file) {
  if (!/\.gz$/i.test(file.name)) return [file.name, await file.text()];
  return [file.name.slice(0, -3), await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text()];
}
