import { DBOS, DBOSWorkflowConflictError } from "@dbos-inc/dbos-sdk";
import { DBOSExecutor } from "@dbos-inc/dbos-sdk/internal/dbos-executor";
import { migrateSystemDatabase } from "@dbos-inc/dbos-sdk/internal/system_database";
import { GlobalLogger } from "@dbos-inc/dbos-sdk/internal/telemetry/logs";
import { Pool } from "pg";
import type { Logger } from "pino";
import { KEEP_ALIVE, named, outliveBreaks } from "#db/pool.ts";
import type { Database } from "#db/database.ts";
import { prepareStatements } from "#db/prepare-statements.ts";
import { WORKFLOW } from "#domain/workflow.ts";
import type { QueueName } from "#domain/workflow.ts";
import { atMost } from "#lib/at-most.ts";
import { settle } from "#lib/settle.ts";
import { OwnershipLost } from "./event-writer.ts";
import { createDispatcher } from "./dispatcher.ts";
import type { Concurrency, Dispatcher } from "./dispatcher.ts";
import { lookThroughDispatchers } from "./look-through-dispatchers.ts";
import { recordEndsTogether } from "./record-ends.ts";

/** Notifications wake the queue; this is how often it is looked at should one be lost, in milliseconds. */
const QUEUE_POLL_MS = 1_000;
const POOL_SIZE = 12;
/** What is still under way when the engine closes has had its time. */
const CLOSE_MS = 1_000;

/** What runs and steps hand over is plain JSON; DBOS's default format also carries class instances, at a price. */
const PLAIN_JSON = {
  name: () => "json",
  stringify: (value: unknown) => JSON.stringify(value ?? null),
  parse: (text: string | null | undefined): unknown => JSON.parse(text ?? "null"),
};

/** A workflow with a queue of its own. */
export interface Workflow {
  readonly name: string;
  readonly queue: QueueName;
  /** Does a run: its steps are remembered, the rest is run again when it is taken over. Gets the job that was enqueued. */
  readonly run: (...job: never[]) => Promise<void>;
  /** How many a process does at once, where that is not {@link DurableOptions.concurrency}. */
  readonly concurrency?: Concurrency;
}

/** What {@link openDurableEngine} needs. */
export interface DurableOptions {
  readonly db: Database;
  readonly url: string;
  /** Names this process; a new one at every start. */
  readonly executorId: string;
  readonly concurrency: Concurrency;
  /** Whether the process is closing: it takes no more runs then. */
  readonly isClosing: () => boolean;
  readonly log: Logger;
  readonly workflows: readonly Workflow[];
}

/** The durable engine: everything that this program asks of DBOS. */
export interface DurableEngine {
  /** Begins to take runs. */
  launch(): Promise<void>;
  /** Whether this process may take more runs from a queue. */
  hasRoom(queue: QueueName): boolean;
  /** Takes what waits in a workspace's partition of a queue, or of each, now. */
  wake(workspaceId: string, queue?: QueueName): Promise<void>;
  /** Takes what waits in every workspace's partition, now. */
  wakeAll(): Promise<void>;
  /** The ids of the runs that this process is doing. */
  running(): readonly string[];
  /** Tells that the end of a run stands in the library's tables already. */
  noteRecorded(runId: string): void;
  /** Deletes what was recorded of runs that have ended. */
  forget(runIds: readonly string[]): Promise<void>;
  /** Stops taking runs and lets go; whatever still runs is taken over by another process. */
  close(): Promise<void>;
}

/** Brings the engine's own tables up to date; they live in the schema `dbos` of the same database. */
export async function migrateEngine(url: string): Promise<void> {
  await migrateSystemDatabase(url, new GlobalLogger(undefined, { logLevel: "warn" }), "dbos");
}

