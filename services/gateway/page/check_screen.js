// Shows the check of a finished match: one clear answer, then every hand with what was compared.

import { ApiError, matchRecord } from "./api.js";
import { cardName, cardOf, face } from "./cards.js";
import { check } from "./check.js";
import { byId, el } from "./dom.js";
import { canCheck } from "./shuffle.js";
import { Witness } from "./witness.js";

const STATES = { ok: ["✓", "confere"], wrong: ["✗", "não confere"], unseen: ["–", "não foi visto por esta página"] };

/** Opens the dialog and checks the match; `who(seat)` names a seat. */
export async function showCheck(token, tableId, who) {
  const dialog = byId("check");
  const verdict = byId("check-verdict");
  dialog.classList.remove("fair", "unfair");
  verdict.textContent = "Refazendo todos os embaralhamentos neste navegador…";
  byId("check-note").textContent = "";
  byId("check-match").replaceChildren();
  byId("check-hands").replaceChildren();
  byId("check-numbers").hidden = true;
  if (!dialog.open) dialog.showModal();
  if (!canCheck()) {
    verdict.textContent = "Este navegador só faz esta conta em páginas seguras (https).";
    return;
  }
  try {
    const record = await matchRecord(token, tableId);
    draw(await check(record, new Witness(tableId).seen), tableId, who);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    verdict.textContent = `Não foi possível buscar o registro da partida: ${error.message}`;
  }
}

function draw(report, tableId, who) {
  const { hands } = report;
  byId("check").classList.add(report.isFair ? "fair" : "unfair");
  byId("check-verdict").textContent = report.isFair
    ? `Tudo confere: ${hands.length === 1 ? "a mão foi dada" : `as ${hands.length} mãos foram dadas`} como o segredo manda.`
    : "Algo não confere nesta partida. Veja abaixo o que foi.";
  byId("check-note").textContent = report.wasWatched
    ? "A conta foi feita aqui, e comparada com o que esta página viu enquanto você jogava."
    : "Este navegador não acompanhou a partida: só o registro publicado foi conferido.";
  byId("check-match").replaceChildren(...report.match.map(line));
  byId("check-hands").replaceChildren(...hands.map((hand) => handDetails(hand, who)));
  byId("check-numbers").hidden = false;
  byId("proof-table").textContent = tableId;
  byId("proof-commitment").textContent = report.commitment;
  byId("proof-secret").textContent = report.secret;
  byId("proof-entropy").replaceChildren(
    ...report.entropy.map((item, seat) => el("div", {}, `${who(seat)}: ${item || "nada"}`)),
  );
}

function handDetails({ number, dealt, points }, who) {
  const isRight = points.every(({ state }) => state !== "wrong");
  const details = el(
    "details",
    { class: `check-hand ${isRight ? "ok" : "wrong"}` },
    el("summary", {}, el("span", {}, `${number}ª mão`), el("span", { class: "check-state" }, isRight ? "✓ confere" : "✗ não confere")),
    el("p", {}, `${who(dealt.dealer)} deu as cartas. Estas são as que o segredo dá:`),
    el(
      "ul",
      { class: "check-cards" },
      row("Vira", [dealt.vira]),
      ...dealt.cards.map((cards, seat) => row(who(seat), cards)),
    ),
    el("ul", { class: "check-points" }, ...points.map(line)),
  );
  details.open = !isRight;
  return details;
}

function row(name, codes) {
  const cards = codes.map(cardOf);
  return el(
    "li",
    {},
    el("span", { class: "check-name" }, name),
    el("span", { class: "check-faces", role: "img", "aria-label": cards.map(cardName).join(", ") }, ...cards.map((card) => face(card, false))),
  );
}

function line({ text, state }) {
  const [mark, words] = STATES[state];
  return el("li", { class: state }, el("span", { class: "check-mark", role: "img", "aria-label": words }, mark), text);
}
