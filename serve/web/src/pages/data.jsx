import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../lib/words.js";
import { post, query } from "../lib/api.js";
import { useAsked, useLater } from "../lib/hooks.js";
import { address, remember } from "../lib/route.js";
import { bytes, digits, score, seconds } from "../lib/format.js";
import { Facts } from "../parts/facts.jsx";
import { Failed } from "../parts/failed.jsx";
import { Histogram } from "../parts/histogram.jsx";
import { Sides } from "../parts/sides.jsx";

const page = 25; // rows that are listed at once
const cut = 8000; // bytes of a text in a list of pairs

// nothing is a filter that lets everything through.
const nothing = { q: "", at: 0, only: undefined, sort: undefined, least: undefined, most: undefined };

export function Data({ values }) {
  const lists = useAsked("data");
  const [state, setState] = useState({
    set: values.set, dedup: values.dedup, view: values.view, q: values.q ?? "", at: +values.at || 0,
    method: values.method ?? "simhash", only: values.only, sort: values.sort, least: values.least, most: values.most,
  });
  const change = (part) => setState((s) => ({ ...s, ...part }));
  useEffect(() => {
    remember("data", { ...state, at: state.at || undefined });
  }, [state]);
  const { sets = [], dedup = [] } = lists.data ?? {};
  const result = dedup.find((d) => d.name === state.dedup);
  const set = result ? undefined : sets.find((s) => s.name === state.set) ?? (dedup.length > 0 && !state.set ? undefined : sets[0]);
  const shown = result ?? set ?? dedup[0];
  const kind = shown === set ? "set" : "dedup";
  return (
    <>
      <p class="intro">{t("Look through documents that belong together, see why one was removed, and judge for yourself.", "浏览属于一起的文档，看看为何移除，并亲自判断。")}</p>
      <Failed error={lists.error} />
      {shown && (
        <>
          <p class="row start"><label>{t("Look at", "查看")} <select id="what" value={`${kind}:${shown.name}`} onChange={(e) => {
            const [, of, name] = e.currentTarget.value.match(/^(\w+):(.*)$/s);
            change({ ...nothing, set: undefined, dedup: undefined, [of]: name, view: undefined });
          }}>
            {dedup.length > 0 && <optgroup label={t("Results of dedup", "去重结果")}>{dedup.map((d) => <option key={d.name} value={`dedup:${d.name}`}>{d.name}</option>)}</optgroup>}
            {sets.length > 0 && <optgroup label={t("Data sets", "数据集")}>{sets.map((s) => <option key={s.name} value={`set:${s.name}`}>{s.name}</option>)}</optgroup>}
          </select></label>
          <a class="small" href={address("choose", { data: shown.name })}>{t("Choose a method for these documents", "为这些文档选择方法")}</a></p>
          {kind === "set" ? <Set key={shown.name} entry={shown} state={state} change={change} /> : <Dedup key={shown.name} entry={shown} state={state} change={change} />}
        </>
      )}
      {lists.data && !shown && <p>{t("This server has no data. Start it with --data and a data set or a folder that alike dedup made.", "此服务器没有数据。请用 --data 指定数据集或 alike dedup 生成的文件夹来启动。")}</p>}
    </>
  );
}

function Views({ views, value, choose }) {
  return (
    <div class="chips" role="group" aria-label={t("Views", "视图")}>
      {views.map(([key, name]) => <button type="button" key={key} aria-pressed={key === value} onClick={() => choose(key)}>{name}</button>)}
    </div>
  );
}

