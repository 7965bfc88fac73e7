// The suits' signs, drawn once and referred to by every card; which pack's signs depends on the deck that was chosen.

import { settings } from "../session/settings.ts";

export function Symbols() {
  return (
    <svg class="symbols" aria-hidden="true">
      {settings.deckFace.value === "spanish" ? <SpanishSigns /> : <FrenchSigns />}
      <symbol id="star" viewBox="0 0 24 24">
        <path d="m12 2 3 6.5 7.1.8-5.3 4.8 1.5 7L12 17.5 5.7 21.1l1.5-7L1.9 9.3 9 8.5z" />
      </symbol>
    </svg>
  );
}

function FrenchSigns() {
  return (
    <>
      <symbol id="suit-paus" viewBox="0 0 24 24">
        <path d="M12 1.8a4.7 4.7 0 0 1 4.3 6.6 4.8 4.8 0 1 1-3.2 8.2c.2 2.5 1 4.5 2.5 5.6H8.4c1.5-1.1 2.3-3.1 2.5-5.6a4.8 4.8 0 1 1-3.2-8.2A4.7 4.7 0 0 1 12 1.8z" />
      </symbol>
      <symbol id="suit-copas" viewBox="0 0 24 24">
        <path d="M12 21.5C5 15.5 1.8 11.9 1.8 7.9 1.8 4.9 4 2.9 6.7 2.9c2.2 0 4.3 1.3 5.3 3.5 1-2.2 3.1-3.5 5.3-3.5 2.7 0 4.9 2 4.9 5 0 4-3.2 7.6-10.2 13.6z" />
      </symbol>
      <symbol id="suit-espadas" viewBox="0 0 24 24">
        <path d="M12 1.8c5 5.7 9.6 9 9.6 12.9 0 2.6-2 4.5-4.4 4.5-1.7 0-3.2-.9-4.1-2.5.2 2.5 1 4.4 2.5 5.5H8.4c1.5-1.1 2.3-3 2.5-5.5-.9 1.6-2.4 2.5-4.1 2.5-2.4 0-4.4-1.9-4.4-4.5 0-3.9 4.6-7.2 9.6-12.9z" />
      </symbol>
      <symbol id="suit-ouros" viewBox="0 0 24 24">
        <path d="M12 1.2 20.6 12 12 22.8 3.4 12z" />
      </symbol>
    </>
  );
}

/** Clubs, cups, swords and coins. */
function SpanishSigns() {
  return (
    <>
      <symbol id="suit-paus" viewBox="0 0 24 24">
        <path d="M12 1.5c2.8 0 4.4 1.9 4.2 4.6-.1 1.2-.5 2-.5 3l1.6 1.3-.9 1.4-1.6-.6c-.3 2-.8 4.2-1.1 6.3-.2 1.6-.2 3-.6 4.2-.3 1-1.9 1-2.2 0-.4-1.2-.4-2.6-.6-4.2-.3-2.1-.8-4.3-1.1-6.3l-1.6.6-.9-1.4 1.6-1.3c0-1-.4-1.8-.5-3C7.6 3.4 9.2 1.5 12 1.5z" />
      </symbol>
      <symbol id="suit-copas" viewBox="0 0 24 24">
        <path
          d="M4.5 2.5h15c.4 6.6-1.7 10.7-5.5 12v2.6c2.6.6 4.4 1.9 4.7 4.4H5.3c.3-2.5 2.1-3.8 4.7-4.4v-2.6c-3.8-1.3-5.9-5.4-5.5-12zm2.3 2.2c.1 1 .3 1.9.6 2.7h9.2c.3-.8.5-1.7.6-2.7z"
          fill-rule="evenodd"
        />
      </symbol>
      <symbol id="suit-espadas" viewBox="0 0 24 24">
        <path d="M12 .8l1.9 3.2v11.2h4.1v2.3h-4.1v2.6a1.95 1.95 0 1 1-3.8 0v-2.6H6v-2.3h4.1V4z" />
      </symbol>
      <symbol id="suit-ouros" viewBox="0 0 24 24">
        <path
          d="M12 1.5a10.5 10.5 0 1 1 0 21 10.5 10.5 0 0 1 0-21zm0 2.6a7.9 7.9 0 1 0 0 15.8 7.9 7.9 0 0 0 0-15.8zm0 2.4l1.6 3.9 4.2.3-3.2 2.7 1 4.1-3.6-2.2-3.6 2.2 1-4.1-3.2-2.7 4.2-.3z"
          fill-rule="evenodd"
        />
      </symbol>
    </>
  );
}
