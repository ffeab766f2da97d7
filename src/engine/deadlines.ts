import type { Logger } from "pino";
import { expireQuestions } from "#operations/expire-questions.ts";
import type { Services } from "#operations/context.ts";

const INTERVAL_MS = 1_000;

/** Ends the wait of tasks whose question was not answered in time. */
export interface Deadlines {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Makes a process's watch over deadlines. However many tasks wait, it is one look a second; several
 * processes may watch side by side, and one that starts finds what ran out while none was there.
 */
export function createDeadlines(options: Pick<Services, "db" | "events"> & { readonly log: Logger }): Deadlines {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  function look(): void {
    looking ??= expireQuestions(options)
      .catch((error: unknown) => options.log.warn({ err: error }, "could not look for questions without an answer"))
      .finally(() => (looking = undefined));
  }

  return {
    start() {
      look();
      timer = setInterval(look, INTERVAL_MS);
    },
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
