import { colour, outline } from "../../../../internal/charts/looks.mjs";

// Mark is the symbol of a look in charts, before the name that it stands for.
export const Mark = ({ look }) => (
  <svg class="symbol" width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true"><path d={outline(look, 4.5)} fill={colour(look)} /></svg>
);
