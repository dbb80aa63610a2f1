import { t } from "../lib/words.js";
import { digits } from "../lib/format.js";

// Histogram shows how many pairs score how much: those alike upwards, the others downwards, both
// by the logarithm of their number. range is told {least, most} of a bar that is clicked.
export function Histogram({ data, range }) {
  const { alike, unlike = [], bins } = data;
  const tall = (n) => Math.log10(1 + n);
  const top = Math.max(1, ...(alike ?? []).map(tall));
  const low = Math.max(0, ...(unlike ?? []).map(tall));
  const bar = (n, i, sign) => n > 0 && (
    <rect key={`${sign}${i}`} class={sign > 0 ? "alike" : "unlike"} x={i + 0.06} width={0.88} y={sign > 0 ? top - tall(n) : top} height={tall(n)}
      onClick={() => range({ least: (i / bins).toFixed(2), most: ((i + 1) / bins).toFixed(2) })}>
      <title>{`${(i / bins).toFixed(2)}–${((i + 1) / bins).toFixed(2)}: ${digits(n)}`}</title>
    </rect>
  );
  const total = (counts) => (counts ?? []).reduce((x, y) => x + y, 0);
  const paired = total(unlike) > 0;
  return (
    <figure class="histogram">
      <figcaption>{t("Scores", "分数")} <code>{data.method}</code></figcaption>
      <svg viewBox={`0 0 ${bins} ${top + low}`} preserveAspectRatio="none" role="img"
        aria-label={t(`Histogram of ${digits(total(alike) + total(unlike))} scores`, `${digits(total(alike) + total(unlike))} 个分数的直方图`)}>
        {(alike ?? []).map((n, i) => bar(n, i, 1))}
        {(unlike ?? []).map((n, i) => bar(n, i, -1))}
        <line class="axis" x1="0" x2={bins} y1={top} y2={top} />
      </svg>
      <div class="scale small faint" aria-hidden="true">{[0, 0.25, 0.5, 0.75, 1].map((v) => <span key={v}>{v}</span>)}</div>
      <ul class="keys small">
        <li><i class="first" />{paired ? t(`alike: ${digits(total(alike))}`, `相似：${digits(total(alike))}`) : t(`removed: ${digits(total(alike))}`, `移除：${digits(total(alike))}`)}</li>
        {paired && <li><i class="second" />{t(`not alike: ${digits(total(unlike))}`, `不相似：${digits(total(unlike))}`)}</li>}
        <li class="faint">{t("heights by logarithm", "高度取对数")}</li>
      </ul>
    </figure>
  );
}
