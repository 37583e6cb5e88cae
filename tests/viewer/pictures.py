# SPDX-License-Identifier: Apache-2.0
"""pictures.py - compares a picture with the committed one.

Fonts and the edges of shapes differ from machine to machine. So pictures are compared
by blocks of 8 x 8 pixels: few blocks of text change their mean color by much, but all
blocks of a missing row do. A browser does the counting, because it is fast.
"""

import base64

MOST_SHARE = 0.012  # of all blocks; a bar across the picture exceeds it

COMPARE = """async ({ pictures, blank }) => {
  const BLOCK = 8, MUCH = 40; // pixels; of 255, of a block's mean
  const [one, other] = await Promise.all(pictures.map(async (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return { context, width: canvas.width, height: canvas.height };
  }));
  if (blank) {
    const { context, width, height } = other, [top, bottom] = blank;
    const [r, g, b] = context.getImageData(width - 1, height - 1, 1, 1).data;
    context.fillStyle = `rgb(${r}, ${g}, ${b})`;
    context.fillRect(0, top, width, bottom - top);
  }
  const width = Math.min(one.width, other.width), height = Math.min(one.height, other.height);
  const [a, b] = [one, other].map(({ context }) => context.getImageData(0, 0, width, height).data);
  let n = 0, nDiffer = 0;
  for (let y = 0; y + BLOCK <= height; y += BLOCK) {
    for (let x = 0; x + BLOCK <= width; x += BLOCK, n++) {
      const apart = [0, 0, 0];
      for (let k = 0; k < BLOCK * BLOCK; k++) {
        const at = 4 * ((y + (k >> 3)) * width + x + (k & 7));
        for (let c = 0; c < 3; c++) apart[c] += a[at + c] - b[at + c];
      }
      nDiffer += apart.some((sum) => Math.abs(sum) > MUCH * BLOCK * BLOCK);
    }
  }
  return n ? nDiffer / n : 1;
}"""


def share_that_differs(page, one, other, blank=None):
    """The share of differing blocks among those that both pictures (PNG) have. `blank`:
    two heights between which the second has only the color of its last pixel."""
    pictures = [base64.b64encode(each).decode() for each in (one, other)]
    return page.evaluate(COMPARE, {"pictures": pictures, "blank": blank})
