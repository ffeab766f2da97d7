import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { claimSuspects } from "#db/queries/queue/claim-jobs.ts";
import { createPoller } from "#lib/async/poller.ts";
import type { ActiveJobs } from "./active-jobs.ts";
import type { ClaimRunner } from "./claim-runner.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { QuarantineGroup } from "./quarantine-groups.ts";

/** How often suspects are claimed in the places of those that have passed a step, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/** Dependencies of {@link createSuspectDispatcher}. */
export interface SuspectDispatcherOptions {
  readonly db: Database;
  readonly executorId: () => string;
  readonly group: QuarantineGroup;
  readonly claims: ClaimRunner;
  readonly jobs: ActiveJobs;
  /** Called when the process runs nothing and finds no more suspects. */
  readonly onIdle: () => void;
  readonly log: Logger;
}

/** Creates the dispatcher of a quarantine process: it claims suspects of one group, and nothing else. */
export function createSuspectDispatcher(options: SuspectDispatcherOptions): Dispatcher {
  const { db, executorId, group, claims, jobs, log } = options;
  const warn = (error: unknown) => log.warn({ err: error }, "could not claim suspects");
  let claiming = Promise.resolve();

  async function claimMore(): Promise<void> {
    const limit = group.size - jobs.suspects();
    if (limit > 0) await claims.run(() => claimSuspects(db, executorId(), { ...group, limit }), []);
  }

  /** One claim after another, because each depends on what the one before has claimed. */
  function fill(): Promise<void> {
    claiming = claiming
      .then(claimMore)
      .catch(warn)
      .then(() => (jobs.list().length === 0 ? options.onIdle() : undefined));
    return claiming;
  }

  const poller = createPoller({ intervalMs: POLL_INTERVAL_MS, run: fill, onError: warn });

  return {
    fill,
    async wakeAll() {
      await fill();
      return [];
    },
    wake: () => Promise.resolve(),
    reserve: () => undefined,
    start: poller.start,
    stop: () => void poller.stop(),
  };
}
