// What outlives a reload: who plays, at which table, and wishes whose answer is not known yet.

const PREFIX = "carteado.";
const memory = new Map<string, unknown>();

/** The stored value, or null. Another version of this page may have written it: callers check what they must rely on. */
export function load<T>(name: string): T | null {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return (memory.get(name) as T | undefined) ?? null; // Storage may be forbidden, or hold no JSON.
  }
}

/** Stores a value; null removes it. */
export function save(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    memory.set(name, value);
  }
}
