// area.js - a part of the picture whose rows scroll by themselves: there are two of them.
//
//   | axis        |
//   | pinned rows |
//   | other rows  |  y to y + room: what is from `top` on, in rows of `height`
import { rowSize } from "./size.js";

export class Area {
  constructor() {
    this.top = this.room = 0;
    this.drawn = [];
  }

  // Puts the rows of a layout between two heights of the screen.
  fit({ places, groups, height }, y, bottom) {
    Object.assign(this, { places, groups, height, y, room: bottom - y });
    this.scroll(0);
  }

  scroll(by) { this.top = Math.min(Math.max(0, this.height - this.room), Math.max(0, this.top + by)); }

  screenY({ y }) { return y - this.top + this.y; }

  // Where the name of a group is in the area: beside its first row, which is `lead` below its upper edge, or
  // at the top while others are there.
  heading({ y, height, lead, group }) {
    const rows = height - lead, tall = group.groups ? rows : Math.min(rows, rowSize("row")), top = y + lead - this.top;
    return { top: Math.max(top, Math.min(0, top + rows - tall)), height: tall };
  }

  // Of places or groups: those on screen.
  visible(list) {
    const found = [];
    let low = 0, high = list.length;
    while (low < high) { // finds the first
      const middle = low + high >> 1;
      if (list[middle].y + list[middle].height <= this.top) low = middle + 1;
      else high = middle;
    }
    for (; low < list.length && list[low].y < this.top + this.room; low++) found.push(list[low]);
    return found;
  }
}
