// Looks of marks in charts: the first eight differ by colour and by symbol, and the next by other
// pairs of them.
import { symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolCross, symbolWye } from "d3-shape";

const symbols = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolCross, symbolWye];

export const colours = (i) => `var(--c${i % 8})`;
export const look = (i) => symbols[(i + Math.floor(i / 8)) % symbols.length];
