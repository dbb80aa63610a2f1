// Charts. They and the library that draws them are loaded by the pages that have any.
import { useEffect, useRef } from "preact/hooks";
import { curves, scatter } from "../../../../internal/charts/draw.mjs";
import { useWidth } from "../lib/hooks.js";

// Chart draws what draw(width) makes of a plot, again when it or the width changes. Plot styles itself
// by an element that the policy of these pages forbids; app.css has the same.
function Chart({ label, draw, inputs }) {
  const [ref, width] = useWidth();
  const at = useRef(null);
  useEffect(() => {
    if (width < 40) return;
    const svg = draw(width);
    for (const style of svg.querySelectorAll("style")) style.remove();
    for (const named of svg.querySelectorAll("[aria-label]")) named.removeAttribute("aria-label"); // parts of a picture
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
    at.current.replaceChildren(svg);
  }, [width, label, ...inputs]);
  return <div class="plot" ref={ref}><div ref={at} /></div>;
}

// Scatter shows points, and Curves series, as the shared script says.
export const Scatter = ({ label, ...chart }) => <Chart label={label} draw={(width) => scatter(chart, width)} inputs={[chart.points, chart.chosen, chart.x.label, chart.y.label, chart.x.log]} />;
export const Curves = ({ label, ...chart }) => <Chart label={label} draw={(width) => curves(chart, width)} inputs={[chart.series, chart.threshold, chart.x.label, chart.y.label]} />;
