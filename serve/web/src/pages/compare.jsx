import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { t, spoken } from "../lib/words.js";
import { chinese } from "../lib/notes.js";
import { post } from "../lib/api.js";
import { pack, unpack } from "../lib/share.js";
import { passages } from "../lib/passages.js";
import { paint, top } from "../lib/paint.js";
import { examples } from "../lib/examples.js";
import { remember, address } from "../lib/route.js";
import { useAsked, useLater } from "../lib/hooks.js";
import { bytes, score, seconds } from "../lib/format.js";
import { Editor } from "../parts/editor.jsx";
import { Bits, Filter, Pieces, Ribbons } from "../parts/evidence.jsx";
import { Failed } from "../parts/failed.jsx";

const longestAddress = 6000; // that is written while one types
const mostEvidence = 2000; // pieces that are asked for

// What was looked at last stays when one comes back from another page.
let last = { a: examples[0].a, b: examples[0].b, features: "", methods: [], shown: "shingle" };

export function Compare({ values, language }) {
  const [state, setState] = useState(values.z ? { ...last, a: "", b: "" } : last);
  const [refused, setRefused] = useState();
  const [copied, setCopied] = useState("");
  const change = (part) => setState((s) => (last = { ...s, ...part }));
  const written = useRef();

  // An address that somebody shared.
  useEffect(() => {
    if (!values.z || values.z === written.current) return;
    unpack(values.z).then(
      ({ a, b, f = "", m = [], s }) => {
        if (typeof a !== "string" || typeof b !== "string") throw new TypeError("no texts");
        change({ a, b, features: String(f), methods: m.map(String), shown: s ?? "shingle" });
      },
    ).catch(() => setRefused(t("The address holds no comparison.", "地址中没有可用的比较。")));
  }, [values.z]);

  const asked = useLater(state, 120);
  const link = async (s) => pack({ a: s.a, b: s.b, f: s.features || undefined, m: s.methods.length > 0 ? s.methods : undefined, s: s.shown });
  const first = useRef(true);
  useEffect(() => {
    if (first.current) { // nothing has been typed yet, and a shared address may be on its way
      first.current = false;
      return;
    }
    let gone = false;
    link(asked).then((z) => {
      if (gone) return;
      written.current = z.length <= longestAddress ? z : undefined;
      remember("compare", { z: written.current });
    });
    return () => { gone = true; };
  }, [asked]);

  const scores = useCompare({ a: asked.a, b: asked.b, features: asked.features || undefined, methods: asked.methods.length > 0 ? asked.methods : undefined });
  const rows = scores.data?.methods ?? [];
  const chosen = rows.find((r) => r.name === asked.shown || r.method === asked.shown) ?? rows[0];
  const evidence = useCompare(chosen && { a: asked.a, b: asked.b, features: asked.features || undefined, methods: [chosen.method], explain: true, most: mostEvidence, sketches: true });
  const shown = evidence.data?.methods[0];

  // Marks belong to the texts that were asked about; while others are typed there are none.
  const fits = evidence.data && evidence.request.a === state.a && evidence.request.b === state.b;
  const all = useMemo(
    () => shown?.explanation ? passages(shown.explanation.evidence.map((e) => ({ weight: e.weight, a: e.a_utf16, b: e.b_utf16 })), evidence.request.a, evidence.request.b) : [],
    [evidence.data],
  );
  const ranges = useMemo(() => (fits ? [all.map((p) => p.a), all.map((p) => p.b)] : [[], []]), [all, fits]);

  // A piece stands out while the mouse or else the focus is at it, until there is other evidence: an
  // element that is taken away under the mouse is never left by it.
  const [at, setAt] = useState({});
  const piece = at.all === all ? at.mouse ?? at.focus : undefined;
  const lit = useMemo(() => new Set(all.flatMap((p, i) => (p.pieces.includes(piece) ? [i] : []))), [all, piece]);
  const touch = (by, piece) => setAt((was) => ({ ...(was.all === all ? was : {}), all, [by]: piece }));
  const boxes = [useRef(null), useRef(null)];
  const passageOf = (piece) => {
    const i = all.findIndex((p) => p.pieces.includes(piece));
    return i < 0 ? undefined : i;
  };
  const show = (piece) => {
    const p = all[passageOf(piece)];
    if (!p || !fits) return;
    for (const [box, at] of [[boxes[0].current, p.a[0]], [boxes[1].current, p.b[0]]]) {
      box.scrollTo({ top: top(box.firstElementChild, at) - box.clientHeight / 3 });
    }
  };
  useLayoutEffect(() => {
    paint([
      { element: boxes[0].current.firstElementChild, text: state.a, ranges: ranges[0] },
      { element: boxes[1].current.firstElementChild, text: state.b, ranges: ranges[1] },
    ], lit);
    return () => paint([], lit);
  }, [ranges, lit, state.a, state.b]);

  const share = async () => {
    const z = await link(state);
    const url = new URL(address("compare", { z }), location.href).href;
    written.current = z;
    history.replaceState(null, "", url);
    setCopied(await navigator.clipboard?.writeText(url).then(() => t("Copied.", "已复制。"), () => undefined) ?? t("The address bar has it.", "请复制地址栏。"));
    setTimeout(() => setCopied(""), 4000);
  };
  const example = examples.find((e) => e.a === state.a && e.b === state.b);

  return (
    <>
      <p class="intro">{t("Two texts, every method, and what each of them sees.", "两篇文本，所有方法，以及各自看到了什么。")}</p>
      <div class="chips" role="group" aria-label={t("Examples", "示例")}>
        {examples.map((e) => (
          <button type="button" key={e.name[0]} aria-pressed={e === example} onClick={() => change({ a: e.a, b: e.b })}>{t(...e.name)}</button>
        ))}
      </div>
      <p class="faint small about">{example ? t(...example.about) : " "}</p>
      {refused && <p class="failed" role="alert">{refused}</p>}
      <div class="sides">
        <Editor id="text-a" label={t("First text", "第一篇")} value={state.a} change={(a) => change({ a })} box={boxes[0]} />
        <Editor id="text-b" label={t("Second text", "第二篇")} value={state.b} change={(b) => change({ b })} box={boxes[1]} />
      </div>
      <div class="row tools">
        <Settings state={state} change={change} />
        <span class="row">
          <span class="small" role="status">{copied}</span>
          <button type="button" onClick={() => change({ a: state.b, b: state.a })}>{t("Swap", "交换")}</button>
          <button type="button" onClick={() => change({ a: "", b: "" })}>{t("Clear", "清空")}</button>
          <button type="button" class="main" onClick={share}>{t("Share by address", "用地址分享")}</button>
        </span>
      </div>
      <Failed error={scores.error ?? evidence.error} />
      <section aria-labelledby="scores" aria-busy={scores.busy}>
        <div class="row"><h2 id="scores">{t("Scores", "分数")}</h2>
          <span class="faint small" role="status">{scores.data && t(`${rows.length} methods in ${seconds(scores.data.seconds)}`, `${rows.length} 种方法，用时 ${seconds(scores.data.seconds)}`)}</span></div>
        <p class="faint small">{t("Choose a method to see its evidence in the texts.", "选择一种方法，查看它在文本中的依据。")}</p>
        <Scores rows={rows} chosen={chosen} choose={(r) => change({ shown: r.method })} />
      </section>
      {shown && (
        <section aria-labelledby="evidence" class="evidence">
          <h2 id="evidence">{t("Evidence of", "依据：")} <code>{shown.method}</code></h2>
          {(shown.empty_a || shown.empty_b) && <p>{t("A text has nothing that this method could compare, so the score is 0.", "有一篇没有此方法可比较的内容，因此分数为 0。")}</p>}
          {shown.explanation ? <Note text={shown.explanation.note} /> : <p class="faint">{t("This method has no evidence to show.", "此方法没有可显示的依据。")}</p>}
          {shown.explanation?.shared > shown.explanation?.evidence.length && <p class="faint small">{t(`The heaviest ${shown.explanation.evidence.length} of ${shown.explanation.shared} are marked.`, `仅标出 ${shown.explanation.shared} 项中权重最大的 ${shown.explanation.evidence.length} 项。`)}</p>}
          {shown.fingerprint && <Bits pair={shown.fingerprint} />}
          {shown.filter && <Filter pair={shown.filter} />}
          <Ribbons all={all} lengthA={evidence.request.a.length} lengthB={evidence.request.b.length} lit={lit} />
          {shown.explanation && <Pieces key={shown.method} explanation={shown.explanation} passageOf={passageOf} touch={touch} show={show} />}
        </section>
      )}
    </>
  );
}

