"use strict";

// The same work as a table's of the platform, less the rules: four seats with secret hands, one card a move, and
// a view for each seat. A match is a pack long.

const PACK = Array.from({ length: 52 }, (_, card) => card);

exports.SEATS = 4;

exports.game = {
  name: "tricks",
  minPlayers: 4,
  maxPlayers: 4,
  setup: ({ random }) => {
    const pack = random.Shuffle(PACK);
    const hands = {};
    for (let seat = 0; seat < exports.SEATS; seat += 1) hands[seat] = pack.slice(13 * seat, 13 * seat + 13);
    return { hands, trick: [], tricks: 0 };
  },
  playerView: ({ G, playerID }) => ({
    ...G,
    hands: Object.fromEntries(
      Object.entries(G.hands).map(([seat, cards]) => [seat, seat === playerID ? cards : cards.map(() => null)]),
    ),
  }),
  moves: {
    play: {
      // Decided by the server alone: a client does not know what the others hold.
      client: false,
      move: ({ G, playerID }, card) => {
        G.hands[playerID] = G.hands[playerID].filter((held) => held !== card);
        G.trick.push({ seat: playerID, card });
        if (G.trick.length === exports.SEATS) {
          G.trick = [];
          G.tricks += 1;
        }
      },
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
  endIf: ({ G }) => (G.tricks === 13 ? { isOver: true } : undefined),
};
