// idle.js - when a GPU had nothing to do: its longest gaps (highlights.js), hatched in the line of the GPU.
import { font, px } from "./size.js";
import { duration } from "./text.js";

const APART = 6; // pixels from one line to the next

function within(picture, { start, end }) {
  const from = Math.max(picture.view.left, picture.x(start)), to = Math.min(picture.width, picture.x(end));
  return to - from >= 2 ? [from, to] : null;
}

// The line of its GPU; grouped otherwise, there is none.
function headerOf(picture, { row, label }) {
  const header = picture.headerOf(row);
  return header?.group.label === label ? header : null;
}

function hatch(c, picture, [from, to], { y, height }) {
  const top = y + px(4), tall = height - px(8);
  c.save();
  c.beginPath();
  c.rect(from, top, to - from, tall);
  c.clip();
  c.beginPath();
  for (let x = from - tall; x < to; x += px(APART)) {
    c.moveTo(x, top + tall);
    c.lineTo(x + tall, top);
  }
  c.strokeStyle = picture.color.faint;
  c.globalAlpha = 0.6;
  c.lineWidth = 1;
  c.stroke();
  c.restore();
}

// How long it is, where there is room, on a ground of its own.
function say(c, picture, [from, to], gap, { y, height }) {
  const text = `idle ${duration(gap.end - gap.start)}`, wide = c.measureText(text).width + px(8);
  if (to - from < wide + px(12)) return;
  const x = (from + to - wide) / 2;
  c.fillStyle = picture.color.band;
  c.fillRect(x, y + 1, wide, height - 2);
  c.fillStyle = picture.color.faint;
  c.fillText(text, x + px(4), y + height / 2);
}

export function drawIdle(c, picture, area) {
  c.font = font();
  for (const gap of picture.shown.gaps || []) {
    const header = headerOf(picture, gap), ends = within(picture, gap);
    if (!header || !ends || picture.areas[header.area] !== area) continue;
    const at = { y: area.screenY(header), height: header.height };
    hatch(c, picture, ends, at);
    if (!picture.shown.links?.gpus?.length) say(c, picture, ends, gap, at); // their bracket has a text of its own
  }
}

// The gap at a point of the line of its GPU, as an item of kind `i`, or null.
export function idleAt(picture, place, x) {
  if (place.kind !== "header") return null;
  const gap = (picture.shown.gaps || []).find((each) => {
    const ends = within(picture, each);
    return ends && x >= ends[0] && x <= ends[1] && headerOf(picture, each) === place;
  });
  return gap ? { ...gap, side: picture.side, kind: "i", n: 1 } : null;
}
