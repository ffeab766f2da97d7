import { useState } from "react";
import { asProblem } from "../api/problem.ts";
import { showFailure } from "./messages.ts";

/** A button's work: while it is in progress the button is busy; what it throws is shown as a message. */
export function useAction(work: () => Promise<void>): { readonly act: () => void; readonly isBusy: boolean } {
  const [isBusy, setBusy] = useState(false);
  function act(): void {
    setBusy(true);
    void work()
      .catch(showFailure)
      .finally(() => setBusy(false));
  }
  return { act, isBusy };
}

/** Work whose failure is shown beside it: whether it is in progress, and the server's message when it failed. */
interface Work {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly start: (work: () => Promise<unknown>) => void;
}

/** Does one piece of work at a time. */
export function useWork(): Work {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      setError(asProblem(failure).message);
    } finally {
      setBusy(false);
    }
  }

  return { isBusy, error, start: (work) => void run(work) };
}
