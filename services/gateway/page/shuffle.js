// The shuffle, written from docs/fairness.md with the browser's own HMAC-SHA-256. Nothing of the server's is used.

const WORD = 2 ** 32;
const CARDS_PER_SEAT = 3;

/** The forty cards in the order in which they are shuffled. */
export const PACK = [..."PCEO"].flatMap((suit) => [..."4567QJKA23"].map((rank) => rank + suit));

/** Whether this browser can do the sums here: it offers its cryptography to secure pages alone. */
export function canCheck() {
  return globalThis.crypto?.subtle !== undefined;
}

/** SHA-256 of bytes, in hex. */
export async function sha256(bytes) {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Bytes from hex. */
export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Bytes in hex. */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** All the chance of one match, from its secret, its id and the list of what the players added (bytes each). */
export class Draws {
  #key;
  #prefix;

  constructor(key, prefix) {
    this.#key = key;
    this.#prefix = prefix;
  }

  static async of(secret, matchId, entropy) {
    const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const listed = joined(...entropy.flatMap((item) => [Uint8Array.of(item.length), item]));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", listed));
    return new Draws(key, joined(utf8(matchId), Uint8Array.of(0), digest));
  }

  /** Which of so many seats deals the first hand. */
  async firstDealer(seats) {
    return below(this.#words("dealer"), seats);
  }

  /** Hand `hand` (from 1) as dealt by one of so many seats: `{dealer, cards, vira}`, the cards by seat and place. */
  async deal(hand, dealer, seats) {
    const pack = await this.#shuffled(`hand-${hand}`, PACK);
    const cards = [];
    for (let turn = 0; turn < seats; turn += 1) {
      const seat = (dealer + 1 + turn) % seats;
      cards[seat] = pack.slice(turn * CARDS_PER_SEAT, (turn + 1) * CARDS_PER_SEAT);
    }
    return { dealer, cards, vira: pack[seats * CARDS_PER_SEAT] };
  }

  async #shuffled(label, items) {
    const words = this.#words(label);
    const order = [...items];
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = await below(words, i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }

  async *#words(label) {
    for (let n = 0; ; n += 1) {
      const counter = new DataView(new ArrayBuffer(8));
      counter.setBigUint64(0, BigInt(n));
      const message = joined(this.#prefix, utf8(label), Uint8Array.of(0), new Uint8Array(counter.buffer));
      const block = new DataView(await crypto.subtle.sign("HMAC", this.#key, message));
      for (let at = 0; at < block.byteLength; at += 4) yield block.getUint32(at);
    }
  }
}

async function below(words, bound) {
  const limit = WORD - (WORD % bound);
  for (;;) {
    const { value } = await words.next();
    if (value < limit) return value % bound;
  }
}

function utf8(text) {
  return new TextEncoder().encode(text);
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
