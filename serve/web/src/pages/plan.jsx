import { useMemo, useState } from "preact/hooks";
import { t } from "../lib/words.js";
import { query } from "../lib/api.js";
import { useAsked, useLater } from "../lib/hooks.js";
import { remember } from "../lib/route.js";
import { bytes, digits, seconds, short } from "../lib/format.js";
import { found, half } from "../lib/curves.js";
import { within } from "../lib/plan.js";
import { looks } from "../../../../internal/charts/looks.mjs";
import { Curves } from "../parts/plots.jsx";
import { Failed } from "../parts/failed.jsx";

const start = { docs: 7, bits: 64, k: 3, memory: 0, blocks: 0, tables: 256, bands: 20, rows: 5 };


const lookOf = (method) => looks([method]).get(method);
const number = (values, key) => (Number.isFinite(parseFloat(values[key])) ? parseFloat(values[key]) : start[key]);
const clamp = (v, low, high) => Math.min(high, Math.max(low, v));

export function Plan({ values, language }) {
  const [state, setState] = useState(() => ({
    docs: clamp(number(values, "docs"), 3, 11), bits: [32, 64, 128].includes(+values.bits) ? +values.bits : 64,
    k: clamp(Math.round(number(values, "k")), 0, 31), memory: clamp(Math.round(number(values, "memory")), 0, 44), blocks: clamp(Math.round(number(values, "blocks")), 0, 128), tables: clamp(Math.round(number(values, "tables")), 1, 256),
    bands: clamp(Math.round(number(values, "bands")), 1, 500), rows: clamp(Math.round(number(values, "rows")), 1, 64),
  }));
  const change = (part) => setState((s) => {
    const now = { ...s, ...part };
    now.k = Math.min(now.k, now.bits - 1);
    remember("plan", Object.fromEntries(Object.entries(now).filter(([key, v]) => v !== start[key])));
    return now;
  });
  return (
    <>
      <p class="intro">{t("What finding near-duplicates costs before you build anything, and what it finds.", "在动手之前，先看查找近似重复的代价，以及能找到什么。")}</p>
      <Fingerprints state={state} change={change} language={language} />
      <Bands state={state} change={change} language={language} />
    </>
  );
}

function Slider({ id, label, value, low, high, step = 1, shown, change }) {
  return (
    <div class="slider">
      <label for={id}>{label}</label>
      <output for={id}>{shown}</output>
      <input id={id} type="range" min={low} max={high} step={step} value={value} aria-valuetext={String(shown)} onInput={(e) => change(e.currentTarget.valueAsNumber)} />
    </div>
  );
}

// blocksOf is into how many blocks a design cuts a fingerprint, 0 where it does not.
const blocksOf = (d) => +(d.design.match(/^(?:blocks|mih):(\d+)/)?.[1] ?? 0);

// amount is the number of documents: a slider of powers of ten, with two digits.
const amount = (power) => +(10 ** power).toPrecision(2);
const memoryOf = (power) => (power < 24 ? 0 : 2 ** power);

