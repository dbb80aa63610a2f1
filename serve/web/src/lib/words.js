// The language of the pages. Texts stand in the code in English and in Chinese, side by side,
// so that neither is forgotten.
let language = "en";

export const speak = (l) => {
  language = l;
};
export const spoken = () => language;

// t picks the text in the language of the page.
export const t = (en, zh) => (language === "zh" ? zh : en);
