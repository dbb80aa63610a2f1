// The passages of a collection, in reports and on the pages of serve: the list of the most repeated ones, the
// places of one side by side, and documents with their passages marked. What is shown is a View of package
// passages. Texts and ids are put on the page as text only, never as HTML.

const rowsAtOnce = 25; // of the list
const placesAtOnce = 12;
const linesAtOnce = 400; // of a document
const around = 160; // units of text on either side of a place
const longest = 700; // units of a place that are shown whole
export const lanes = 4; // passages over one another that have a line each

// laned gives each place a lane: places that overlap have different ones. It returns {place, start, end, lane} by
// start, the longest first.
export function laned(places) {
  const all = places.map((p) => ({ ...p })).sort((a, b) => a.start - b.start || b.end - a.end || a.of - b.of);
  const ends = []; // of the lanes
  for (const p of all) {
    let lane = ends.findIndex((end) => end <= p.start);
    if (lane < 0) lane = ends.length;
    ends[lane] = p.end;
    p.lane = lane;
  }
  return all;
}

// segments cuts the text from..to where places begin and end. Each segment {from, to, over, starts} has the places
// over it, and those that begin there.
export function segments(from, to, places) {
  const here = places.filter((p) => p.start < to && p.end > from);
  const cuts = new Set([from, to]);
  for (const p of here) {
    if (p.start > from) cuts.add(p.start);
    if (p.end < to) cuts.add(p.end);
  }
  const at = [...cuts].sort((a, b) => a - b);
  return at.slice(1).map((end, i) => ({
    from: at[i],
    to: end,
    over: here.filter((p) => p.start <= at[i] && p.end >= end),
    starts: here.filter((p) => p.start === at[i]),
    ends: here.filter((p) => p.end === end),
  }));
}

// linesOf cuts a document into rows: {line, from, text} and, where text is left out, {gap}.
export function linesOf(doc) {
  const rows = [];
  let end = 0;
  for (const p of doc.parts) {
    if (p.start_utf16 > end) rows.push({ gap: p.start_utf16 - end });
    let line = p.line;
    let from = p.start_utf16;
    for (const text of p.text.split("\n")) {
      rows.push({ line: line++, from, text });
      from += text.length + 1;
    }
    end = p.start_utf16 + p.text.length;
  }
  if (doc.length_utf16 > end) rows.push({ gap: doc.length_utf16 - end });
  return rows;
}

// cut returns the text of a document from..to, with … where it is left out.
export function cut(doc, from, to) {
  let out = "";
  let at = from;
  for (const p of doc.parts) {
    const [start, end] = [Math.max(at, p.start_utf16), Math.min(to, p.start_utf16 + p.text.length)];
    if (start >= end) continue;
    out += (start > at ? " … " : "") + p.text.slice(start - p.start_utf16, end - p.start_utf16);
    at = end;
  }
  return out + (at < to ? " … " : "");
}

// whole moves an offset off the middle of a surrogate pair.
const whole = (s, at) => (at > 0 && at < s.length && /[\udc00-\udfff]/.test(s[at]) && /[\ud800-\udbff]/.test(s[at - 1]) ? at - 1 : at);
const start = (s, n) => s.slice(0, whole(s, n));
const end = (s, n) => s.slice(whole(s, Math.max(0, s.length - n)));

