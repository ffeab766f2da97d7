import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Queries } from "#db/database.ts";
import { readLogLevel } from "#db/queries/access/log-level.ts";

/** The log level of a process, which the operator can change for some time. */
export interface TemporaryLogLevel {
  /** Reads the level that was set, and applies it. */
  refresh(): Promise<void>;
  close(): void;
}

/** Creates what follows the level that the operator sets; afterwards the log has its own level again. */
export function createLogLevel(db: Queries, log: Logger): TemporaryLogLevel {
  const own = log.level;
  const name = `${hostname()}:${process.pid}`;
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(timer);
    log.level = own;
  }

  async function apply(): Promise<void> {
    const set = await readLogLevel(db);
    const isForUs = set?.process === null || set?.process === name;
    end();
    if (set?.level == null || set.leftMs === null || set.leftMs <= 0 || !isForUs) return;
    log.level = set.level;
    timer = setTimeout(end, set.leftMs).unref();
  }

  return {
    refresh: () =>
      apply().catch((error: unknown) => log.warn({ err: error }, "could not read the log level that was set")),
    close: end,
  };
}
