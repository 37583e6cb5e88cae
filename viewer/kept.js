// kept.js - what the browser remembers: widths and the height of rows. A page in a file may not be
// allowed to.

export function kept(key) {
  try {
    return localStorage.getItem(`rangeline ${key}`);
  } catch {
    return null;
  }
}

export function keep(key, value) {
  try {
    localStorage.setItem(`rangeline ${key}`, value);
  } catch { /* not allowed */ }
}
