import { render } from "preact";
import { App } from "./app/app.tsx";
import { begin } from "./app/controller.ts";
import { keepTitle } from "./app/title.ts";
import "./styles/base.css";
import "./styles/welcome.css";
import "./styles/rooms.css";
import "./styles/cards.css";
import "./styles/table.css";
import "./styles/round.css";
import "./styles/truco.css";
import "./styles/buraco.css";
import "./styles/mau_mau.css";
import "./styles/dialogs.css";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
keepTitle();
void begin();
