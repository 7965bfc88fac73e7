// Bytes, as hex and base64.

/** Bytes from hex. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Bytes in hex. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Hex from base64. */
export function hexOf(base64: string): string {
  return toHex(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}

/** What this browser adds to a shuffle: 32 random bytes in base64. */
export function newEntropy(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
}

/** SHA-256 of bytes, in hex. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Whether this browser can do the sums here: it offers its cryptography to secure pages alone. */
export function canCheck(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}
