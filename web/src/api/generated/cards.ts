// Generated from proto/carteado/cards/v1 by `make web`; never edited.

export interface Card {
  readonly rank: Rank;
  readonly suit: Suit;
  readonly pack: number;
}

export type Rank =
  | "RANK_UNSPECIFIED"
  | "RANK_ACE"
  | "RANK_TWO"
  | "RANK_THREE"
  | "RANK_FOUR"
  | "RANK_FIVE"
  | "RANK_SIX"
  | "RANK_SEVEN"
  | "RANK_EIGHT"
  | "RANK_NINE"
  | "RANK_TEN"
  | "RANK_JACK"
  | "RANK_QUEEN"
  | "RANK_KING"
  | "RANK_JOKER";

export type Suit =
  | "SUIT_UNSPECIFIED"
  | "SUIT_OUROS"
  | "SUIT_ESPADAS"
  | "SUIT_COPAS"
  | "SUIT_PAUS";
