// kept.js - what the browser remembers: widths and the height of rows. In a file or frame, it may refuse to.

export function attempt(action) {
  try {
    return action();
  } catch {
    return null;
  }
}

export const kept = (key) => attempt(() => localStorage.getItem(`rangeline ${key}`));
export const keep = (key, value) => attempt(() => localStorage.setItem(`rangeline ${key}`, value));
