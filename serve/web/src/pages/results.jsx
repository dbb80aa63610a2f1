import { useEffect, useMemo, useState } from "preact/hooks";
import { t } from "../lib/words.js";
import { query } from "../lib/api.js";
import { useAsked } from "../lib/hooks.js";
import { remember } from "../lib/route.js";
import { digits } from "../lib/format.js";
import { front } from "../lib/pareto.js";
import { matching, sorted } from "../lib/table.js";
import { looks as looksOf } from "../../../../internal/charts/looks.mjs";
import { Scatter } from "../parts/plots.jsx";
import { Mark } from "../parts/mark.jsx";
import { Failed } from "../parts/failed.jsx";

// What a record says, as columns: better is 1 where more is better, -1 where less is.
const columns = [
  { key: "f1", title: () => "F1", better: 1, share: true },
  { key: "precision", title: () => t("precision", "精确率"), better: 1, share: true },
  { key: "recall", title: () => t("recall", "召回率"), better: 1, share: true },
  { key: "ap", title: () => "AP", better: 1, share: true },
  { key: "auc", title: () => "AUC", better: 1, share: true },
  { key: "spearman", title: () => "Spearman", better: 1, share: true, rare: true },
  { key: "bcubed_f1", title: () => "B³ F1", better: 1, share: true, rare: true },
  { key: "bytes_per_doc", title: () => t("bytes a document", "每篇字节"), better: -1 },
  { key: "sketch_mb_s", title: () => t("sketching, MB/s", "草图 MB/s"), better: 1 },
  { key: "pairs_s", title: () => t("pairs/s", "对/秒"), better: 1 },
];
const prices = columns.filter((c) => !c.share);
const qualities = columns.filter((c) => c.share);
const column = (key, among) => among.find((c) => c.key === key) ?? among[0];
const setOf = (r) => `${r.dataset} · ${r.split}`;

export function Results({ values, language }) {
  const files = useAsked("records");
  const list = files.data?.files ?? [];
  const [state, setState] = useState({ file: values.file, set: values.set, filter: values.filter ?? "", sort: values.sort ?? "f1", up: values.up === "1", x: values.x ?? "bytes_per_doc", y: values.y ?? "f1", with: values.with });
  const change = (part) => setState((s) => ({ ...s, ...part }));
  useEffect(() => {
    remember("results", { ...state, up: state.up ? "1" : undefined });
  }, [state]);
  const file = list.find((f) => f.name === state.file) ?? list.find((f) => !f.error);
  const asked = useAsked(file && !file.error ? `records/${encodeURIComponent(file.name)}` : null);
  const records = asked.data?.records ?? [];
  const sets = [...new Set(records.map(setOf))];
  const set = sets.includes(state.set) ? state.set : sets[0];
  const rows = useMemo(() => matching(records.filter((r) => setOf(r) === set), state.filter, (r) => r.method), [records, set, state.filter]);
  const looks = useMemo(() => looksOf(records.map((r) => r.method)), [records]);

  return (
    <>
      <p class="intro">{t("Records of alike eval: sort, filter, and see what nothing else beats.", "alike eval 的记录：排序、筛选，看看哪些方法无可替代。")}</p>
      <Failed error={files.error ?? asked.error} />
      {files.data && list.length === 0 && <p>{t("This server has no records. Start it with --records and a folder of files that alike eval wrote.", "此服务器没有记录。请用 --records 指定 alike eval 写出的文件夹来启动。")}</p>}
      {list.filter((f) => f.error).map((f) => <p class="failed" key={f.name}><code>{f.name}</code>: {f.error}</p>)}
      {file && (
        <section aria-labelledby="board">
          <h2 id="board">{t("Leaderboard", "排行榜")}</h2>
          <div class="row start">
            <label>{t("Records", "记录")} <select value={file.name} onChange={(e) => change({ file: e.currentTarget.value, set: undefined, with: undefined })}>{list.filter((f) => !f.error).map((f) => <option key={f.name} value={f.name}>{f.name} ({f.records})</option>)}</select></label>
            <label>{t("Data", "数据")} <select value={set} onChange={(e) => change({ set: e.currentTarget.value })}>{sets.map((s) => <option key={s} value={s}>{s}</option>)}</select></label>
            <label>{t("Filter", "筛选")} <input type="search" value={state.filter} placeholder="simhash" onInput={(e) => change({ filter: e.currentTarget.value })} /></label>
            <span class="faint small" role="status">{t(`${rows.length} methods`, `${rows.length} 种方法`)}</span>
          </div>
          <Board rows={rows} state={state} change={change} />
        </section>
      )}
      {rows.length > 0 && <Front rows={rows} looks={looks} state={state} change={change} language={language} />}
      {file && rows.length > 0 && <Difference list={list.filter((f) => !f.error)} file={file} set={set} state={state} change={change} />}
    </>
  );
}