function Fingerprints({ state, change, language }) {
  const docs = amount(state.docs);
  const memory = memoryOf(state.memory);
  const path = `plan${query({ docs, bits: state.bits, distance: state.k, memory: memory || undefined })}`;
  const asked = useAsked(useLater(path, 150));
  const designs = asked.data?.designs ?? [];
  const blocks = [...new Set(designs.map(blocksOf).filter((n) => n > 0))].sort((x, y) => x - y);
  const only = blocks.includes(state.blocks) ? state.blocks : 0;
  const shown = designs.filter((d) => d.tables <= state.tables && (only === 0 || blocksOf(d) === only));
  const [chosen, choose] = useState();
  // The one that was chosen, the one that is taken, or the fastest of those that are left.
  const taken = shown.find((d) => d.design === chosen) ?? shown.find((d) => d.taken) ?? [...shown].sort((x, y) => x.query_ns - y.query_ns)[0];
  const curve = useMemo(() => [{
    label: t("found", "被找到"), look: lookOf("simhash"),
    points: Array.from({ length: 251 }, (_, i) => 0.5 + i / 500).map((c) => [c, within(c, state.k, state.bits)]),
    dots: (asked.data?.bits === state.bits && asked.data?.distance === state.k ? asked.data.finds : []).filter((f) => f.cosine >= 0.5).map((f) => [f.cosine, f.found]),
  }], [state.k, state.bits, asked.data, language]);
  const unrelated = (within(0, state.k, state.bits) * docs * (docs - 1)) / 2;
  return (
    <section aria-labelledby="fingerprints">
      <h2 id="fingerprints">{t("SimHash fingerprints within a distance", "海明距离内的 SimHash 指纹")}</h2>
      <div class="sliders">
        <Slider id="docs" label={t("documents", "文档数")} low={3} high={11} step={0.05} value={state.docs} shown={short(docs)} change={(v) => change({ docs: v })} />
        <div class="slider">
          <span id="bits-label">{t("bits", "位数")}</span>
          <div class="switch" role="group" aria-labelledby="bits-label">
            {[32, 64, 128].map((b) => <button type="button" key={b} aria-pressed={state.bits === b} onClick={() => change({ bits: b })}>{b}</button>)}
          </div>
        </div>
        <Slider id="k" label={t("greatest distance k", "最大距离 k")} low={0} high={Math.min(31, state.bits - 1)} value={state.k} shown={state.k} change={(v) => change({ k: v })} />
        <Slider id="memory" label={t("memory at most", "内存上限")} low={23} high={44} value={Math.max(23, state.memory)} shown={memory ? bytes(memory) : t("any", "不限")} change={(v) => change({ memory: v === 23 ? 0 : v })} />
        <Slider id="blocks" label={t("blocks", "块数")} low={0} high={blocks.length} value={blocks.indexOf(only) + 1} shown={only || t("any", "不限")} change={(i) => change({ blocks: blocks[i - 1] ?? 0 })} />
        <Slider id="tables" label={t("tables at most (redundancy)", "表数上限（冗余）")} low={1} high={256} value={state.tables} shown={state.tables === 256 ? t("any", "不限") : state.tables} change={(v) => change({ tables: v })} />
      </div>
      <Failed error={asked.error} />
      {taken && (
        <dl class="facts" aria-live="polite">
          <div><dt>{t("design", "布局")}</dt><dd><code>{taken.design}</code>{taken.taken && " ★"}</dd></div>
          <div><dt>{t("candidates a query", "每次查询的候选")}</dt><dd>{digits(taken.candidates)}</dd></div>
          <div><dt>{t("index", "索引")}</dt><dd>{bytes(taken.bytes)}</dd></div>
          <div><dt>{t("a query takes about", "每次查询约")}</dt><dd>{seconds(taken.query_ns / 1e9)}</dd></div>
          <div><dt>{t("unrelated pairs found by chance", "偶然找到的无关对")}</dt><dd>{digits(unrelated)}</dd></div>
        </dl>
      )}
      {asked.data && !asked.data.fits && <p class="failed" role="status">{t("No design fits into that memory; the one taken is the smallest.", "没有布局能放进该内存；选用的是最小的。")}</p>}
      <div class="halves">
        <div>
          <h3>{t("Layouts of tables", "表的布局")} <span class="faint small">{t("★ the fastest that fits; choose another to see what it takes", "★ 放得下的布局中最快的；可另选一种查看")}</span></h3>
          <div class="wide" tabIndex={0} role="region" aria-label={t("Layouts of tables", "表的布局")}>
            <table aria-busy={asked.busy}>
              <thead><tr><th>{t("design", "布局")}</th><th class="number">{t("tables", "表")}</th><th class="number">{t("key bits", "键位数")}</th><th class="number">{t("candidates", "候选")}</th><th class="number">{t("index", "索引")}</th><th class="number">{t("a query", "查询")}</th></tr></thead>
              <tbody>
                {shown.map((d) => (
                  <tr key={d.design} class={d === taken ? "chosen" : undefined} title={d.layout}>
                    <th scope="row"><button type="button" aria-pressed={d === taken} onClick={() => choose(d.design)}>{d.design}</button>{d.taken && <> <b aria-label={t("taken", "选用")}>★</b></>}</th>
                    <td class="number">{d.tables}</td>
                    <td class="number">{d.key_bits_most === 0 ? "–" : d.key_bits_least < d.key_bits_most ? `${d.key_bits_least}–${d.key_bits_most}` : d.key_bits_most}</td>
                    <td class="number">{digits(d.candidates)}</td>
                    <td class="number">{bytes(d.bytes)}</td>
                    <td class="number">{seconds(d.query_ns / 1e9)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
        <figure>
          <figcaption>{t(`P(found) by the cosine of the documents, k = ${state.k} of ${state.bits}`, `按文档余弦的被找到概率，${state.bits} 位中 k = ${state.k}`)}</figcaption>
          <Curves label={t("Probability of being found by cosine", "按余弦的被找到概率")} series={curve} x={{ label: t("cosine", "余弦"), domain: [0.5, 1] }} y={{ label: t("found", "被找到"), domain: [0, 1] }} />
        </figure>
      </div>
      <Backends docs={docs} bits={state.bits} k={state.k} />
    </section>
  );
}

// Backends shows what an index of so many documents takes on each backend, when one asks for it.
function Backends({ docs, bits, k }) {
  const [open, setOpen] = useState(false);
  const path = useLater(`plan/backends${query({ docs, bits, distance: k })}`, 300);
  const asked = useAsked(open ? path : null);
  return (
    <details class="backends" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{t("On each backend", "在各后端上")}</summary>
      <Failed error={asked.error} />
      {asked.data && (
        <>
          <p>{t("Layout", "布局")} <code>{asked.data.layout}</code> <span class="faint small">{t("machines of 64 GiB of memory and 2 TB of flash; by constants that were measured", "机器为 64 GiB 内存、2 TB 闪存；按实测常数")}</span></p>
          <div class="wide" tabIndex={0} role="region" aria-label={t("On each backend", "在各后端上")}>
            <table>
              <thead><tr><th>{t("backend", "后端")}</th><th class="number">{t("bytes", "字节")}</th><th class="number">{t("copies", "副本")}</th><th class="number">{t("machines", "机器")}</th><th class="number">{t("in memory", "在内存中")}</th><th class="number">{t("lookups a query", "每次查找")}</th><th class="number">{t("postings scanned", "扫描条目")}</th><th class="number">{t("a query", "查询")}</th><th class="number">{t("loading", "载入")}</th></tr></thead>
              <tbody>
                {asked.data.backends.map((r) => (
                  <tr key={r.backend}>
                    <th scope="row"><code>{r.backend}</code></th>
                    <td class="number">{bytes(r.bytes)}</td><td class="number">{r.copies}</td><td class="number">{r.machines}</td><td class="number">{digits(100 * r.hot)} %</td>
                    <td class="number">{digits(r.lookups)}</td><td class="number">{digits(r.scanned)}</td><td class="number">{seconds(r.query_seconds)}</td><td class="number">{seconds(r.load_seconds)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </details>
  );
}

// What others use: the textbook's example, and those of two data sets for language models.
const known = [
  { name: "20×5", about: () => t("textbook", "教科书"), bands: 20, rows: 5 },
  { name: "14×8", about: () => "FineWeb", bands: 14, rows: 8 },
  { name: "450×20", about: () => "RefinedWeb", bands: 450, rows: 20 },
];

function Bands({ state, change, language }) {
  const { bands, rows } = state;
  const points = (b, r) => Array.from({ length: 201 }, (_, i) => [i / 200, found(i / 200, b, r)]);
  const series = useMemo(() => [
    ...known.filter((o) => o.bands !== bands || o.rows !== rows).map((o, i) => ({ label: `${o.name} ${o.about()}`, look: i + 2, thin: true, points: points(o.bands, o.rows) })),
    { label: `${bands}×${rows}`, look: lookOf("minhash"), points: points(bands, rows) },
  ], [bands, rows, language]);
  return (
    <section aria-labelledby="bands-title">
      <h2 id="bands-title">{t("MinHash in bands of rows", "MinHash 分带")}</h2>
      <p class="faint small">{t("A pair is found if all rows of one band agree: more bands find more, more rows find less. Their product is the length of the signature.", "只要有一个带的所有行相同，就会找到这一对：带越多找到越多，行越多找到越少。两者之积是签名长度。")}</p>
      <div class="halves">
        <div>
          <div class="sliders">
            <Slider id="bands" label={t("bands", "带数")} low={1} high={500} value={bands} shown={bands} change={(v) => change({ bands: v })} />
            <Slider id="rows" label={t("rows a band", "每带行数")} low={1} high={64} value={rows} shown={rows} change={(v) => change({ rows: v })} />
          </div>
          <div class="chips" role="group" aria-label={t("What others use", "他人所用")}>
            {known.map((o) => <button type="button" key={o.name} aria-pressed={o.bands === bands && o.rows === rows} onClick={() => change({ bands: o.bands, rows: o.rows })}>{o.name} {o.about()}</button>)}
          </div>
          <dl class="facts">
            <div><dt>{t("values of a signature", "签名长度")}</dt><dd>{digits(bands * rows)}</dd></div>
            <div><dt>{t("half are found at", "找到一半时的相似度")}</dt><dd>{half(bands, rows).toFixed(3)}</dd></div>
            {[0.5, 0.7, 0.8, 0.9].map((s) => <div key={s}><dt>{t(`found at ${s}`, `相似度 ${s} 时`)}</dt><dd>{digits(found(s, bands, rows))}</dd></div>)}
          </dl>
        </div>
        <figure>
          <figcaption>{t(`P(found) by resemblance, ${bands} bands of ${rows} rows`, `按相似度的被找到概率，${bands} 带 × ${rows} 行`)}</figcaption>
          <Curves label={t("Probability of being found by resemblance", "按相似度的被找到概率")} series={series} threshold={half(bands, rows)} x={{ label: t("resemblance", "相似度"), domain: [0, 1] }} y={{ label: t("found", "被找到"), domain: [0, 1] }} />
        </figure>
      </div>
    </section>
  );
}
