// Looks of a method: the first 32 all differ, by colour and symbol up to the eighth, and
// then by dashes too, so that colour alone never tells two apart.
import { symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolCross, symbolWye } from "d3-shape";

// symbolDown is a triangle on its point; the other symbols of d3 are too much like those here, or
// have no ground to fill.
const symbolDown = {
  draw(context, size) {
    const y = -Math.sqrt(size / (Math.sqrt(3) * 3));
    context.moveTo(0, -y * 2);
    context.lineTo(-Math.sqrt(3) * y, y);
    context.lineTo(Math.sqrt(3) * y, y);
    context.closePath();
  },
};

const colours = 8;
const dashes = ["none", "7 3", "2 3", "9 3 2 3"];
const symbols = [
  symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolCross, symbolWye, symbolDown,
];

export const colour = (i) => `var(--c${i % colours})`;
export const dash = (i) => dashes[Math.floor(i / colours) % dashes.length];
export const symbol = (i) => symbols[(i + Math.floor(i / colours)) % symbols.length];
