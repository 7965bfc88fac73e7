// A dialog that is open as long as it is drawn.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly id: string;
  readonly title: string;
  readonly class?: string;
  /** Called when the player closes it with Escape; where it is missing, Escape does nothing. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ id, title, class: more = "", onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const node = dialog.current;
    node?.showModal();
    return () => node?.close();
  }, []);
  return (
    <dialog
      id={id}
      class={`dialog ${more}`.trim()}
      aria-labelledby={`${id}-title`}
      ref={dialog}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </dialog>
  );
}
