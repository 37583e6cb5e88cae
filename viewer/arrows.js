// arrows.js - draws a line from a launch to its operation of a GPU, and for a range a bracket from
// its first operation to its last.
import { axisHeight, font, px } from "./size.js";
import { count, duration } from "./text.js";

export function workText({ n, busy, start, end }) {
  const share = end > start ? `, ${Math.round(busy / (end - start) * 100)} % busy` : "";
  return `${duration(end - start)}, ${count(n)} ${n === 1 ? "operation" : "operations"}${share}`;
}

// Null if the row has no place; at the edge of its area if it is scrolled off that.
function middleOf(picture, row) {
  const place = picture.placeOf(row);
  if (!place) return null;
  const area = picture.areas[place.area];
  return Math.min(area.y + area.room, Math.max(area.y, area.screenY(place) + place.height / 2));
}

function drawLine(c, picture, from, to) {
  if (from.y === null || to.y === null || from.y === to.y) return;
  const bend = Math.min(px(80), Math.abs(to.y - from.y) / 2), down = to.y > from.y ? 1 : -1;
  c.beginPath();
  c.moveTo(from.x, from.y);
  c.bezierCurveTo(from.x, from.y + bend * down, to.x, to.y - bend * down, to.x, to.y - px(6) * down);
  c.stroke();
  c.beginPath(); // its head
  c.moveTo(to.x, to.y);
  c.lineTo(to.x - px(4), to.y - px(7) * down);
  c.lineTo(to.x + px(4), to.y - px(7) * down);
  c.fill();
}

// In the line of the GPU above its streams, because the bracket is not of one stream.
function drawBracket(c, picture, gpu, area) {
  const header = picture.headerOf(gpu.first.row);
  if (header?.area !== area) return;
  const y = picture.areas[area].screenY(header), from = Math.max(picture.view.left, picture.x(gpu.start));
  const to = Math.min(picture.width, picture.x(gpu.end)), bottom = y + header.height - 2;
  if (to < picture.view.left || from > picture.width) return;
  c.beginPath();
  c.moveTo(from, bottom);
  c.lineTo(from, bottom - px(4));
  c.lineTo(to, bottom - px(4));
  c.lineTo(to, bottom);
  c.stroke();
  c.font = font();
  const text = workText(gpu), wide = c.measureText(text).width;
  const beside = from + px(6) + wide < picture.width ? from + px(6) : from - px(6) - wide;
  c.fillText(text, Math.max(picture.view.left + px(4), beside), y + px(8));
}

export function drawLinks(c, picture, selected, links) {
  const { view: { left: x }, width } = picture, { gpus = [] } = links;
  c.save();
  c.strokeStyle = c.fillStyle = picture.color.ink;
  c.lineWidth = 1.2;
  picture.inAreas(c, { x, width }, (_, area) => gpus.forEach((gpu) => drawBracket(c, picture, gpu, area)));
  c.beginPath();
  c.rect(x, axisHeight(), width, picture.height);
  c.clip();
  if (links.call) {
    const { own, around, thread } = links.call, row = (own || around)?.row ?? picture.firstRowOf(thread);
    drawLine(c, picture, { x: picture.x(links.call.start), y: middleOf(picture, row) },
      { x: picture.x(selected.start), y: middleOf(picture, selected.row) });
  }
  for (const gpu of gpus) {
    drawLine(c, picture, { x: picture.x(selected.start), y: middleOf(picture, selected.row) },
      { x: picture.x(gpu.start), y: middleOf(picture, gpu.first.row) });
  }
  c.restore();
}