function Set({ entry, state, change }) {
  const asked = useAsked(`data/${encodeURIComponent(entry.name)}`);
  const about = asked.data;
  const { method } = state;
  const views = about && [about.pairs > 0 && ["pairs", t("Labelled pairs", "标注对")], about.clusters > 0 && ["clusters", t("Clusters", "簇")], ["documents", t("Documents", "文档")]].filter(Boolean);
  const view = views?.some(([k]) => k === state.view) ? state.view : views?.[0][0];
  const path = `data/${encodeURIComponent(entry.name)}`;
  return (
    <>
      <Failed error={asked.error} />
      {!about && asked.busy && <p class="faint" role="status">{t("Reading …", "正在读取……")}</p>}
      {about && (
        <section aria-labelledby="set-title">
          <h2 id="set-title">{about.name}</h2>
          <p lang="en">{about.description}</p>
          <Facts facts={[[t("documents", "文档"), digits(about.documents)], [t("pairs", "对"), about.pairs ? digits(about.pairs) : undefined], [t("of them alike", "其中相似"), about.pairs ? digits(about.alike) : undefined], [t("clusters", "簇"), about.clusters ? digits(about.clusters) : undefined]]} />
          {about.licence && <p class="faint small">{t("Licence", "许可")}: <span lang="en">{about.licence}</span></p>}
          {about.pairs > 0 && <Scores path={path} method={method} choose={(m) => change({ method: m })} range={(r) => change({ ...r, view: "pairs", at: 0 })} />}
        </section>
      )}
      {about && (
        <section aria-labelledby="look-title">
          <h2 id="look-title" class="hidden">{t("Look through", "浏览")}</h2>
          <Views views={views} value={view} choose={(v) => change({ ...nothing, view: v })} />
          {view === "pairs" && <Items key="pairs" path={`${path}/pairs`} extra={{ method, cut, label: state.only }} only={onlyPairs()} sorts={pairSorts()} field="pairs" entry={entry} state={state} change={change} item={pairItem} />}
          {view === "clusters" && <Clusters key="clusters" path={path} state={state} change={change} />}
          {view === "documents" && <Documents key="documents" path={path} state={state} change={change} />}
        </section>
      )}
    </>
  );
}

const methods = ["simhash", "shingle", "minhash", "cosine", "bloom", "manber", "winnow"];

function Scores({ path, method, choose, range }) {
  const asked = useAsked(`${path}/histogram${query({ method })}`);
  return (
    <>
      <label>{t("Scores by", "分数方法")} <select value={method} onChange={(e) => choose(e.currentTarget.value)}>{methods.map((m) => <option key={m}>{m}</option>)}</select></label>
      <Failed error={asked.error} />
      {asked.data && <Histogram data={asked.data} range={range} />}
    </>
  );
}

function Dedup({ entry, state, change }) {
  const asked = useAsked(`dedup/${encodeURIComponent(entry.name)}`);
  const about = asked.data;
  const views = [["removals", t("Why removed", "为何移除")], ["clusters", t("Clusters", "簇")]];
  const view = views.some(([k]) => k === state.view) ? state.view : "removals";
  const path = `dedup/${encodeURIComponent(entry.name)}`;
  const r = about?.report;
  return (
    <>
      <Failed error={asked.error} />
      {!about && asked.busy && <p class="faint" role="status">{t("Reading …", "正在读取……")}</p>}
      {about && (
        <section aria-labelledby="set-title">
          <h2 id="set-title">{about.name}</h2>
          <p><code>{r.settings.method}</code> {r.settings.threshold != null && t(`threshold ${r.settings.threshold}`, `阈值 ${r.settings.threshold}`)}</p>
          <Facts facts={[[t("documents", "文档"), digits(r.documents)], [t("kept", "保留"), digits(r.kept)], [t("removed as equal", "相同而移除"), digits(r.equal)], [t("removed as alike", "相似而移除"), digits(r.alike)], [t("clusters", "簇"), digits(r.clusters)], [t("largest", "最大簇"), digits(r.largest)], [t("text", "文本"), bytes(r.bytes)], [t("time", "用时"), seconds(r.run.seconds)]]} />
          <Histogram data={{ ...about.scores, method: about.scores.method === "sketch" ? r.settings.method : about.scores.method }} range={(r) => change({ ...r, view: "removals", at: 0 })} />
        </section>
      )}
      {about && (
        <section aria-labelledby="look-title">
          <h2 id="look-title" class="hidden">{t("Look through", "浏览")}</h2>
          <Views views={views} value={view} choose={(v) => change({ ...nothing, view: v })} />
          {view === "removals"
            ? <Items key="removals" path={`${path}/removals`} extra={{ cut, reason: state.only }} only={onlyRemovals()} sorts={pairSorts().slice(0, 3)} field="removals" entry={entry} state={state} change={change} item={removalItem} />
            : <Clusters key="clusters" path={path} state={state} change={change} />}
        </section>
      )}
    </>
  );
}