function Board({ rows, state, change }) {
  const shown = columns.filter((c) => !c.rare || rows.some((r) => r[c.key] != null));
  const by = column(state.sort, [{ key: "method", better: -1 }, ...columns]);
  const order = sorted(rows, (r) => r[by.key], (by.better > 0) !== state.up);
  const best = new Map(shown.map((c) => {
    const known = rows.filter((r) => !r.baseline).map((r) => r[c.key]).filter((v) => v != null);
    return [c.key, c.better > 0 ? Math.max(...known) : Math.min(...known)];
  }));
  const head = (c, title, number) => (
    <th key={c.key} class={number ? "number" : undefined} aria-sort={state.sort !== c.key ? undefined : (c.better > 0) !== state.up ? "descending" : "ascending"}>
      <button type="button" onClick={() => change(state.sort === c.key ? { up: !state.up } : { sort: c.key, up: false })}>{title}{state.sort === c.key && ((c.better > 0) !== state.up ? " ▾" : " ▴")}</button>
    </th>
  );
  return (
    <>
      <div class="wide" tabIndex={0} role="region" aria-labelledby="board">
        <table class="board">
          <thead><tr>{head({ key: "method", better: -1 }, t("method", "方法"))}{shown.map((c) => head(c, c.title(), true))}</tr></thead>
          <tbody>
            {order.map((r) => (
              <tr key={r.method}>
                <th scope="row"><code>{r.method}</code>{r.best && <small> {t("best on ", "最佳于 ")}{r.tuned_on}</small>}{r.baseline && <small> {t("baseline", "基线")}</small>}{r.front && <b title={t("no other is better in F1, bytes and speed at once", "没有别的方法在 F1、字节、速度上同时更好")}> ◆<span class="hidden">{t("on the front", "在前沿上")}</span></b>}</th>
                {shown.map((c) => (
                  <td key={c.key} class={`number${r[c.key] != null && !r.baseline && r[c.key] === best.get(c.key) ? " best" : ""}`}>
                    {r[c.key] == null ? "–" : c.share ? r[c.key].toFixed(3) : digits(r[c.key])}
                    {c.key === "f1" && marks[r.state] && <> {marks[r.state]}</>}
                    {c.key === "f1" && r.f1_low != null && <small>{r.f1_low.toFixed(3)}–{r.f1_high.toFixed(3)}</small>}
                    {c.key === "f1" && r.unusable && <small>{t("unusable", "不可用")}</small>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="faint small">{t("◆ no other is better in F1, bytes and sketching speed at once; below F1 its 95 % interval, which is unusable where the positive pairs lie in fewer than ten effective units.", "◆ 没有别的方法在 F1、字节与草图速度上同时更好；F1 下方为其 95% 区间，正例对所在的有效单位少于 10 个时不可用。")} {legend()}</p>
    </>
  );
}

function Front({ rows, looks, state, change, language }) {
  const x = column(state.x, prices);
  const y = column(state.y, qualities);
  const points = useMemo(() => {
    const best = front(rows, (r) => (r[x.key] == null ? NaN : -x.better * r[x.key]), (r) => r[y.key] ?? NaN);
    return rows.filter((r) => r[x.key] > 0 && r[y.key] != null).map((r) => ({
      x: r[x.key], y: r[y.key], label: r.method, look: looks.get(r.method), front: best.has(r),
      low: y.key === "f1" ? r.f1_low ?? undefined : y.key === "ap" ? r.ap_low ?? undefined : undefined,
      high: y.key === "f1" ? r.f1_high ?? undefined : y.key === "ap" ? r.ap_high ?? undefined : undefined,
    }));
  }, [rows, x, y, looks, language]);
  const [chosen, choose] = useState();
  return (
    <section aria-labelledby="front">
      <h2 id="front">{t("Quality and price", "质量与代价")}</h2>
      <div class="row start">
        <label>{t("Price", "代价")} <select value={x.key} onChange={(e) => change({ x: e.currentTarget.value })}>{prices.map((c) => <option key={c.key} value={c.key}>{c.title()}</option>)}</select></label>
        <label>{t("Quality", "质量")} <select value={y.key} onChange={(e) => change({ y: e.currentTarget.value })}>{qualities.filter((c) => rows.some((r) => r[c.key] != null)).map((c) => <option key={c.key} value={c.key}>{c.title()}</option>)}</select></label>
      </div>
      {points.length === 0 ? <p class="faint">{t("These records do not have both.", "这些记录不同时具备两者。")}</p> : (
        <>
          <Scatter label={t(`${y.title()} by ${x.title()}`, `${x.title()}与${y.title()}`)} points={points} chosen={chosen} x={{ label: x.title(), log: true }} y={{ label: y.title() }} />
          <ul class="legend small">
            {points.map((p) => (
              <li key={p.label}><button type="button" aria-pressed={chosen === p.label} onClick={() => choose(chosen === p.label ? undefined : p.label)}><Mark look={p.look} />{p.label}{p.front && " ◆"}</button></li>
            ))}
          </ul>
          <p class="faint small">{t(`◆ and the line: nothing has a better ${y.title()} at the same or a better price (${x.better < 0 ? "less" : "more"} is better).`, `◆ 与连线：在同样或更好的代价下没有更高的${y.title()}（代价${x.better < 0 ? "越小越好" : "越大越好"}）。`)}</p>
        </>
      )}
    </section>
  );
}

// Difference compares two runs, by the server's tests.
function Difference({ list, file, set, state, change }) {
  const [open, setOpen] = useState(state.with !== undefined);
  const other = list.find((f) => f.name === state.with) ?? list.find((f) => f.name !== file.name) ?? file;
  const asked = useAsked(open ? `records/${encodeURIComponent(file.name)}/diff${query({ with: other === file ? undefined : other.name })}` : null);
  const [all, setAll] = useState(false);
  const rows = (asked.data?.differences ?? []).filter((d) => `${d.dataset} · ${d.split}` === set && (all || d.state === "better" || d.state === "worse"));
  const common = (asked.data?.differences ?? []).some((d) => `${d.dataset} · ${d.split}` === set);
  return (
    <section aria-labelledby="difference">
      <h2 id="difference">{t("Compare two runs", "比较两次运行")}</h2>
      <div class="row start">
        <label>{t("This run with", "与此次比较")} <select value={other.name} onChange={(e) => { setOpen(true); change({ with: e.currentTarget.value }); }}>{list.map((f) => <option key={f.name} value={f.name}>{f.name === file.name ? t("itself: its methods with each other", "自身：方法之间") : f.name}</option>)}</select></label>
        {open ? <label><input type="checkbox" checked={all} onChange={(e) => setAll(e.currentTarget.checked)} /> {t("also what is not shown better or worse", "也显示未证明更好或更差的")}</label>
          : <button type="button" class="main" onClick={() => setOpen(true)}>{t("Compare", "比较")}</button>}
        <span role="status" class="faint small">{asked.busy ? t("Testing …", "正在检验……") : asked.data && (common ? t(`${rows.length} differences`, `${rows.length} 处差异`) : t("no data set in common", "没有共同的数据集"))}</span>
      </div>
      <Failed error={asked.error} />
      {rows.length > 0 && (
        <div class="wide" tabIndex={0} role="region" aria-labelledby="difference">
          <table>
            <thead><tr><th>{t("one", "甲")}</th><th>{t("other", "乙")}</th><th>{t("figure", "指标")}</th><th class="number">{t("one", "甲")}</th><th class="number">{t("other", "乙")}</th><th class="number">{t("difference", "差")}</th><th class="number">{t("95 % interval", "95% 区间")}</th><th>{t("the other is", "乙")}</th></tr></thead>
            <tbody>
              {rows.slice(0, 300).map((d, i) => (
                <tr key={i}>
                  <th scope="row"><code>{d.a}</code></th><td><code>{d.b}</code></td><td>{d.figure}</td>
                  <td class="number">{fixed(d.value_a)}</td><td class="number">{fixed(d.value_b)}</td>
                  <td class={`number${d.state === "better" ? " gain" : d.state === "worse" ? " loss" : ""}`}>{d.difference > 0 ? "+" : ""}{fixed(d.difference)}</td>
                  <td class="number">{d.low == null ? "–" : `${fixed(d.low)} … ${fixed(d.high)}`}</td>
                  <td>{marks[d.state] ?? "–"} {stateName(d.state)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

// What a comparison shows, as package eval decides it.
const marks = { better: "▲", "not worse": "≈", worse: "▼", undecided: "?" };
const stateName = (s) => ({ better: t("better", "更好"), "not worse": t("not worse", "不更差"), worse: t("worse", "更差"), undecided: t("undecided", "未定") })[s] ?? "";
const legend = () => t("▲ shown better than the method that is best on the split thresholds were chosen on, ≈ no worse by more than .03, ▼ worse, ? undecided: one-sided at 95 %, Holm over the methods.", "▲ 已证明优于在选择阈值的划分上最佳的方法，≈ 至多差 .03，▼ 更差，? 未定：单侧 95%，对各方法作 Holm 校正。");

const fixed = (v) => (v == null ? "–" : v.toFixed(4));
