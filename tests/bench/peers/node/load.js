"use strict";

// boardgame.io's own headless clients over socket.io: node load.js URL TABLES SECONDS WARM_UP_SECONDS
//
// A seat plays as soon as it sees its turn. Counted are moves whose mover has got its own new state, and every state
// that a seat got. Says "begin" and "end" when it begins and ends to count, then the result as one line of JSON.

const { Client, LobbyClient } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { game, SEATS } = require("./game");

const [url, tables, seconds, warmUp] = process.argv.slice(2);
const lobby = new LobbyClient({ server: url });
const times = [];
let frames = 0;
let isCounting = false;
let isOver = false;

async function openTable() {
  const { matchID } = await lobby.createMatch(game.name, { numPlayers: SEATS });
  const clients = [];
  for (let seat = 0; seat < SEATS; seat += 1) {
    const playerID = String(seat);
    const { playerCredentials } = await lobby.joinMatch(game.name, matchID, { playerID, playerName: `p${seat}` });
    clients.push(
      Client({
        game,
        numPlayers: SEATS,
        matchID,
        playerID,
        credentials: playerCredentials,
        multiplayer: SocketIO({ server: url, socketOpts: { transports: ["websocket"] } }),
        debug: false,
      }),
    );
  }
  return clients;
}

/** Resolves when the match has been played, or when nothing counts any more. */
function play(clients, start) {
  return new Promise((resolve) => {
    for (const client of clients) {
      let stateID = -1;
      let sentAt = 0;
      const look = (state) => {
        if (state === null || state._stateID === stateID) return;
        stateID = state._stateID;
        if (isCounting) frames += 1;
        if (sentAt) {
          if (isCounting) times.push(performance.now() - sentAt);
          sentAt = 0;
        }
        if (isOver || state.ctx.gameover) resolve();
        else if (state.ctx.currentPlayer === client.playerID) {
          sentAt = performance.now();
          client.moves.play(state.G.hands[client.playerID][0]);
        }
      };
      start.then(() => {
        client.subscribe(look);
        look(client.getState());
      });
    }
  });
}

function connected(client) {
  client.start();
  return new Promise((resolve) => {
    const unsubscribe = client.subscribe((state) => {
      if (state !== null && state.isConnected) {
        setImmediate(() => unsubscribe());
        resolve();
      }
    });
  });
}

async function table(clients, start) {
  await play(clients, start);
  for (const client of clients) client.stop();
  while (!isOver) {
    const next = await openTable();
    await Promise.all(next.map(connected));
    await play(next, Promise.resolve());
    for (const client of next) client.stop();
  }
}

async function main() {
  const first = [];
  for (let number = 0; number < Number(tables); number += 1) first.push(await openTable());
  for (const clients of first) await Promise.all(clients.map(connected));
  let begin;
  const start = new Promise((resolve) => { begin = resolve; });
  first.map((clients) => table(clients, start));
  begin();
  await new Promise((resolve) => setTimeout(resolve, Number(warmUp) * 1000));
  console.log("begin");
  isCounting = true;
  const beganAt = performance.now();
  const cpuBefore = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
  isCounting = false;
  isOver = true;
  const measured = (performance.now() - beganAt) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  console.log("end");
  console.log(JSON.stringify({ seconds: measured, times_ms: times, frames, cpu_s: (cpu.user + cpu.system) / 1e6 }));
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
