// kept.js - what the browser remembers, unless it refuses to: widths, the height of rows, and what the wheel does.

export function attempt(action) {
  try {
    return action();
  } catch {
    return null;
  }
}

export const kept = (key) => attempt(() => localStorage.getItem(`rangeline ${key}`));
export const keep = (key, value) => attempt(() => localStorage.setItem(`rangeline ${key}`, value));
