// The window's title says where one is, and calls the player back when it is their turn.

import { effect } from "@preact/signals";
import { words } from "../i18n/index.ts";
import { gameName } from "../screens/rooms/names.ts";
import { match, screen } from "./controller.ts";

const NAME = "Carteado";

/** Keeps the title up. */
export function keepTitle(): void {
  effect(() => {
    document.title = isMyTurn() ? `● ${words.value.table.yourTurn} · ${NAME}` : titleOf();
  });
}

function isMyTurn(): boolean {
  const view = match.value?.view.value;
  const mine = view?.yourSeat;
  return (
    mine !== undefined &&
    match.value?.seats.value?.isOut !== true &&
    view?.clock?.seats.includes(mine) === true
  );
}

function titleOf(): string {
  const view = match.value?.view.value;
  if (view) return `${gameName(view.preset)} · ${NAME}`;
  return screen.value === "rooms" ? `${words.value.rooms.title} · ${NAME}` : NAME;
}
