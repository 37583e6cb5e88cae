// marks.js - draws marks: a diamond for one that stands alone, lines for those close together.
import { hex } from "./colors.js";
import { px } from "./size.js";
import { firstAt } from "./tiles.js";

function diamond(c, x, y, size, ink) {
  c.beginPath();
  c.moveTo(x, y - size);
  c.lineTo(x + size * 0.9, y);
  c.lineTo(x, y + size);
  c.lineTo(x - size * 0.9, y);
  c.closePath();
  c.fill();
  if (!ink) return;
  c.strokeStyle = ink;
  c.lineWidth = 2;
  c.stroke();
}

export function drawMarks(c, picture, pieces, y) {
  const { side, shown: { selected, isWanted } } = picture, size = px(4.5);
  let last = -99;
  for (const { tile, from, to } of pieces) {
    for (let i = firstAt(tile, Math.max(from, picture.time(picture.view.left - 8))); i < tile.start.length; i++) {
      if (tile.start[i] >= to) break;
      const x = picture.x(tile.start[i]);
      if (x > picture.width + 6) break;
      const isAlone = x - last > px(7) && (!tile.n || tile.n[i] === 1);
      const isSelected = selected?.side === side && selected.row === tile.row && selected.start === tile.start[i];
      c.globalAlpha = isWanted && !isWanted[tile.name[i]] ? 0.2 : 1;
      c.fillStyle = hex(side.colorOf(tile, i));
      if (isAlone || isSelected) diamond(c, x, y, size, isSelected && picture.color.ink);
      else if (x - last >= 1) c.fillRect(x - 0.5, y - size, 1, 2 * size); // a crowd
      c.globalAlpha = 1;
      last = x;
    }
  }
}
