import { useEffect, useMemo, useState } from "preact/hooks";
import { t } from "../lib/words.js";
import { events, get, post, remove } from "../lib/api.js";
import { documents, pairs, read } from "../lib/sample.js";
import { useAsked } from "../lib/hooks.js";
import { remember } from "../lib/route.js";
import { bytes, digits } from "../lib/format.js";
import { looks as looksOf } from "../../../../internal/charts/looks.mjs";
import { Mark } from "../parts/mark.jsx";
import { Scatter } from "../parts/plots.jsx";
import { Facts } from "../parts/facts.jsx";
import { Failed } from "../parts/failed.jsx";

const states = {
  waiting: () => t("waiting", "排队中"), running: () => t("running", "进行中"), done: () => t("done", "已完成"),
  failed: () => t("failed", "失败"), cancelled: () => t("cancelled", "已取消"),
};
const steps = {
  edits: () => t("edits", "模拟改动"), truth: () => t("truth", "构造真值"), candidates: () => t("candidates", "候选方法"), finalists: () => t("finalists", "入围方法"), chosen: () => t("chosen", "选定"),
  "scores of all pairs": () => t("scores of all pairs", "所有对的分数"), "pairs to judge by": () => t("pairs to judge by", "评判所用的对"), "pairs to score": () => t("pairs to score", "待评分的对"),
};
const ended = (job) => ["done", "failed", "cancelled"].includes(job.state);
const patience = 2000; // milliseconds before a stream that broke is asked for again

export function Choose({ values, language }) {
  const data = useAsked("data");
  const jobs = useAsked("jobs");
  const [state, setState] = useState({ data: values.data, labels: values.labels, job: values.job });
  const change = (part) => setState((s) => ({ ...s, ...part }));
  useEffect(() => {
    remember("choose", state);
  }, [state]);
  const [job, failure] = useJob(state.job, jobs.again);
  const list = jobs.data?.jobs ?? [];
  return (
    <>
      <p class="intro">{t("Which method, settings and threshold suit your documents? Give a sample, and every method is tried on it.", "哪种方法、设置和阈值适合您的文档？给出样本，逐一试验所有方法。")}</p>
      <Failed error={data.error ?? jobs.error} />
      <Sample data={data.data} state={state} change={change} started={(job) => { change({ job: job.id }); jobs.again(); }} />
      {list.length > 0 && (
        <section aria-labelledby="jobs">
          <h2 id="jobs">{t("Searches", "搜索")}</h2>
          <ul class="chips jobs">
            {list.map((j) => <li key={j.id}><button type="button" data-job={j.id} aria-pressed={j.id === state.job} onClick={() => change({ job: j.id })}>{new Date(j.created).toLocaleTimeString(language)} <span class="tag">{states[(j.id === job?.id ? job : j).state]()}</span></button></li>)}
          </ul>
        </section>
      )}
      {state.job && (
        <section aria-labelledby="job" aria-busy={job && !ended(job)}>
          <h2 id="job">{t("This search", "本次搜索")}</h2>
          <Failed error={failure} />
          {job && <Progress job={job} />}
          {job?.choice && <Found choice={job.choice} language={language} />}
        </section>
      )}
    </>
  );
}

// useJob follows a job by what the server sends of it, and tells when it has ended.
function useJob(id, tell) {
  const [job, setJob] = useState();
  const [failure, setFailure] = useState();
  useEffect(() => {
    setJob();
    setFailure();
    if (!id) return;
    const asking = new AbortController();
    let timer;
    const follow = async () => {
      try {
        const now = await get(`jobs/${encodeURIComponent(id)}`, asking.signal);
        setJob(now);
        setFailure();
        if (ended(now)) return;
        let last = now;
        await events(`jobs/${encodeURIComponent(id)}/events`, (progress) => {
          last = progress;
          if (!ended(progress)) setJob((j) => ({ ...j, ...progress })); // an end comes with its result
        }, asking.signal);
        if (ended(last)) tell();
        timer = setTimeout(follow, ended(last) ? 0 : patience);
      } catch (error) {
        if (error.name === "AbortError") return;
        setFailure(error);
        if (error.status === 0) timer = setTimeout(follow, patience);
      }
    };
    follow();
    return () => {
      asking.abort();
      clearTimeout(timer);
    };
  }, [id]);
  return [job, failure];
}

