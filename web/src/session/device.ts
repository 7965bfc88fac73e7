// This window's name among the player's devices.

const NAME = "carteado.device";

/** A UUID that outlives a reload; a second window has another one. */
export function deviceId(): string {
  try {
    const known = sessionStorage.getItem(NAME);
    if (known !== null) return known;
    const id = crypto.randomUUID();
    sessionStorage.setItem(NAME, id);
    return id;
  } catch {
    return crypto.randomUUID(); // Storage may be forbidden: then a reload is another device.
  }
}