// passages shows a view in an element. It returns a function that shows it in another language, "en" or "zh".
export function passages(root, view, language) {
  const list = view.passages.map((p, i) => ({ ...p, at: i }));
  const docs = view.documents.map((d) => ({ ...d, places: [] }));
  for (const p of list) {
    for (const q of p.places) docs[q.document].places.push({ of: p.at, start: q.start_utf16, end: q.end_utf16 });
  }
  for (const d of docs) if (d.parts) d.places = laned(d.places);
  const shown = docs.map((d, i) => i).filter((i) => docs[i].parts).sort((a, b) => docs[a].number - docs[b].number);
  const state = { sort: "n_documents", filter: "", rows: rowsAtOnce, passage: list.length > 0 ? 0 : undefined, places: placesAtOnce, doc: undefined, from: 0, lines: linesAtOnce, here: [] };

  const t = (en, zh) => (language === "zh" ? zh : en);
  const number = (n) => n.toLocaleString("en-US");
  const many = (n, one, more) => `${number(n)} ${n === 1 ? one : more}`;
  const el = (name, attributes = {}, ...children) => {
    const e = document.createElement(name);
    for (const [k, v] of Object.entries(attributes)) {
      if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
      else if (v !== undefined && v !== false) e.setAttribute(k, v === true ? "" : v);
    }
    e.append(...children.filter((c) => c !== undefined && c !== false));
    return e;
  };
  const text = (parts, attributes = {}) => el("span", { lang: "", dir: "auto", ...attributes }, ...[parts].flat());
  const name = (d) => el("bdi", { class: "id" }, d.id.length > 200 ? `${start(d.id, 200)}…` : d.id, d.old && el("small", {}, t(" (old)", "（旧）")));
  const lines = (q) => (q.line === q.last_line ? t(`line ${number(q.line)}`, `第 ${number(q.line)} 行`) : t(`lines ${number(q.line)}–${number(q.last_line)}`, `第 ${number(q.line)}–${number(q.last_line)} 行`));
  const length = (p) => (view.words ? t(many(p.length, "word", "words"), `${number(p.length)} 词`) : t(many(p.length, "character", "characters"), `${number(p.length)} 字符`));
  const inDocs = (p) => t(`in ${many(p.n_documents, "document", "documents")}`, `出现于 ${number(p.n_documents)} 篇文档`);
  const more = (label, act) => el("button", { type: "button", class: "more", onclick: act }, label);

  const facts = el("div", { class: "facts-of-passages" });
  const search = el("input", { type: "search", oninput: () => { state.filter = search.value; state.rows = rowsAtOnce; drawList(); } });
  const searchLabel = el("label", {});
  const count = el("span", { role: "status", class: "faint" });
  const table = el("div", { class: "passage-list", tabindex: "0", role: "group" });
  const docTitle = el("h3", {});
  const docSelect = el("select", { onchange: () => open(+docSelect.value, docs[+docSelect.value].places[0]?.start) });
  const docText = el("div", { class: "document", tabindex: "0", role: "group" });
  const placesTitle = el("h3", { tabindex: "-1" });
  const here = el("div", { class: "here" });
  const places = el("div", { class: "places", tabindex: "0", role: "group" });
  root.replaceChildren(
    facts,
    ...(list.length === 0 ? [] : [
      el("p", { class: "filter" }, searchLabel, " ", count), table,
      el("div", { class: "panes" }, el("div", { class: "pane" }, docTitle, docSelect, docText), el("div", { class: "pane" }, placesTitle, here, places)),
    ]),
  );
  // Of a long passage the view has only the start.
  const cutOff = list.some(({ text, places: [q] }) => q && q.end_utf16 - q.start_utf16 > text.length);

  function matching() {
    const what = state.filter.toLowerCase();
    const found = what ? list.filter((p) => p.text.toLowerCase().includes(what) || p.places.some((q) => docs[q.document].id.toLowerCase().includes(what))) : [...list];
    return state.sort === "n_documents" ? found : found.sort((a, b) => b[state.sort] - a[state.sort] || a.at - b.at);
  }

  function drawFacts() {
    const unit = view.words ? t("words", "词") : t("characters", "字符");
    const left = [];
    if (view.n_passages > list.length) left.push(t(`Listed are the ${number(list.length)} passages in the most documents.`, `仅列出文档数最多的 ${number(list.length)} 个片段。`));
    const away = list.reduce((n, p) => n + p.n_occurrences - p.places.length, 0);
    if (away > 0) left.push(t(`${number(away)} of their occurrences are left out.`, `其中 ${number(away)} 处未列出。`));
    const gaps = shown.some((n) => docs[n].parts.reduce((sum, p) => sum + p.text.length, 0) < docs[n].length_utf16);
    left.push(t(`${many(shown.length, "document is", "documents are")} here with text${gaps ? "; text far from passages is left out" : ""}.`, `含正文的文档共 ${number(shown.length)} 篇${gaps ? "，远离片段的文字已省略" : ""}。`));
    if (view.unmarked) left.push(t("Some have more occurrences than are marked.", "部分文档中还有未标出的位置。"));
    facts.replaceChildren(
      el("p", {}, t(
        `${many(view.n_passages, "passage", "passages")} of at least ${number(view.min_length)} ${unit} in ${many(view.n_documents, "document", "documents")}, ${many(view.n_occurrences, "occurrence", "occurrences")}.`,
        `在 ${number(view.n_documents)} 篇文档中共有 ${number(view.n_passages)} 个不少于 ${number(view.min_length)} ${unit}的片段，共 ${number(view.n_occurrences)} 处。`)),
      list.length > 0 && el("p", { class: "faint" }, left.join(language === "zh" ? "" : " ")) || "",
    );
  }

  function drawList() {
    const found = matching();
    count.textContent = state.filter ? t(`${number(found.length)} of ${number(list.length)}`, `${number(list.length)} 个中的 ${number(found.length)} 个`) : "";
    const heads = [["n_documents", t("documents", "文档")], ["n_occurrences", t("occurrences", "次数")], ["length", view.words ? t("words", "词") : t("characters", "字符")]];
    const sorter = ([key, label]) => el("th", { scope: "col", class: "number", "aria-sort": state.sort === key ? "descending" : undefined },
      el("button", { type: "button", "data-sort": key, onclick: () => { state.sort = key; drawList(); table.querySelector(`[data-sort=${key}]`).focus(); } }, label, state.sort === key ? " ↓" : ""));
    const row = (p) => el("tr", { class: p.at === state.passage ? "on" : undefined },
      ...heads.map(([key]) => el("td", { class: "number" }, number(p[key]))),
      el("td", { class: "words" }, el("button", { type: "button", class: "passage", "data-passage": p.at, "aria-current": p.at === state.passage ? "true" : undefined, onclick: () => choose(p.at, true) },
        text(p.text.length > 240 ? `${start(p.text, 240)}…` : p.text))));
    const rows = found.slice(0, state.rows);
    table.setAttribute("aria-label", t("Passages", "片段"));
    table.replaceChildren(
      el("table", {}, el("thead", {}, el("tr", {}, ...heads.map(sorter), el("th", { scope: "col" }, t("text", "文字")))), el("tbody", {}, ...rows.map(row))),
      found.length > rows.length && more(t(`More (${number(found.length - rows.length)})`, `更多（${number(found.length - rows.length)}）`), () => {
        state.rows += 4 * rowsAtOnce;
        drawList();
        table.querySelectorAll(".passage")[rows.length]?.focus();
      }) || "",
    );
  }

  // choose shows the places of a passage, and with go also the first document that it stands in.
  function choose(n, go) {
    state.passage = n;
    state.places = placesAtOnce;
    if (go) state.here = [];
    for (const e of table.querySelectorAll("[data-passage]")) {
      const on = +e.dataset.passage === n;
      if (on) e.setAttribute("aria-current", "true");
      else e.removeAttribute("aria-current");
      e.closest("tr").classList.toggle("on", on);
    }
    drawPlaces();
    const first = list[n].places.find((q) => docs[q.document].parts);
    if (go && first) open(first.document, first.start_utf16);
    else markChosen();
    // On a phone the places are below.
    if (placesTitle.getBoundingClientRect().top > innerHeight) placesTitle.scrollIntoView({ block: "start" });
  }

  function drawPlaces() {
    const p = list[state.passage];
    if (!p) return;
    placesTitle.textContent = `${t("Passage", "片段")}: ${length(p)}, ${inDocs(p)}`;
    places.setAttribute("aria-label", t("Places of the passage", "片段出现的位置"));
    here.hidden = state.here.length < 2;
    here.replaceChildren(...(here.hidden ? [] : [
      t(`${state.here.length} passages lie over one another here:`, `此处有 ${state.here.length} 个重叠的片段：`),
      ...state.here.map((n) => el("button", { type: "button", "aria-pressed": String(n === state.passage), onclick: () => { choose(n); here.querySelector("[aria-pressed=true]")?.focus(); } }, `${length(list[n])}, ${inDocs(list[n])}`)),
    ]));
    const card = (q) => {
      const d = docs[q.document];
      const head = el("header", {}, name(d), el("span", { class: "faint" }, lines(q)));
      if (!d.parts) return el("article", {}, head, el("p", { class: "faint" }, t("The text of this document is left out.", "此文档的正文已省略。")));
      head.append(el("button", { type: "button", onclick: () => open(q.document, q.start_utf16) }, t("Show in document", "在文档中显示")));
      let inside = cut(d, q.start_utf16, q.end_utf16);
      if (inside.length > longest) inside = `${start(inside, longest / 2)} … ${end(inside, longest / 2)}`;
      const before = end(cut(d, Math.max(0, q.start_utf16 - around), q.start_utf16), around);
      const after = start(cut(d, q.end_utf16, Math.min(d.length_utf16, q.end_utf16 + around)), around);
      return el("article", {}, head, el("p", { class: "context", lang: "", dir: "auto" },
        q.start_utf16 > around ? `…${before}` : before, el("mark", {}, inside), q.end_utf16 + around < d.length_utf16 ? `${after}…` : after));
    };
    // Those with text stand before the others.
    const all = [...p.places].sort((a, b) => !docs[a.document].parts - !docs[b.document].parts);
    const now = all.slice(0, state.places);
    const away = p.n_occurrences - p.places.length;
    places.replaceChildren(
      ...now.map(card),
      all.length > now.length && more(t(`More places (${number(all.length - now.length)})`, `更多位置（${number(all.length - now.length)}）`), () => {
        state.places += 4 * placesAtOnce;
        drawPlaces();
        places.querySelectorAll("article button")[now.length]?.focus();
      }) || "",
      away > 0 && now.length === all.length && el("p", { class: "faint" }, t(`${many(away, "more occurrence is", "more occurrences are")} not listed here.`, `另有 ${number(away)} 处未列出。`)) || "",
    );
    places.scrollTop = 0;
  }

  // open shows a document where a place begins, or from its start.
  function open(n, at) {
    const again = state.doc === n;
    state.doc = n;
    const d = docs[n];
    d.lines ??= linesOf(d);
    if (!again || at !== undefined) {
      const line = at === undefined ? 0 : d.lines.findLastIndex((l) => l.from <= at);
      if (!again || line < state.from || line >= state.from + state.lines) {
        state.lines = linesAtOnce;
        state.from = line < linesAtOnce / 2 ? 0 : line - linesAtOnce / 4;
      }
    }
    drawDocument();
    docText.scrollTop = 0;
    if (at !== undefined) {
      const mark = [...docText.querySelectorAll("mark")].find((m) => +m.dataset.from >= at);
      // Within the pane only: the page stays where it is.
      if (mark) docText.scrollTop = mark.getBoundingClientRect().top - docText.getBoundingClientRect().top - docText.clientHeight / 3;
    }
  }

  function drawDocument() {
    const d = docs[state.doc];
    if (!d) return;
    docSelect.value = state.doc;
    docText.setAttribute("aria-label", t("Text of the document, with its passages marked", "文档正文，片段已标出"));
    const mark = (s, row) => {
      const part = row.text.slice(s.from - row.from, s.to - row.from);
      if (s.over.length === 0) return part;
      const over = new Set(s.over.map((p) => p.of));
      const classes = [`depth${Math.min(3, s.over.length)}`, ...s.over.map((p) => (p.lane < lanes ? `lane${p.lane}` : "many"))];
      if (s.starts.length > 0) classes.push("first");
      if (s.ends.length > 0) classes.push("last");
      const title = s.over.map((p) => `${length(list[p.of])}, ${inDocs(list[p.of])}`).join("\n");
      return el("mark", {
        class: [...new Set(classes)].join(" "), "data-from": s.from, "data-over": [...over].join(" "), title,
        ...(s.starts.length > 0 ? { role: "button", tabindex: "0" } : {}),
      }, part);
    };
    const row = (r) => {
      if (r.gap) return el("p", { class: "gap" }, t(`… ${number(r.gap)} characters left out …`, `…… 省略 ${number(r.gap)} 个字符 ……`));
      const marked = segments(r.from, r.from + r.text.length, d.places).map((s) => mark(s, r));
      return el("div", { class: "line" }, el("span", { class: "no", "aria-hidden": "true" }, String(r.line)), text(marked, { class: "of-line" }));
    };
    const to = Math.min(d.lines.length, state.from + state.lines);
    docText.replaceChildren(
      state.from > 0 && more(t("Earlier lines", "前面的行"), () => { const from = Math.max(0, state.from - linesAtOnce); state.lines += state.from - from; state.from = from; drawDocument(); docText.focus(); }) || "",
      ...d.lines.slice(state.from, to).map(row),
      to < d.lines.length && more(t("More lines", "后面的行"), () => { state.lines += linesAtOnce; drawDocument(); docText.focus(); }) || "",
    );
    markChosen();
  }

  function markChosen() {
    for (const m of docText.querySelectorAll("mark")) m.classList.toggle("on", m.dataset.over.split(" ").includes(String(state.passage)));
  }

  function pick(mark) {
    const over = mark.dataset.over.split(" ").map(Number).sort((a, b) => list[a].length - list[b].length || a - b);
    state.here = over;
    // Again on the same text: the next longer one.
    const at = over.indexOf(state.passage);
    choose(over[(at + 1) % over.length]);
  }
  docText.addEventListener("click", (e) => {
    const mark = e.target.closest("mark");
    if (mark && String(getSelection()) === "") pick(mark);
  });
  docText.addEventListener("keydown", (e) => {
    const mark = e.target.closest("mark");
    if (!mark || (e.key !== "Enter" && e.key !== " ")) return;
    e.preventDefault();
    pick(mark);
  });

  function draw() {
    drawFacts();
    searchLabel.replaceChildren(cutOff ? t("Filter by document or start of the text ", "按文档或文字开头筛选 ") : t("Filter by text or document ", "按文字或文档筛选 "), search);
    docTitle.textContent = t("Document", "文档");
    docSelect.setAttribute("aria-label", t("Document", "文档"));
    docSelect.replaceChildren(...shown.map((n) => {
      const d = docs[n];
      const id = d.id.length > 80 ? `${start(d.id, 80)}…` : d.id;
      const own = new Set(d.places.map((p) => p.of)).size;
      return el("option", { value: n }, `\u2068${id}\u2069 (${number(own)})`); // isolated, whichever way it is written
    }));
    for (const e of [docTitle, docSelect, docText]) e.hidden = shown.length === 0;
    drawList();
    drawPlaces();
    drawDocument();
  }
  root.classList.add("passages");
  draw();
  if (list.length > 0) {
    const first = list[0].places.find((q) => docs[q.document].parts);
    if (first) open(first.document, first.start_utf16);
  }
  return (l) => {
    language = l;
    draw();
  };
}
