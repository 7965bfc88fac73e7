// A deal of the record played again, card by card: what is drawn is the stock's first, what is played was held.

interface Shape {
  readonly cards: readonly string[];
}

/** What the record writes of an event, as far as cards move in it. */
export interface Recorded {
  readonly seat: number;
  readonly card: string;
  readonly cards: readonly string[];
  readonly added: readonly string[];
  readonly shape: Shape;
}

/** The cards of a deal, as they lie before its first move. */
export interface Dealt {
  readonly starter: number;
  readonly hands: readonly (readonly string[])[];
  readonly mortos: readonly (readonly string[])[];
  readonly stock: readonly string[];
  readonly lixo: readonly string[];
}

export class Replay {
  /** Whether every card drawn, and every morto, was the next one. */
  areDrawsRight = true;
  /** Whether every card played was held by who played it. */
  arePlaysRight = true;
  /** Every card that left a hand: seat and card. */
  readonly played = new Set<string>();
  readonly #hands: readonly Set<string>[];
  readonly #mortos: (readonly string[])[];
  readonly #stock: string[];
  #lixo: string[];

  constructor({ hands, mortos, stock, lixo }: Dealt) {
    this.#hands = hands.map((cards) => new Set(cards));
    this.#mortos = [...mortos];
    this.#stock = [...stock];
    this.#lixo = [...lixo];
  }

  /** Takes the next event of the record. */
  take(type: string, event: Recorded): void {
    switch (type) {
      case "buraco.stock_drawn":
      case "buraco.red_three_replaced":
        if (this.#stock.shift() !== event.card) this.areDrawsRight = false;
        this.#get(event.seat, [event.card]);
        break;
      case "buraco.lixo_taken":
        if (this.#lixo.join() !== event.cards.join()) this.arePlaysRight = false;
        this.#lixo = [];
        this.#get(event.seat, event.cards);
        break;
      case "buraco.morto_taken":
        this.#nextMorto(event.cards);
        this.#get(event.seat, event.cards);
        break;
      case "buraco.morto_turned":
        this.#nextMorto(event.cards);
        this.#stock.push(...event.cards);
        break;
      case "buraco.red_three_laid":
        this.#give(event.seat, [event.card]);
        break;
      case "buraco.card_discarded":
        this.#give(event.seat, [event.card]);
        this.#lixo.push(event.card);
        break;
      case "buraco.meld_laid":
        this.#give(event.seat, event.shape.cards);
        break;
      case "buraco.meld_extended":
        this.#give(event.seat, event.added);
        break;
    }
  }

  #nextMorto(cards: readonly string[]): void {
    if (this.#mortos.shift()?.join() !== cards.join()) this.areDrawsRight = false;
  }

  #get(seat: number, cards: readonly string[]): void {
    for (const card of cards) this.#hands[seat]?.add(card);
  }

  #give(seat: number, cards: readonly string[]): void {
    for (const card of cards) {
      if (this.#hands[seat]?.delete(card) !== true) this.arePlaysRight = false;
      this.played.add(`${seat} ${card}`);
    }
  }
}
