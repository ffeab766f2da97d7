import { useState } from "react";
import { asProblem } from "../../api/problem.ts";

/** An action of a button: whether it is in progress, and the server's message when it failed. */
export interface Action {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly start: (work: () => Promise<unknown>) => void;
}

/** Runs one piece of work at a time. */
export function useAction(): Action {
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
