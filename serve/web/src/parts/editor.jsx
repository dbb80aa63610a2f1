import { t } from "../lib/words.js";

// Editor is a text that can be changed, over the same text to paint on. The one below gives both
// their height, so nothing has to scroll with anything.
export function Editor({ id, label, value, change, box }) {
  const bytes = new TextEncoder().encode(value).length;
  return (
    <div class="editor">
      <div class="row">
        <label for={id}>{label}</label>
        <span class="faint small">{t(`${[...value].length} characters, ${bytes} bytes`, `${[...value].length} 个字符，${bytes} 字节`)}</span>
      </div>
      <div class="sheet" ref={box}>
        <div class="under" aria-hidden="true">{`${value}\n`}</div>
        <textarea id={id} value={value} spellcheck={false} autocapitalize="off" placeholder={t("Type or paste a text", "输入或粘贴文本")}
          onInput={(e) => change(e.currentTarget.value)} onScroll={(e) => { e.currentTarget.scrollTop = 0; }} />
      </div>
    </div>
  );
}
