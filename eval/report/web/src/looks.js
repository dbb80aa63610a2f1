// Looks of a method: the first 32 all differ, by colour and symbol up to the eighth, and
// then by dashes too, so that colour alone never tells two apart.
import {
  symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolCross, symbolWye, symbolAsterisk,
} from "d3-shape";

const colours = 8;
const dashes = ["none", "7 3", "2 3", "9 3 2 3"];
const symbols = [
  symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolCross, symbolWye, symbolAsterisk,
];

export const colour = (i) => `var(--c${i % colours})`;
export const dash = (i) => dashes[Math.floor(i / colours) % dashes.length];
export const symbol = (i) => symbols[(i + Math.floor(i / colours)) % symbols.length];
