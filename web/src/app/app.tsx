// The page: one screen, and what may stand in front of it.

import { Symbols } from "../cards/symbols.tsx";
import { CheckDialog } from "../screens/check.tsx";
import { LeaveDialog } from "../screens/leave.tsx";
import { ResultDialog } from "../screens/result.tsx";
import { RoomsScreen } from "../screens/rooms/screen.tsx";
import { SettingsDialog } from "../screens/settings.tsx";
import { TableScreen } from "../screens/table.tsx";
import { WelcomeScreen } from "../screens/welcome.tsx";
import { settings } from "../session/settings.ts";
import { dialogs, match, note, screen } from "./controller.ts";

export function App() {
  const table = match.value;
  const open = dialogs.value;
  return (
    <div
      class={`page deck-${settings.deckFace.value}${settings.hasFourColours.value ? " four-colours" : ""}`}
    >
      <Symbols />
      <p id="note" class="note" role="status" hidden={note.value === null}>
        {note.value}
      </p>
      {screen.value === "welcome" && <WelcomeScreen />}
      {screen.value === "rooms" && <RoomsScreen />}
      {screen.value === "table" && table !== null && <TableScreen key={table.tableId} match={table} />}
      {table !== null && open.includes("result") && <ResultDialog match={table} />}
      {table !== null && open.includes("check") && <CheckDialog match={table} />}
      {table !== null && open.includes("leave") && <LeaveDialog match={table} />}
      {open.includes("settings") && <SettingsDialog />}
    </div>
  );
}