// Note says what a method notes of its evidence.
function Note({ text }) {
  if (spoken() !== "zh") return <p class="note">{text}</p>;
  return <p class="note">{chinese(text).map(({ text, lang }, i) => <span key={i} lang={lang}>{i > 0 && "；"}{text}</span>)}</p>;
}

// useCompare asks for a comparison, again whenever what it is asked for changes, and takes back what is asked
// no more. Old answers stay until there are new ones, each with its request.
function useCompare(request) {
  const [state, set] = useState({});
  const body = request && JSON.stringify(request);
  useEffect(() => {
    if (!body) return;
    const asking = new AbortController();
    set((s) => ({ ...s, busy: true }));
    const request = JSON.parse(body);
    post("compare", request, asking.signal).then(
      (data) => set({ data, request }),
      (error) => error.name !== "AbortError" && set((s) => ({ ...s, error, busy: false })),
    );
    return () => asking.abort();
  }, [body]);
  return state;
}

function Scores({ rows, chosen, choose }) {
  return (
    <div class="wide" tabIndex={0} role="region" aria-labelledby="scores">
      <table class="scores">
        <thead><tr>
          <th>{t("method", "方法")}</th><th>{t("score", "分数")}</th>
          <th class="number">{t("first in second", "一在二中")}</th><th class="number">{t("second in first", "二在一中")}</th>
          <th class="number">{t("sketch", "草图")}</th><th class="number">{t("time", "用时")}</th>
        </tr></thead>
        <tbody>
          {rows.map((r) => (
            <tr key={r.method} data-method={r.method} class={r === chosen ? "chosen" : undefined} onClick={() => choose(r)}>
              <th scope="row"><button type="button" aria-pressed={r === chosen} onClick={(e) => { e.stopPropagation(); choose(r); }}>{r.method}</button></th>
              <td class="score"><meter min="0" max="1" value={r.score} aria-hidden="true" /> <span class="value">{score(r.score)}</span></td>
              <td class="number">{r.containment_ab == null ? "–" : score(r.containment_ab)}</td>
              <td class="number">{r.containment_ba == null ? "–" : score(r.containment_ba)}</td>
              <td class="number">{r.bytes_a === r.bytes_b ? bytes(r.bytes_a) : `${bytes(r.bytes_a)} / ${bytes(r.bytes_b)}`}</td>
              <td class="number">{seconds(r.seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const presets = ["", "width=2", "width=3", "tokens=rune,width=2", "tokens=rune,width=3", "tokens=byte,width=4", "tokens=jieba"];

// Settings says which methods run, and on what features.
function Settings({ state, change }) {
  const [open, setOpen] = useState(false);
  const catalog = useAsked(open || state.methods.length > 0 ? "methods" : null);
  const [spec, setSpec] = useState("");
  const all = catalog.data?.methods ?? [];
  const running = state.methods.length > 0 ? state.methods : all.filter((m) => m.default).map((m) => m.name);
  const toggle = (name) => change({ methods: running.includes(name) ? running.filter((m) => m !== name) : [...running, name] });
  const known = new Set(all.map((m) => m.name));
  return (
    <div class="row">
      <label class="row">{t("Features", "特征")}
        <input list="features" size={18} value={state.features} placeholder={t("words", "单词")} spellcheck={false} onInput={(e) => change({ features: e.currentTarget.value.trim() })} />
        <datalist id="features">{presets.map((p) => <option key={p} value={p} />)}</datalist>
      </label>
      <details onToggle={(e) => setOpen(e.currentTarget.open)}>
        <summary>{t("Methods", "方法")}{state.methods.length > 0 && ` (${state.methods.length})`}</summary>
        <div class="methods">
          {[...all, ...state.methods.filter((m) => !known.has(m)).map((name) => ({ name, summary: "" }))].map((m) => (
            <label key={m.name} title={m.summary}><input type="checkbox" checked={running.includes(m.name)} onChange={() => toggle(m.name)} /> <code>{m.name}</code></label>
          ))}
          <form class="row" onSubmit={(e) => { e.preventDefault(); if (spec.trim()) change({ methods: [...running, spec.trim()] }); setSpec(""); }}>
            <input value={spec} onInput={(e) => setSpec(e.currentTarget.value)} aria-label={t("A method with its settings", "带设置的方法")} placeholder="simhash:bits=128" spellcheck={false} />
            <button type="submit">{t("Add", "添加")}</button>
            {state.methods.length > 0 && <button type="button" onClick={() => change({ methods: [] })}>{t("Default methods", "默认方法")}</button>}
          </form>
        </div>
      </details>
    </div>
  );
}