const onlyPairs = () => [["", t("all labels", "全部标注")], ["alike", t("labelled alike", "标为相似")], ["unlike", t("labelled not alike", "标为不相似")]];
const onlyRemovals = () => [["", t("all reasons", "全部原因")], ["alike", reasons.alike()], ["equal", reasons.equal()], ["judged", reasons.judged()], ["first", reasons.first()], ["unreadable", reasons.unreadable()]];
const pairSorts = () => [["", t("as they come", "原顺序")], ["-score", t("highest score first", "分数从高到低")], ["score", t("lowest score first", "分数从低到高")], ["doubt", t("most doubtful first", "最可疑的在前")]];

// What an item of a list says, whatever it is: two documents, their score, and why they stand here.
const pairItem = (p) => ({
  key: p.number, a: p.a, b: p.b, score: p.score, judged: p.judged, title: `${p.a.id} · ${p.b.id}`,
  tags: [p.label === 1 ? t("labelled alike", "标为相似") : p.label === 0 ? t("labelled not alike", "标为不相似") : String(p.label), p.kind, p.split].filter(Boolean),
});
const reasons = { equal: () => t("equal text", "文本相同"), alike: () => t("alike", "相似"), judged: () => t("judged the same", "人工判为相同"), first: () => t("none of its cluster stays", "整簇移除的首篇"), unreadable: () => t("unreadable", "无法读取") };
const removalItem = (r) => ({
  key: r.number, a: r.kept, b: r.removed, score: ["unreadable", "judged", "first"].includes(r.reason) ? undefined : r.score, judged: r.judged, title: r.id || r.at,
  titleA: t("kept", "保留"), titleB: t("removed", "移除"), ids: [r.kept_id, r.id],
  tags: [reasons[r.reason]?.() ?? r.reason, r.cluster ? t(`cluster ${r.cluster}`, `簇 ${r.cluster}`) : undefined].filter(Boolean),
  why: r,
});

// usePaged asks for a stretch of a list, by a filter that is typed.
function usePaged(path, extra, q, at) {
  return useAsked(`${path}${query({ ...extra, q: useLater(q, 250), offset: at, limit: page })}`);
}

// bound is the value of a field for a score, undefined where it has none.
const bound = (field) => (field.value === "" || !field.validity.valid ? undefined : field.value);

function Choice({ label, value, choices, choose }) {
  return <label>{label} <select value={value ?? ""} onChange={(e) => choose(e.currentTarget.value || undefined)}>{choices.map(([key, name]) => <option key={key} value={key}>{name}</option>)}</select></label>;
}

function Filter({ state, change, total, shown, children }) {
  return (
    <div class="row filterrow">
      <label>{t("Contains", "包含")} <input type="search" value={state.q} onInput={(e) => change({ q: e.currentTarget.value, at: 0 })} /></label>
      {children}
      <span class="row">
        <span role="status" class="small">{total === undefined ? "" : total === 0 ? t("nothing", "无") : t(`${state.at + 1}–${state.at + shown} of ${digits(total)}`, `第 ${state.at + 1}–${state.at + shown} 项，共 ${digits(total)} 项`)}</span>
        <button type="button" disabled={state.at === 0} onClick={() => change({ at: Math.max(0, state.at - page) })}>{t("Earlier", "上一页")}</button>
        <button type="button" disabled={total === undefined || state.at + shown >= total} onClick={() => change({ at: state.at + page })}>{t("Later", "下一页")}</button>
      </span>
    </div>
  );
}

