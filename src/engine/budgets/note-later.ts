import type { EngineServices, Run } from "../run/run-context.ts";
import { budgetCall } from "./budget-call.ts";
import type { IdentifiedCall } from "./budget-call.ts";

/** Shorter calls are not worth a statement. */
const NOTE_AFTER_MS = 1_000;

/** The note of a call in progress. */
export interface CallNote {
  /** Call it when the call has ended. @returns whether the database knows of the call */
  end(): Promise<boolean>;
}

/** The note of a call whose worst case is reserved. */
export const ALREADY_KNOWN: CallNote = { end: () => Promise.resolve(true) };

/** Notes a call without a budget when it takes long, so that it is recorded if this process dies. */
export function noteLater(engine: EngineServices, run: Run, call: IdentifiedCall): CallNote {
  let noted: Promise<boolean> | undefined;
  const timer = setTimeout(() => {
    noted = engine.budgets.note(run.key, budgetCall(engine, run, call)).catch((error: unknown) => {
      engine.log.warn({ err: error }, "could not note a model call");
      return false;
    });
  }, NOTE_AFTER_MS);
  return {
    async end() {
      clearTimeout(timer);
      return (await noted) ?? false;
    },
  };
}
