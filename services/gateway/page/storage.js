// What outlives a reload: who plays, at which table, and wishes whose answer is not known yet.

const PREFIX = "carteado.";
const memory = new Map();

/** The stored value, or null. */
export function load(name) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? null : JSON.parse(text);
  } catch {
    return memory.get(name) ?? null; // Storage may be forbidden, or hold what another version wrote.
  }
}

/** Stores a value; null removes it. */
export function save(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    memory.set(name, value);
  }
}
