import { useMemo, useState } from "preact/hooks";
import { t } from "../lib/words.js";
import { differ } from "../lib/differ.js";
import { bytes } from "../lib/format.js";

const most = 20000; // characters that are shown at first

// Sides shows two documents beside each other, with what only one of them has marked.
export function Sides({ a, b, titleA, titleB }) {
  const [whole, setWhole] = useState(false);
  const [textA, textB] = [a.text, b.text].map((s) => (whole ? s : s.slice(0, most)));
  const parts = useMemo(() => differ(textA, textB), [textA, textB]);
  const cut = !whole && Math.max(a.text.length, b.text.length) > most;
  return (
    <>
      <div class="sides two">
        <Side document={a} title={titleA} parts={parts} side="a" />
        <Side document={b} title={titleB} parts={parts} side="b" />
      </div>
      <ul class="keys small">
        <li><i class="only-a" />{t("only in the first", "仅前者")}</li><li><i class="only-b" />{t("only in the second", "仅后者")}</li>
        {cut && <li><button type="button" onClick={() => setWhole(true)}>{t("Show the whole texts", "显示全文")}</button></li>}
      </ul>
    </>
  );
}

function Side({ document, title, parts, side }) {
  return (
    <article class="side">
      <h4>{title && <span class="tag">{title}</span>} <code>{document.id}</code> <span class="faint small">{bytes(document.bytes)}</span></h4>
      <p class="text" lang={document.lang || undefined}>{parts.filter((p) => !p.side || p.side === side).map((p, i) => (p.side ? <mark key={i} class={`only-${side}`}>{p.text}</mark> : p.text))}</p>
    </article>
  );
}
