// The four gestures of Truco, drawn.

import type { Gesture } from "../../api/generated/games_truco.ts";

const EYE = { cy: 10, r: 1.4 };

export function GestureFace({ gesture }: { readonly gesture: Gesture }) {
  return (
    <svg class="gesture" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="10.5" class="gesture-face" />
      <Features gesture={gesture} />
    </svg>
  );
}

function Features({ gesture }: { gesture: Gesture }) {
  switch (gesture) {
    case "GESTURE_PISCAR":
      return (
        <>
          <circle cx="8" {...EYE} />
          <path d="M14 10.2q2-1.8 4 0" class="gesture-line" />
          <path d="M8 15.5q4 3.2 8 0" class="gesture-line" />
        </>
      );
    case "GESTURE_SOBRANCELHA":
      return (
        <>
          <circle cx="8" {...EYE} />
          <circle cx="16" {...EYE} />
          <path d="M6 7.5h4M13.6 5.8q2.4-2 4.6.2" class="gesture-line" />
          <path d="M8.5 16.2h7" class="gesture-line" />
        </>
      );
    case "GESTURE_BOCHECHA":
      return (
        <>
          <circle cx="8" {...EYE} />
          <circle cx="16" {...EYE} />
          <circle cx="18.6" cy="15" r="4" class="gesture-face" />
          <path d="M9 16.2h4.5" class="gesture-line" />
        </>
      );
    case "GESTURE_LINGUA":
      return (
        <>
          <circle cx="8" {...EYE} />
          <circle cx="16" {...EYE} />
          <path d="M7.5 14.5h9" class="gesture-line" />
          <path d="M10 14.8h4.4v2.6a2.2 2.2 0 0 1-4.4 0z" class="gesture-tongue" />
        </>
      );
    case "GESTURE_UNSPECIFIED":
      return null;
  }
}
