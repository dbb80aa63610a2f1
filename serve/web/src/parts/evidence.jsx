import { useMemo, useState } from "preact/hooks";
import { t } from "../lib/words.js";
import { digits } from "../lib/format.js";
import { bitPairs } from "../lib/bits.js";
import { look } from "../lib/paint.js";

// Ribbons shows where the passages of one text lie in the other.
export function Ribbons({ all, lengthA, lengthB, lit }) {
  if (all.length === 0) return null;
  const longest = Math.max(1, lengthA, lengthB);
  const x = (at) => ((1000 * at) / longest).toFixed(1);
  const across = (p) => {
    const [a, z, c, d] = [p.a[0], p.a[1], p.b[0], p.b[1]].map(x);
    return `M${a} 14V18C${a} 52 ${c} 38 ${c} 72V76H${d}V72C${d} 38 ${z} 52 ${z} 18V14Z`;
  };
  return (
    <figure class="ribbons">
      <figcaption class="small">{t("Above the first text, below the second, by length; bands join what they share", "上为第一篇，下为第二篇，按长度；色带连接共有部分")}</figcaption>
      <svg viewBox="0 0 1000 90" preserveAspectRatio="none" role="img" aria-label={t(`${all.length} shared passages`, `${all.length} 处共有部分`)}>
        <rect class="whole" x="0" y="2" width={x(lengthA)} height="12" />
        <rect class="whole" x="0" y="76" width={x(lengthB)} height="12" />
        {all.map((p, i) => (
          <g key={i} class={look(i) + (lit.has(i) ? " lit" : "")}>
            <path d={across(p)} />
            <rect x={x(p.a[0])} y="2" width={x(p.a[1] - p.a[0])} height="12" />
            <rect x={x(p.b[0])} y="76" width={x(p.b[1] - p.b[0])} height="12" />
          </g>
        ))}
      </svg>
    </figure>
  );
}

// Bits shows two fingerprints bit by bit, the highest first.
export function Bits({ pair }) {
  const pairs = bitPairs(pair);
  if (!pairs) return null;
  const apart = pairs.flatMap(([x, y], i) => (x !== y ? [i] : []));
  return (
    <figure class="bits">
      <figcaption>{t(`${pair.apart} of ${pair.bits_a} bits differ`, `${pair.bits_a} 位中有 ${pair.apart} 位不同`)}
        <span class="faint small"> {t("the highest first; where they differ the first text's bit stands above", "从最高位起；不同之处，上为第一篇的位")}</span></figcaption>
      <div class="bitgrid" role="img" aria-label={t(`Bits that differ: ${apart.join(", ") || "none"}`, `不同的位：${apart.join("、") || "无"}`)}>
        {pairs.map(([x, y], i) => (
          <span key={i} title={t(`bit ${i}`, `第 ${i} 位`)} class={x !== y ? "apart" : x ? "one" : "zero"}>{x === y ? x : <><i>{x}</i><i>{y}</i></>}</span>
        )).reverse()}
      </div>
    </figure>
  );
}

// Filter shows two Bloom filters, a dot a bit.
export function Filter({ pair }) {
  const pairs = useMemo(() => bitPairs(pair), [pair]);
  const counts = t(`${pair.ones_a} and ${pair.ones_b} bits set of ${pair.bits_a}, ${pair.both} in both`, `${pair.bits_a} 位中分别置位 ${pair.ones_a} 与 ${pair.ones_b}，共有 ${pair.both}`);
  if (!pairs || pairs.length > 1 << 16) return <p>{counts}</p>;
  const across = pairs.length <= 1024 ? 64 : 128;
  const paths = { both: "", first: "", second: "" };
  pairs.forEach(([x, y], i) => {
    if (x || y) paths[x && y ? "both" : x ? "first" : "second"] += `M${i % across} ${Math.floor(i / across)}h1v1h-1z`;
  });
  const rows = Math.ceil(pairs.length / across);
  return (
    <figure class="filter">
      <figcaption>{counts}</figcaption>
      <svg viewBox={`0 0 ${across} ${rows}`} role="img" aria-label={counts} shape-rendering="crispEdges">
        <rect class="whole" width={across} height={rows} />
        {Object.entries(paths).map(([k, d]) => <path key={k} class={k} d={d} />)}
      </svg>
      <ul class="keys small">
        <li><i class="both" />{t("in both", "两者都有")}</li><li><i class="first" />{t("first text only", "仅第一篇")}</li><li><i class="second" />{t("second text only", "仅第二篇")}</li>
      </ul>
    </figure>
  );
}

const few = 24;

// Pieces lists evidence, heaviest first, each with the look of the passage that it is in. It tells touch what the
// mouse and the focus are at, and show what is to be looked at.
export function Pieces({ explanation, passageOf, touch, show }) {
  const [all, setAll] = useState(false);
  const { evidence, shared } = explanation;
  const most = Math.max(...evidence.map((e) => e.weight), 1e-12);
  if (evidence.length === 0) return null;
  const passage = evidence[0].kind === "passage";
  return (
    <>
      <h3>{passage ? t("Shared fingerprints, in their passages", "共有指纹所在的段落") : t("What they share, heaviest first", "共有内容，按权重")} <span class="faint small">{shared}</span></h3>
      <ol class="pieces">
        {evidence.slice(0, all ? undefined : few).map((e, i) => (
          <li key={i}>
            <button type="button" title={`${e.kind} ${e.hash}`} onClick={() => show(i)} onMouseEnter={() => touch("mouse", i)} onMouseLeave={() => touch("mouse")} onFocus={() => touch("focus", i)} onBlur={() => touch("focus")}>
              <i class={`chip ${look(passageOf(i) ?? 0)}`} />
              <span class="piece">{e.text.replace(/\s+/g, " ")}</span>
              <meter min="0" max={most} value={e.weight} aria-label={t("weight", "权重")} />
              <span class="number small">{digits(e.weight)}</span>
              <span class="faint small times">{e.a_utf16.length}×{e.b_utf16.length}</span>
            </button>
          </li>
        ))}
      </ol>
      {evidence.length > few && !all && <button type="button" onClick={() => setAll(true)}>{t(`Show ${evidence.length - few} more`, `再显示 ${evidence.length - few} 项`)}</button>}
    </>
  );
}
