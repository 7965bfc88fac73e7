import { words } from "../../i18n/index.ts";

/** A preset as players call it: "truco@004" is "Truco, regras da casa 004". */
export function gameName(preset: string): string {
  const [game = "", house] = preset.split("@");
  const name = words.value.games[game] ?? game.split("-").map(capital).join(" ");
  return words.value.rooms.gameName(name, house);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