function Items({ path, extra, field, entry, state, change, item, only, sorts }) {
  const asked = usePaged(path, { ...extra, sort: state.sort, least: useLater(state.least, 250), most: useLater(state.most, 250) }, state.q, state.at);
  const [at, setAt] = useState(0);
  const [judged, setJudged] = useState({}); // what was judged since the list was asked for
  const [failed, setFailed] = useState();
  const box = useRef(null);
  const items = (asked.data?.[field] ?? []).map(item);
  useEffect(() => { setAt(0); setJudged({}); }, [asked.data]);
  const now = items[Math.min(at, items.length - 1)];
  const go = (by) => setAt((i) => Math.max(0, Math.min(items.length - 1, i + by)));
  const judge = async (alike) => {
    const [a, b] = now.ids ?? [now.a.id, now.b.id];
    try {
      await post(`labels/${encodeURIComponent(entry.name)}`, { a, b, alike });
      setFailed();
      setJudged((j) => ({ ...j, [now.key]: alike ? "yes" : "no" }));
      go(1);
    } catch (error) {
      setFailed(error);
    }
  };
  const canJudge = entry.labels && now && (now.ids ? now.ids.every(Boolean) : true);
  const keys = (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    const act = { j: () => go(1), ArrowDown: () => go(1), k: () => go(-1), ArrowUp: () => go(-1), y: () => canJudge && judge(true), n: () => canJudge && judge(false) }[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  };
  const verdict = (i) => judged[i.key] ?? i.judged;
  return (
    <>
      <Filter state={state} change={change} total={asked.data?.total} shown={items.length}>
        <Choice label={t("Only", "仅")} value={state.only} choices={only} choose={(v) => change({ only: v, at: 0 })} />
        <Choice label={t("Order", "排序")} value={state.sort} choices={sorts} choose={(v) => change({ sort: v, at: 0 })} />
        <span class="row">
          <label>{t("Score from", "分数自")} <input type="number" min="0" max="1" step="0.02" value={state.least ?? ""} onInput={(e) => change({ least: bound(e.currentTarget), at: 0 })} /></label>
          <label>{t("to", "至")} <input type="number" min="0" max="1" step="0.02" value={state.most ?? ""} onInput={(e) => change({ most: bound(e.currentTarget), at: 0 })} /></label>
        </span>
      </Filter>
      <Failed error={asked.error ?? failed} />
      {now && (
        <div class="browse" onKeyDown={keys}>
          <ol class="list" aria-label={t("Pairs", "各对")}>
            {items.map((i, n) => (
              <li key={i.key}><button type="button" aria-current={i === now ? "true" : undefined} onClick={() => setAt(n)}>
                <span class="piece">{i.title}</span>
                {i.score !== undefined && <span class="number small">{score(i.score)}</span>}
                <span class="small verdict">{verdict(i) === "yes" ? t("✓ alike", "✓ 相似") : verdict(i) === "no" ? t("✗ not", "✗ 否") : ""}</span>
              </button></li>
            ))}
          </ol>
          <div class="detail" ref={box} tabIndex={0} role="region" aria-label={t("The pair", "当前对")}>
            <div class="row">
              <span class="row start">
                {now.tags.map((tag) => <span class="tag" key={tag}>{tag}</span>)}
                {now.score !== undefined && <b>{score(now.score)}</b>}
                {now.why?.method && <code class="small">{now.why.method}</code>}
              </span>
              <span class="row start">
                <button type="button" onClick={() => go(-1)} aria-keyshortcuts="k">{t("Back", "上一对")} <kbd>k</kbd></button>
                <button type="button" onClick={() => go(1)} aria-keyshortcuts="j">{t("Next", "下一对")} <kbd>j</kbd></button>
                {canJudge && <>
                  <button type="button" class="yes" aria-pressed={verdict(now) === "yes"} aria-keyshortcuts="y" onClick={() => judge(true)}>{t("Alike", "相似")} <kbd>y</kbd></button>
                  <button type="button" class="no" aria-pressed={verdict(now) === "no"} aria-keyshortcuts="n" onClick={() => judge(false)}>{t("Not alike", "不相似")} <kbd>n</kbd></button>
                </>}
              </span>
            </div>
            {now.why && <Why removal={now.why} />}
            {now.a && now.b ? <Sides key={now.key} a={now.a} b={now.b} titleA={now.titleA} titleB={now.titleB} /> : <p class="faint">{t("The texts are not there: they lie beyond what is shown, or alike dedup ran with --drop-text.", "没有这些文本：超出显示范围，或 alike dedup 使用了 --drop-text。")}</p>}
          </div>
        </div>
      )}
    </>
  );
}

function Why({ removal: r }) {
  return (
    <div class="why">
      <p>{r.reason === "unreadable" ? r.error : r.reason === "equal"
        ? t(`Removed since its text is the same as that of ${r.kept_id}.`, `因文本与 ${r.kept_id} 相同而移除。`)
        : r.reason === "judged" ? t(`Removed because it was judged the same as ${r.kept_id}.`, `因人工判定与 ${r.kept_id} 相同而移除。`)
        : r.reason === "first" ? t("Removed as the first document of a cluster of which none stays.", "该簇不保留任何文档，此为首篇，一并移除。")
        : t(`Removed since it scores ${score(r.score)} with ${r.kept_id}, which stays.`, `因与保留的 ${r.kept_id} 得分 ${score(r.score)} 而移除。`)}
        <span class="faint small"> {r.at}{r.kept_at && ` ← ${r.kept_at}`}</span></p>
      {r.shared?.length > 0 && <ul class="small" aria-label={t("shared passages", "共有段落")}>{r.shared.map((s, i) => <li key={i}>“{s}”</li>)}</ul>}
    </div>
  );
}

function Clusters({ path, state, change }) {
  const asked = usePaged(`${path}/clusters`, {}, state.q, state.at);
  const [number, choose] = useState();
  const clusters = asked.data?.clusters ?? [];
  const now = clusters.find((c) => c.number === number) ?? clusters[0];
  return (
    <>
      <Filter state={state} change={change} total={asked.data?.total} shown={clusters.length} />
      <Failed error={asked.error} />
      {now && (
        <div class="browse">
          <ol class="list" aria-label={t("Clusters", "簇")}>
            {clusters.map((c) => <li key={c.number}><button type="button" aria-current={c === now ? "true" : undefined} onClick={() => choose(c.number)}><span class="piece">{c.ids[0]}</span><span class="number small">{t(`${c.size} documents`, `${c.size} 篇`)}</span></button></li>)}
          </ol>
          <Cluster key={now.number} path={`${path}/clusters/${now.number}`} />
        </div>
      )}
    </>
  );
}

function Cluster({ path }) {
  const asked = useAsked(path);
  const [at, setAt] = useState(1);
  const documents = asked.data?.documents ?? [];
  const removals = new Map((asked.data?.removals ?? []).map((r) => [r.id, r]));
  const [first, other] = [documents[0], documents[Math.min(at, documents.length - 1)]];
  const why = other && removals.get(other.id);
  return (
    <div class="detail" tabIndex={0} role="region" aria-label={t("The cluster", "当前簇")}>
      <Failed error={asked.error} />
      {first && (
        <>
          <p>{t(`Cluster ${asked.data.number} with ${asked.data.size} documents. Compare the first with`, `簇 ${asked.data.number}，共 ${asked.data.size} 篇。与第一篇比较：`)}</p>
          <div class="chips members" role="group" aria-label={t("Members", "成员")}>
            {documents.slice(1).map((d, i) => <button type="button" key={d.id} aria-pressed={d === other} onClick={() => setAt(i + 1)}>{d.id}{removals.has(d.id) && <span class="small"> {score(removals.get(d.id).score)}</span>}</button>)}
          </div>
          {why && <Why removal={why} />}
          {other && other !== first && <Sides key={other.id} a={first} b={other} titleA={removals.size > 0 ? t("kept", "保留") : undefined} titleB={why ? t("removed", "移除") : undefined} />}
        </>
      )}
    </div>
  );
}

function Documents({ path, state, change }) {
  const asked = usePaged(`${path}/documents`, {}, state.q, state.at);
  const documents = asked.data?.documents ?? [];
  return (
    <>
      <Filter state={state} change={change} total={asked.data?.total} shown={documents.length} />
      <Failed error={asked.error} />
      <ol class="documents">
        {documents.map((d) => (
          <li key={d.id}><details><summary><code>{d.id}</code> <span class="faint small">{bytes(d.bytes)}{d.cluster ? ` · ${t("cluster", "簇")} ${d.cluster}` : ""}</span> <span class="opening" lang={d.lang || undefined}>{d.text.slice(0, 160)}</span></summary><p class="text" lang={d.lang || undefined}>{d.text}</p></details></li>
        ))}
      </ol>
    </>
  );
}
