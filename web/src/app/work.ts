// Does what a button asks for, one thing at a time, and says in words why it failed.

import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { failureText } from "../api/ask.ts";

export class Work {
  readonly isBusy = signal(false);
  readonly error = signal("");

  /** Runs work unless some runs already. */
  async run(work: () => Promise<void> | void): Promise<void> {
    if (this.isBusy.value) return;
    this.error.value = "";
    this.isBusy.value = true;
    try {
      await work();
    } catch (failure) {
      this.error.value = failureText(failure);
    } finally {
      this.isBusy.value = false;
    }
  }
}

/** The work of one place of a screen. */
export function useWork(): Work {
  return useMemo(() => new Work(), []);
}
