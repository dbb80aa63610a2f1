// The pages of alike serve: one document, whose parts are loaded when they are looked at.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t, speak } from "./lib/words.js";
import { useRoute } from "./lib/route.js";
import { setToken } from "./lib/api.js";
import { Compare } from "./pages/compare.jsx";

const pages = [
  { name: "compare", title: () => t("Compare", "比较"), load: async () => Compare },
  { name: "passages", title: () => t("Passages", "片段"), load: async () => (await import("./pages/passages.jsx")).Passages },
  { name: "data", title: () => t("Data", "数据"), load: async () => (await import("./pages/data.jsx")).Data },
  { name: "choose", title: () => t("Choose", "选择"), load: async () => (await import("./pages/choose.jsx")).Choose },
  { name: "results", title: () => t("Results", "结果"), load: async () => (await import("./pages/results.jsx")).Results },
  { name: "plan", title: () => t("Plan", "规划"), load: async () => (await import("./pages/plan.jsx")).Plan },
];
const parts = new Map([["compare", Compare]]);

const root = document.documentElement;
const stored = (key) => {
  try { return localStorage.getItem(key); } catch { return null; }
};
const store = (key, value) => {
  try { localStorage.setItem(key, value); } catch { /* a browser that keeps nothing */ }
};

function Switch({ label, choices, value, choose }) {
  return (
    <div class="switch" role="group" aria-label={label}>
      {choices.map(([key, text, name, lang]) => (
        <button type="button" key={key} lang={lang} aria-pressed={value === key} aria-label={lang ? undefined : name} title={name} onClick={() => choose(key)}>{text}</button>
      ))}
    </div>
  );
}

function Token({ close, given }) {
  const ref = useRef(null);
  useEffect(() => ref.current.showModal(), []);
  return (
    <dialog ref={ref} aria-labelledby="token-title" onClose={close}>
      <form method="dialog" onSubmit={(e) => { setToken(new FormData(e.target).get("token").trim()); given(); }}>
        <h2 id="token-title">{t("This server wants a token", "此服务器需要令牌")}</h2>
        <label>{t("Token", "令牌")} <input name="token" type="password" autocomplete="off" required /></label>
        <p class="faint">{t("It is kept until this tab is closed.", "令牌保存到此标签页关闭为止。")}</p>
        <p class="row"><button type="submit" class="main">{t("Go on", "继续")}</button> <button type="button" onClick={() => ref.current.close()}>{t("Not now", "以后再说")}</button></p>
      </form>
    </dialog>
  );
}

function App() {
  const route = useRoute();
  const page = pages.find((p) => p.name === route.page) ?? pages[0];
  const [language, setLanguage] = useState(() => stored("alike.language") ?? (navigator.language.startsWith("zh") ? "zh" : "en"));
  const [theme, setTheme] = useState(() => stored("alike.theme") ?? "auto");
  const [asked, setAsked] = useState(false);
  const [tokens, setTokens] = useState(0); // how many were given: with another the page begins anew
  const [, loaded] = useState(0);
  const main = useRef(null);
  const before = useRef(page.name);
  speak(language);

  useEffect(() => {
    root.lang = language;
    document.title = `alike – ${page.title()}`;
  }, [language, page]);
  useEffect(() => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
  }, [theme]);
  useEffect(() => {
    const ask = () => setAsked(true);
    addEventListener("alike:token", ask);
    return () => removeEventListener("alike:token", ask);
  }, []);
  useEffect(() => {
    if (!parts.has(page.name)) page.load().then((part) => { parts.set(page.name, part); loaded((n) => n + 1); });
    if (before.current !== page.name) {
      before.current = page.name;
      main.current.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }, [page]);

  const Part = parts.get(page.name);
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); main.current.focus(); }}>{t("Skip to the content", "跳到正文")}</a>
      <header>
        <a class="logo" href="#/compare"><img src="icon.svg" alt="" width="28" height="28" />alike</a>
        <nav aria-label={t("Pages", "页面")}>
          {pages.map((p) => <a key={p.name} href={`#/${p.name}`} aria-current={p === page ? "page" : undefined}>{p.title()}</a>)}
        </nav>
        <div class="switches">
          <Switch label={t("Language", "语言")} value={language} choose={(l) => { store("alike.language", l); setLanguage(l); }}
            choices={[["en", "EN", "English", "en"], ["zh", "中文", "中文", "zh"]]} />
          <Switch label={t("Theme", "主题")} value={theme} choose={(v) => { store("alike.theme", v); setTheme(v); }}
            choices={[["auto", "◐", t("Theme of the system", "跟随系统")], ["light", "☀", t("Light", "浅色")], ["dark", "☾", t("Dark", "深色")]]} />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <h1>{page.title()}</h1>
        {Part ? <Part key={`${page.name} ${tokens}`} values={route.values} language={language} /> : <p class="faint" role="status">{t("Loading …", "正在加载……")}</p>}
      </main>
      <footer>
        <p><a href="docs">{t("Reference of the API", "API 参考")}</a> · <a href="licences.txt">{t("Licences", "许可证")}</a> · {t("All of this runs on the server you opened; nothing is sent anywhere else.", "一切都在您打开的服务器上运行，不会发送到别处。")}</p>
      </footer>
      {asked && <Token close={() => setAsked(false)} given={() => setTokens((n) => n + 1)} />}
    </>
  );
}

render(<App />, document.getElementById("app"));