// Sample is a form that starts a search.
function Sample({ data, state, change, started }) {
  const [goal, setGoal] = useState("f1");
  const [bound, setBound] = useState("0.95");
  const [failure, setFailure] = useState();
  const [busy, setBusy] = useState(false);
  const { sets = [], dedup = [] } = data ?? {};
  const entry = [...dedup, ...sets].find((e) => e.name === state.data);
  const own = !entry;
  const send = async (form) => {
    const number = (name) => form.elements[name].valueAsNumber || undefined;
    const request = {
      goal: goal === "f1" ? goal : `${goal}>=${bound}`, budget_seconds: number("budget"), max_bytes_per_doc: number("most"),
      methods: form.elements.methods.value.split(/\s+/).filter(Boolean),
    };
    setBusy(true);
    setFailure();
    try {
      if (own) {
        const files = [...form.elements.files.files];
        request.name = files.map((f) => f.name).join(" ").slice(0, 100);
        request.documents = (await Promise.all(files.map(read))).flatMap(([name, text]) => documents(name, text));
        const [labels] = form.elements.pairs.files;
        if (labels) request.pairs = pairs(...(await read(labels)), request.documents.map((d) => d.id));
      } else {
        Object.assign(request, { data: entry.name, labels: form.elements.labels?.checked });
      }
      started(await post("jobs/choose", request));
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-labelledby="sample">
      <h2 id="sample">{t("A sample", "样本")}</h2>
      <form class="sample" onSubmit={(e) => { e.preventDefault(); send(e.currentTarget); }}>
        <label>{t("Documents", "文档")} <select id="from" value={own ? "" : entry.name} onChange={(e) => change({ data: e.currentTarget.value || undefined, labels: undefined })}>
          <option value="">{t("files of mine", "我的文件")}</option>
          {dedup.length > 0 && <optgroup label={t("Results of dedup", "去重结果")}>{dedup.map((d) => <option key={d.name}>{d.name}</option>)}</optgroup>}
          {sets.length > 0 && <optgroup label={t("Data sets", "数据集")}>{sets.map((s) => <option key={s.name}>{s.name}</option>)}</optgroup>}
        </select></label>
        {own && <>
          <label>{t("Files", "文件")} <input type="file" name="files" multiple required aria-describedby="files-what" /></label>
          <label>{t("Labelled pairs, if there are any", "标注对（可选）")} <input type="file" name="pairs" aria-describedby="files-what" /></label>
          <p id="files-what" class="faint small">{t("JSON lines with “text” and “id”, or files of one document each, some hundred documents or more; .gz is unpacked. Pairs are tab-separated: id1, id2, label. Without any, truth is made from edits and from what the methods agree on.", "含 text 与 id 字段的 JSON 行，或每个文件一篇文档，至少数百篇；.gz 会解压。标注对以制表符分隔：id1、id2、label。没有标注时，由模拟改动与各方法的一致意见构造真值。")}</p>
        </>}
        {entry?.labels && <label><input type="checkbox" name="labels" checked={Boolean(state.labels)} onChange={(e) => change({ labels: e.currentTarget.checked ? "1" : undefined })} /> {t("learn from the pairs that were judged here", "采用在此处作出的判断")}</label>}
        <label>{t("Goal", "目标")} <select value={goal} onChange={(e) => setGoal(e.currentTarget.value)}>
          <option value="f1">{t("F1: both kinds of error", "F1：兼顾两类错误")}</option>
          <option value="precision">{t("recall, at a precision of at least", "召回率，精确率不低于")}</option>
          <option value="recall">{t("precision, at a recall of at least", "精确率，召回率不低于")}</option>
        </select></label>
        {goal !== "f1" && <label>{t("at least", "不低于")} <input type="number" min="0.01" max="1" step="0.01" required value={bound} onInput={(e) => setBound(e.currentTarget.value)} /></label>}
        <label>{t("Most bytes a document", "每篇最多字节")} <input type="number" name="most" min="1" step="1" placeholder={t("any", "不限")} /></label>
        <label>{t("Seconds", "秒数")} <input type="number" name="budget" min="1" max="600" step="1" defaultValue="60" required /></label>
        <label>{t("Only these methods", "仅这些方法")} <input name="methods" placeholder={t("all", "全部")} spellcheck={false} autocapitalize="off" /></label>
        <button type="submit" class="main" disabled={busy}>{t("Search", "搜索")}</button>
      </form>
      <Failed error={failure} />
    </section>
  );
}

function Progress({ job }) {
  const [failure, setFailure] = useState();
  return (
    <>
      <div class="row start">
        {!ended(job) && <progress max="1" value={job.share} aria-label={t("Share of the work that is done", "已完成的比例")} />}
        <span role="status" class="state tag">{states[job.state]()}</span>
        {!ended(job) && <>
          <span class="small number">{Math.round(100 * job.share)} % {steps[job.doing]?.() ?? job.doing}</span>
          <button type="button" class="cancel" onClick={() => remove(`jobs/${encodeURIComponent(job.id)}`).catch(setFailure)}>{t("Cancel", "取消")}</button>
        </>}
      </div>
      {job.error && <p class="failed" role="alert" lang="en">{job.error}</p>}
      <Failed error={failure} />
    </>
  );
}

const share = (v) => (v == null ? "–" : v.toFixed(3));

function Found({ choice, language }) {
  const { result, commands, doubts = [] } = choice;
  const { best } = result;
  const rule = choice.effect?.rule ?? best; // what the commands below do
  const tested = best.test ?? best.dev;
  const cheaper = result.cheaper?.[0];
  const looks = useMemo(() => looksOf(result.front.map((f) => f.method)), [result]);
  const points = useMemo(() => result.front.map((f) => ({
    x: f.bytes_per_doc, y: f.test?.value, low: f.test?.low ?? undefined, high: f.test?.high ?? undefined, label: f.method, look: looks.get(f.method), front: false,
  })).filter((p) => p.x > 0 && p.y != null), [result]);
  const quality = result.goal === "f1" ? "F1" : result.goal.startsWith("precision") ? t("recall", "召回率") : t("precision", "精确率");
  return (
    <>
      {result.fit
        ? <p class="answer">{t("Take", "采用")} <code>{rule.verify ?? rule.method}</code> {t(`from a score of ${share(rule.threshold)} on.`, `，分数不低于 ${share(rule.threshold)} 者为相似。`)}</p>
        : <><p class="failed">{t("No method here is fit for these documents. The least bad is", "没有适合这些文档的方法。最不差的是")} <code>{best.method}</code></p>{result.why?.map((w) => <p key={w} lang="en">{w}</p>)}</>}
      {result.fit && (rule.verify ?? rule.method) !== best.method && <p>{t("Of the methods by themselves, the best on the sampled pairs is", "若只比较各方法本身，抽样文档对上最好的是")} <code>{best.method}</code>{t(":", "：")}</p>}
      <Facts facts={[
        ["F1", share(tested.f1)], [t("precision", "精确率"), share(tested.precision)], [t("recall", "召回率"), share(tested.recall)],
        [t(`95 % interval of ${quality}`, `${quality}的 95% 区间`), tested.unusable ? t("unusable", "不可用") : tested.low == null ? undefined : `${share(tested.low)}–${share(tested.high)}`],
        [t("bytes a document", "每篇字节"), digits(best.bytes_per_doc)], [t("documents", "文档"), digits(result.n_docs)],
      ]} />
      <p class="faint small">{best.test ? t("Measured on documents that it was not chosen on.", "在未用于选择的文档上测得。") : t("There are too few documents to test it on others than those it was chosen on.", "文档太少，只能在用于选择的文档上测得。")}</p>
      {best.test && !best.test.reached && <p>{t(`The goal ${result.goal} was reached where the threshold was chosen, and not there.`, `目标 ${result.goal} 在选择阈值时达到，在测试中未达到。`)}</p>}
      {(result.braked || result.over_budget) && <p>{t("The time was over before all was tried as it should be; more seconds may find better.", "时间用尽，未能充分试验；增加秒数或可找到更好的方法。")}</p>}
      {cheaper && <p>{t(`Cheaper, and not worse by more than ${result.margin}:`, `更省，且至多差 ${result.margin}：`)} <code>{cheaper.method}</code> ({bytes(cheaper.bytes_per_doc)})</p>}
      {commands?.length > 0 && <><h3>{t("What to run", "运行命令")}</h3><pre class="commands" tabIndex={0} role="region" aria-label={t("What to run", "运行命令")}>{commands.join("\n")}</pre></>}
      {[...(result.notes ?? []), ...(best.warnings ?? []).map((w) => `${best.method} ${w}`), ...doubts].map((n) => <p key={n} class="small" lang="en">{n}</p>)}
      <h3 id="choices">{t("What nothing else beats in quality, bytes and speed at once", "质量、字节、速度上无可替代的方法")}</h3>
      {points.length > 1 && <Scatter label={t(`${quality} by bytes a document`, `每篇字节与${quality}`)} points={points} x={{ label: t("bytes a document", "每篇字节"), log: true }} y={{ label: quality }} key={language} />}
      <div class="wide" tabIndex={0} role="region" aria-labelledby="choices">
        <table class="board choices">
          <thead><tr><th>{t("method", "方法")}</th><th class="number">{t("threshold", "阈值")}</th><th class="number">F1</th><th class="number">{t("precision", "精确率")}</th><th class="number">{t("recall", "召回率")}</th><th class="number">{t("bytes a document", "每篇字节")}</th><th class="number">{t("µs a document", "每篇微秒")}</th><th>{t("beside the best", "与最佳相比")}</th></tr></thead>
          <tbody>
            {result.front.map((f) => (
              <tr key={f.method} class={f.method === best.method ? "chosen" : undefined}>
                <th scope="row"><Mark look={looks.get(f.method)} /><code>{f.method}</code></th>
                <td class="number">{share(f.threshold)}</td>
                {["f1", "precision", "recall"].map((k) => <td key={k} class="number">{share(f.test?.[k])}</td>)}
                <td class="number">{digits(f.bytes_per_doc)}</td><td class="number">{digits(f.nominal_us)}</td>
                <td>{f.state ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="faint small">{t("In order of the part that was chosen on; the last column says what the other part shows beside the best.", "按选择所用部分排序；末列为测试部分与最佳者相比的结论。")}</p>
    </>
  );
}
