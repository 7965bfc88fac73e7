// The Liga do Rei: the table of my league in this week, and my place in it.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ApiError } from "../../api/ask.ts";
import {
  getLeague,
  getStanding,
  type LeagueRow,
  type LeagueStanding,
  type LeagueTable,
} from "../../api/rooms.ts";
import { day, words } from "../../i18n/index.ts";
import { mustSession } from "../../session/session.ts";
import { onChoice, type Rooms } from "./rooms.ts";

const FIRST_ROWS = 3;
const MOST_TROPHIES = 5;
const TROPHY_MARKS = ["①", "②", "③"];

interface Standings {
  readonly league: LeagueTable;
  readonly mine: LeagueStanding;
}

export function LeaguePanel({ rooms }: { rooms: Rooms }) {
  const standings = useSignal<Standings | "away" | null>(null);
  useEffect(
    () =>
      onChoice(rooms, ({ preset, room }, isCurrent) => {
        if (room !== "ranqueada") return; // On the way out.
        const { token } = mustSession();
        Promise.all([getLeague(token, preset), getStanding(token, preset)]).then(
          ([league, mine]) => {
            if (isCurrent()) standings.value = { league, mine };
          },
          (problem: unknown) => {
            if (!(problem instanceof ApiError)) throw problem;
            if (isCurrent()) standings.value = "away";
          },
        );
      }),
    [rooms],
  );
  const w = words.value.league;
  const now = standings.value;
  return (
    <section id="rooms-league" class="rooms-panel" aria-labelledby="rooms-league-title">
      <h2 id="rooms-league-title">{w.title}</h2>
      <p id="league-mine" role="status">
        {now === "away" ? w.away : now === null ? "" : mineText(now)}
      </p>
      {now !== null && now !== "away" && (
        <>
          <Table rows={shownRows(now)} />
          <Won mine={now.mine} />
        </>
      )}
    </section>
  );
}

function mineText({ league, mine }: Standings): string {
  const w = words.value.league;
  const place = mine.place === null ? w.noPlace : w.mine(mine.place, w.points(mine.points));
  return `${w.league(w.names[league.league])} ${place}`;
}

/** The first rows; who stands far below them is shown with their neighbours. */
function shownRows({ league, mine }: Standings): readonly LeagueRow[] {
  const isFar = mine.place !== null && !league.rows.some((row) => row.is_you);
  return isFar ? [...league.rows.slice(0, FIRST_ROWS), ...mine.table.rows] : league.rows;
}

/** Trophies, medals and achievements of this game; nothing where there are none yet. */
function Won({ mine: { trophies, medals, achievements } }: { mine: LeagueStanding }) {
  const w = words.value.league;
  const lines = [
    ...trophies.slice(0, MOST_TROPHIES).map(({ place, league, week }) => ({
      mark: TROPHY_MARKS[place - 1] ?? "",
      text: w.won.trophy(place, w.names[league], day(`${week}T12:00:00-03:00`)),
    })),
    ...medals.map(({ wins }) => ({ mark: "★", text: w.won.medal(wins) })),
    ...achievements.map(({ feat, achieved_at }) => ({
      mark: "♛",
      text: w.won.feat(w.won.feats[feat], day(achieved_at)),
    })),
  ];
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="league-won-title">
      <h3 id="league-won-title">{w.won.title}</h3>
      <ul id="league-won" class="league-won">
        {lines.map(({ mark, text }) => (
          <li key={text}>
            <span aria-hidden="true">{mark}</span> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Table({ rows }: { rows: readonly LeagueRow[] }) {
  if (rows.length === 0) return null;
  const w = words.value;
  const { columns } = w.league;
  return (
    <table id="league-table" class="league-table">
      <thead>
        <tr>
          <th scope="col">
            <abbr title={columns.place}>#</abbr>
          </th>
          <th scope="col">{columns.player}</th>
          <th scope="col">{columns.points}</th>
          <th scope="col">{columns.wins}</th>
          <th scope="col">{columns.matches}</th>
        </tr>
      </thead>
      <tbody id="league-rows">
        {rows.map((row) => {
          const name = row.name ?? w.rooms.player;
          return (
            <tr key={row.player_id} class={row.is_you ? "you" : ""}>
              <td>{w.league.place(row.place)}</td>
              <th scope="row">{row.is_you ? w.league.you(name) : name}</th>
              <td>{row.points}</td>
              <td>{row.wins}</td>
              <td>{row.matches}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
