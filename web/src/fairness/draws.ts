// All the chance of one match, written from docs/fairness.md with the browser's own HMAC-SHA-256. Nothing of the server's is used.

const WORD = 2 ** 32;

type Bytes = Uint8Array<ArrayBuffer>;

export class Draws {
  #key: CryptoKey;
  #prefix: Bytes;

  private constructor(key: CryptoKey, prefix: Bytes) {
    this.#key = key;
    this.#prefix = prefix;
  }

  /** From the match's secret, its id and the list of what the players added (bytes each). */
  static async of(secret: Bytes, matchId: string, entropy: readonly Bytes[]): Promise<Draws> {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
    const listed = joined(...entropy.flatMap((item) => [Uint8Array.of(item.length), item]));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", listed));
    return new Draws(key, joined(utf8(matchId), Uint8Array.of(0), digest));
  }

  /** A number from 0 to bound − 1 that the label gives. */
  async below(label: string, bound: number): Promise<number> {
    return evenly(this.#words(label), bound);
  }

  /** The items in the order that the label gives. */
  async shuffled<Item>(label: string, items: readonly Item[]): Promise<Item[]> {
    const words = this.#words(label);
    const order = [...items];
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = await evenly(words, i + 1);
      [order[i], order[j]] = [order[j] as Item, order[i] as Item];
    }
    return order;
  }

  async *#words(label: string): AsyncGenerator<number, never> {
    for (let n = 0; ; n += 1) {
      const counter = new DataView(new ArrayBuffer(8));
      counter.setBigUint64(0, BigInt(n));
      const message = joined(this.#prefix, utf8(label), Uint8Array.of(0), new Uint8Array(counter.buffer));
      const block = new DataView(await crypto.subtle.sign("HMAC", this.#key, message));
      for (let at = 0; at < block.byteLength; at += 4) yield block.getUint32(at);
    }
  }
}

/** A number below the bound, all of them equally likely: words past the last whole multiple are left out. */
async function evenly(words: AsyncGenerator<number, never>, bound: number): Promise<number> {
  const limit = WORD - (WORD % bound);
  for (;;) {
    const { value } = await words.next();
    if (value < limit) return value % bound;
  }
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function joined(...parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