/** Opens the engine. One per process: DBOS keeps its state in statics. */
export function openDurableEngine(options: DurableOptions): DurableEngine {
  const pool = new Pool({
    connectionString: named(options.url),
    max: POOL_SIZE,
    ...KEEP_ALIVE,
  });
  prepareStatements(pool);
  outliveBreaks(pool);
  pool.on("error", (error) => options.log.warn({ err: error }, "engine connection lost"));
  const logger = engineLogger(options.log);
  DBOS.setConfig({
    name: WORKFLOW.application,
    systemDatabaseUrl: options.url,
    systemDatabasePool: pool,
    applicationVersion: WORKFLOW.version,
    executorID: options.executorId,
    runMigrations: false,
    serializer: PLAIN_JSON,
    logger,
  });
  const recorded = new Set<string>();
  const dispatchers = new Map<QueueName, Dispatcher>();
  for (const { name, queue, run, concurrency = options.concurrency } of options.workflows) {
    const dispatcher = createDispatcher({ ...options, concurrency, pool, queue });
    dispatchers.set(queue, dispatcher);
    const workflow = (...job: never[]) =>
      run(...job)
        .catch((error: unknown) => passOn(error, options.log))
        .finally(dispatcher.noteEnd);
    DBOS.registerWorkflow(workflow, { name, maxRecoveryAttempts: Number.MAX_SAFE_INTEGER });
  }

  async function wake(workspaceId: string, queue?: QueueName): Promise<void> {
    const woken = [...dispatchers].filter(([name]) => queue === undefined || name === queue);
    await settle(woken.map(([, dispatcher]) => dispatcher.wake(workspaceId)));
  }

  async function wakeAll(): Promise<void> {
    for (const dispatcher of dispatchers.values()) await dispatcher.wakeAll();
  }

  return {
    wake,
    wakeAll,
    running: () => [...(DBOSExecutor.globalInstance?.systemDatabase.runningWorkflowMap.keys() ?? [])],
    async launch() {
      await DBOS.launch();
      const library = DBOSExecutor.globalInstance?.systemDatabase;
      if (library !== undefined) {
        recordEndsTogether(library, { db: options.db, recorded });
        lookThroughDispatchers(library, dispatchers);
      }
      for (const { queue, concurrency = options.concurrency } of options.workflows) {
        const { perProcess, perWorkspace } = concurrency;
        await DBOS.registerQueue(queue, {
          // Without a limit of partitions the library would not look into them; it is the dispatcher that keeps it.
          partitionWorkerConcurrency: Math.min(perProcess, perWorkspace),
          minPollingIntervalMs: QUEUE_POLL_MS,
          onConflict: "always_update",
        });
        await dispatchers.get(queue)?.wakeAll();
      }
    },
    hasRoom: (queue) => dispatchers.get(queue)?.hasRoom() === true,
    noteRecorded: (runId) => void recorded.add(runId),
    async forget(runIds) {
      await DBOSExecutor.globalInstance?.systemDatabase.deleteWorkflows([...runIds]);
    },
    async close() {
      await DBOS.shutdown();
      await atMost(CLOSE_MS, pool.end());
    },
  };
}

/**
 * An execution that has lost its run says nothing of how the workflow ended; nor does one that could not write how the
 * run ended: recorded as failed, the workflow would leave its run as it stands for ever. As a stray it is done again,
 * until that counts as a crash loop.
 */
function passOn(error: unknown, log: Logger): never {
  const run = DBOS.workflowID ?? "";
  if (!(error instanceof OwnershipLost)) log.error({ err: error, run }, "a run was broken off; it is done again");
  throw new DBOSWorkflowConflictError(run);
}

/** DBOS names every run that it leaves behind, hundreds of them. */
const LONGEST_ENTRY = 500;

/** What DBOS reports as information is detail to an operator of this program. */
function engineLogger(log: Logger) {
  const child = log.child({ part: "engine" });
  return {
    info: (entry: unknown) => child.debug(String(entry)),
    debug: (entry: unknown) => child.trace(String(entry)),
    warn: (entry: unknown) => child.warn(String(entry).slice(0, LONGEST_ENTRY)),
    error: (entry: unknown) => child.error(String(entry)),
  };
}
