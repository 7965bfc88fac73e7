// Keeps the keyboard's place: when what had the focus goes away, the focus goes to its neighbour instead of being lost.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * After each drawing of a group: if the button that had the focus is gone, its place in the group takes the focus, or the
 * group itself where no button is left. The group needs a tabindex.
 */
export function useKeptFocus(group: RefObject<HTMLElement | null>): void {
  const had = useRef<{ element: Element; index: number } | null>(null);
  useLayoutEffect(() => {
    const root = group.current;
    if (root === null) return;
    const buttons = [...root.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
    const active = document.activeElement;
    const isLost = active === null || active === document.body;
    if (had.current !== null && isLost && !had.current.element.isConnected) {
      const next = buttons[Math.min(had.current.index, buttons.length - 1)] ?? root;
      next.focus({ preventScroll: true });
    }
  });
  useLayoutEffect(() => {
    const root = group.current;
    if (root === null) return;
    const note = (event: FocusEvent): void => {
      const element = event.target as Element;
      had.current = {
        element,
        index: [...root.querySelectorAll("button")].indexOf(element as HTMLButtonElement),
      };
    };
    const forget = (event: FocusEvent): void => {
      // A button that is taken away loses the focus to nothing; one that is left for another has a relatedTarget.
      if (event.relatedTarget !== null) had.current = null;
    };
    root.addEventListener("focusin", note);
    root.addEventListener("focusout", forget);
    return () => {
      root.removeEventListener("focusin", note);
      root.removeEventListener("focusout", forget);
    };
  }, [group]);
}
