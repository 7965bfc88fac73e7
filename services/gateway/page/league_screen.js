// The Liga do Rei: the table of my league in this week, and my place in it.

import { ApiError } from "./api.js";
import { byId, el } from "./dom.js";
import { getLeague, getStanding } from "./rooms_calls.js";

const LEAGUES = { bronze: "Bronze", prata: "Prata", ouro: "Ouro", platina: "Platina", diamante: "Diamante", pro: "Pro" };

/** Shows the table of a game; `isCurrent()` is false once something else was chosen. */
export async function showLeague(token, game, isCurrent) {
  let league;
  let mine;
  try {
    [league, mine] = await Promise.all([getLeague(token, game), getStanding(token, game)]);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isCurrent()) tell("A Liga não responde agora. Tente de novo daqui a pouco.", []);
    return;
  }
  if (!isCurrent()) return;
  const place = mine.place === null ? "Você ainda não pontuou nesta semana." : `Você: ${mine.place}º lugar, ${points(mine.points)}.`;
  const isFar = mine.place !== null && !league.rows.some((row) => row.is_you);
  tell(`Liga ${LEAGUES[league.league]}. ${place}`, isFar ? [...league.rows.slice(0, 3), ...mine.table.rows] : league.rows);
}

function tell(text, rows) {
  byId("league-mine").textContent = text;
  byId("league-table").hidden = rows.length === 0;
  byId("league-rows").replaceChildren(...rows.map(line));
}

function line(row) {
  const name = row.name ?? "Jogador";
  return el(
    "tr",
    { class: row.is_you ? "you" : null },
    el("td", {}, `${row.place}º`),
    el("th", { scope: "row" }, row.is_you ? `${name} (você)` : name),
    el("td", {}, String(row.points)),
    el("td", {}, String(row.wins)),
    el("td", {}, String(row.matches)),
  );
}

function points(number) {
  return number === 1 ? "1 ponto" : `${number} pontos`;
}
