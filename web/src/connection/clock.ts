// Time as the server has it. The local clock is never trusted: only its going forward.

/** Milliseconds since the epoch of a timestamp in JSON, whatever its number of decimals. */
export function instant(text: string): number {
  return Date.parse(text.replace(/(\.\d{3})\d+/, "$1"));
}

export class ServerClock {
  #offset: number | null = null;
  #isRough = true;

  /** The server's time, as it was when this message left it. The least delayed message is the best one. */
  observe(serverTime: string): void {
    const offset = instant(serverTime) - performance.now();
    if (this.#isRough || this.#offset === null || offset > this.#offset) this.#offset = offset;
    this.#isRough = false;
  }

  /** After a loss of connection (a laptop that slept) nothing learnt holds; this will do until the next message. */
  restart(serverTime: string): void {
    this.#offset = instant(serverTime) - performance.now();
    this.#isRough = true;
  }

  /** Milliseconds until a moment of the server; null while its time is not known. */
  until(timestamp: string): number | null {
    return this.#offset === null ? null : Math.max(0, instant(timestamp) - performance.now() - this.#offset);
  }
}
