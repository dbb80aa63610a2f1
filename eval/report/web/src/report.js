// Draws the charts of a report from the JSON in the page, and switches language and theme.
// What a chart shows is decided in Go; here is only how it looks.
import { legend } from "./legend.js";
import { draw as picture } from "./kinds.js";
import { passages } from "../../../../internal/charts/passages.mjs";

const root = document.documentElement;
const data = JSON.parse(document.getElementById("data").textContent);

// pick returns a bilingual text in the language of the page.
const pick = (text) => text[root.lang === "zh" ? 1 : 0];

function draw(figure) {
  const chart = data.charts[figure.dataset.chart];
  const at = figure.querySelector(".plot");
  const width = Math.max(280, Math.floor(at.clientWidth || 680));
  const svg = picture(chart, width, pick);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", figure.querySelector(".title").innerText);
  const keys = legend(chart);
  at.replaceChildren(...(keys ? [keys, svg] : [svg]));
  figure.dataset.drawn = width;
}

const speakPassages = [...document.querySelectorAll("[data-passages]")].map((at) => passages(at, data.passages, root.lang));

const figures = [...document.querySelectorAll("figure[data-chart]")];
const waiting = new Set(figures);

function drawNow(figure) {
  if (waiting.delete(figure)) draw(figure);
}

// Charts in sight are drawn at once, the others one by one while nothing else is to be done.
const sight = new IntersectionObserver(
  (entries) => entries.forEach((e) => e.isIntersecting && drawNow(e.target)),
  { rootMargin: "400px" },
);
const later = window.requestIdleCallback ?? ((f) => setTimeout(() => f({ timeRemaining: () => 0 }), 30));
function drawLater(deadline) {
  do {
    const [next] = waiting;
    if (!next) return;
    drawNow(next);
  } while (deadline.timeRemaining() > 20);
  later(drawLater);
}
figures.forEach((f) => sight.observe(f));
later(drawLater);

let resized;
addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(() => {
    for (const f of figures) {
      const now = f.querySelector(".plot").clientWidth;
      if (!waiting.has(f) && Math.abs(now - f.dataset.drawn) > 8) draw(f);
    }
  }, 150);
});
addEventListener("beforeprint", () => [...waiting].forEach(drawNow));

function press(name, value) {
  for (const b of document.querySelectorAll(`button[data-${name}]`)) {
    b.setAttribute("aria-pressed", String(b.dataset[name] === value));
  }
}

function speak(language) {
  root.lang = language;
  press("language", language);
  document.title = pick(data.title);
  for (const f of figures) if (!waiting.has(f)) draw(f);
  for (const speak of speakPassages) speak(language);
}

function dress(theme) {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  press("theme", theme);
}

for (const b of document.querySelectorAll("button[data-language]")) {
  b.addEventListener("click", () => speak(b.dataset.language));
}
for (const b of document.querySelectorAll("button[data-theme]")) {
  b.addEventListener("click", () => dress(b.dataset.theme));
}
press("language", root.lang);
press("theme", "auto");
