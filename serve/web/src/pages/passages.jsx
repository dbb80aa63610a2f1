import { useEffect, useRef, useState } from "preact/hooks";
import { passages } from "../../../../internal/charts/passages.mjs";
import { t } from "../lib/words.js";
import { get, post, query } from "../lib/api.js";
import { documents, read } from "../lib/sample.js";
import { examples } from "../lib/examples.js";
import { useAsked } from "../lib/hooks.js";
import { remember } from "../lib/route.js";
import { digits } from "../lib/format.js";
import { Editor } from "../parts/editor.jsx";
import { Failed } from "../parts/failed.jsx";

const mostEditors = 6; // more texts are only counted

// The texts stay when one comes back from another page.
let last = [{ id: "1", text: examples[0].a }, { id: "2", text: examples[0].b }];

export function Passages({ values, language }) {
  const data = useAsked("data");
  const [texts, setTexts] = useState(last);
  const [form, setForm] = useState({ set: values.set, length: values.length ?? (values.set ? "100" : "30"), unit: values.unit ?? "min_length", docs: values.docs ?? "2", fold: values.fold ?? "" });
  const [found, setFound] = useState({});
  const asking = useRef();
  const change = (part) => setForm((f) => ({ ...f, ...part }));
  const give = (list) => setTexts(last = list);
  const edit = (i, part) => give(texts.map((x, k) => (k === i ? { ...x, ...part } : x)));

  const find = async () => {
    asking.current?.abort();
    asking.current = new AbortController();
    const { signal } = asking.current;
    const keys = { [form.unit]: +form.length, docs: +form.docs, fold: form.fold || undefined };
    remember("passages", { set: form.set, length: form.length, unit: form.unit === "min_length" ? undefined : form.unit, docs: form.docs === "2" ? undefined : form.docs, fold: form.fold });
    setFound((f) => ({ ...f, error: undefined, busy: true }));
    try {
      const view = form.set ? await get(`data/${encodeURIComponent(form.set)}/passages${query(keys)}`, signal) : await post("passages", { texts, parts: true, ...keys }, signal);
      setFound({ view });
    } catch (error) {
      if (error.name !== "AbortError") setFound({ error });
    }
  };
  useEffect(() => {
    find();
    return () => asking.current.abort();
  }, []);

  const addFiles = async (input) => {
    try {
      const more = (await Promise.all([...input.files].map(read))).flatMap(([name, text]) => documents(name, text));
      give([...texts.filter((x) => x.text.trim() !== ""), ...more]);
    } catch (error) {
      setFound((f) => ({ ...f, error }));
    }
    input.value = "";
  };
  const sets = data.data?.sets ?? [];
  return (
    <>
      <p class="intro">{t("Text that stands in several documents, although they are not alike as a whole: quotations, licences, footers, copied paragraphs.", "查找出现于多篇文档的相同文字，即使这些文档整体并不相似：引文、许可证、页脚、被复制的段落。")}</p>
      <section aria-labelledby="documents">
        <h2 id="documents">{t("Documents", "文档")}</h2>
        <form class="sample" onSubmit={(e) => { e.preventDefault(); find(); }}>
          <label>{t("From", "来源")} <select id="from" value={form.set ?? ""} onChange={(e) => change({ set: e.currentTarget.value || undefined })}>
            <option value="">{t("texts of mine", "我的文本")}</option>
            {sets.length > 0 && <optgroup label={t("Data sets", "数据集")}>{sets.map((s) => <option key={s.name}>{s.name}</option>)}</optgroup>}
            {form.set && !sets.some((s) => s.name === form.set) && <option>{form.set}</option>}
          </select></label>
          <label>{t("Minimum length", "最短长度")} <input type="number" name="length" min={form.unit === "words" ? 4 : 8} max={form.unit === "words" ? 1024 : 4096} step="1" required value={form.length} onInput={(e) => change({ length: e.currentTarget.value })} /></label>
          <label>{t("in", "单位")} <select value={form.unit} onChange={(e) => change({ unit: e.currentTarget.value })}>
            <option value="min_length">{t("characters", "字符")}</option>
            <option value="words">{t("words", "词")}</option>
          </select></label>
          <label>{t("Minimum number of documents", "最少文档数")} <input type="number" name="docs" min="1" step="1" required value={form.docs} onInput={(e) => change({ docs: e.currentTarget.value })} /></label>
          <label>{t("Folding", "归一化")} <input name="fold" value={form.fold} placeholder={t("case and space", "大小写与空白")} spellcheck={false} autocapitalize="off" onInput={(e) => change({ fold: e.currentTarget.value })} /></label>
          <button type="submit" class="main" disabled={found.busy}>{t("Find passages", "查找片段")}</button>
        </form>
        {!form.set && <>
          {texts.length <= mostEditors && (
            <div class="sides">
              {texts.map((x, i) => (
                <div key={i}>
                  <Editor id={`text-${i}`} label={t(`Text ${x.id}`, `文本 ${x.id}`)} value={x.text} change={(text) => edit(i, { text })} />
                  {texts.length > 1 && <button type="button" class="remove" onClick={() => give(texts.filter((_, k) => k !== i))}>{t(`Remove text ${x.id}`, `移除文本 ${x.id}`)}</button>}
                </div>
              ))}
            </div>
          )}
          <div class="sample">
            <span role="status">{t(`${digits(texts.length)} texts`, `共 ${digits(texts.length)} 篇`)}</span>
            <button type="button" onClick={() => give([...texts, { id: String(1 + Math.max(0, ...texts.map((x) => Number(x.id) || 0))), text: "" }])}>{t("Add a text", "添加文本")}</button>
            <label>{t("Add files", "添加文件")} <input type="file" name="files" multiple aria-describedby="files-what" onChange={(e) => addFiles(e.currentTarget)} /></label>
            {texts.length > mostEditors && <button type="button" onClick={() => give([{ id: "1", text: "" }])}>{t("Remove all", "全部移除")}</button>}
          </div>
          <p id="files-what" class="faint small">{t("A file is one document, or JSON lines with “text” and “id”; .gz is unpacked.", "每个文件为一篇文档，或为含 text 与 id 字段的 JSON 行；.gz 会解压。")}</p>
        </>}
        <Failed error={data.error ?? found.error} />
      </section>
      {found.view && (
        <section aria-labelledby="found" aria-busy={found.busy}>
          <h2 id="found">{t("What several documents have in common", "多篇文档的共有文字")}</h2>
          {found.view.passages.length > 0 ? <Found view={found.view} language={language} />
            : <p role="status">{t(`None of ${digits(found.view.n_documents)} documents has a passage of this length in common with another. Try a shorter one.`, `${digits(found.view.n_documents)} 篇文档之间没有这样长的共有片段。请尝试更短的长度。`)}</p>}
        </section>
      )}
    </>
  );
}

// Found shows a view with the script that reports share.
function Found({ view, language }) {
  const at = useRef(null);
  const speak = useRef();
  useEffect(() => {
    speak.current = passages(at.current, view, language);
  }, [view]);
  useEffect(() => speak.current(language), [language]);
  return <div ref={at} />;
}
