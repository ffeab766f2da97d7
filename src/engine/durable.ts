import { randomUUID } from "node:crypto";
import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import type { WorkflowQueue } from "@dbos-inc/dbos-sdk";
import { DBOSExecutor } from "@dbos-inc/dbos-sdk/internal/dbos-executor";
import { Pool } from "pg";
import type { Logger } from "pino";
import { named } from "#db/database.ts";
import type { Transaction } from "#db/database.ts";

/** The name under which all Muster processes share workflows and queues. */
const APPLICATION = "muster";
/**
 * The version of the step sequence, not of the program: a run is finished only by processes of
 * the version that began it. Change it when recorded runs could not be replayed by the new code.
 */
const WORKFLOW_VERSION = "1";
const QUEUE = "tasks";
/** Notifications wake the queue; this is how often it is looked at should one be lost, in milliseconds. */
const QUEUE_POLL_MS = 1_000;
const POOL_SIZE = 12;
const ANNOUNCE = { name: "announce-run", text: "select pg_notify('muster_wake', $1)" };
/** PostgreSQL's codes for "somebody else is at these rows": try again. */
const CONTENTION = new Set(["40001", "55P03"]);

/** How many runs a process takes. */
export interface Concurrency {
  /** At most so many at once in this process. */
  readonly perProcess: number;
  /** At most so many of one workspace at once in this process. */
  readonly perWorkspace: number;
}

/** What {@link openDurableEngine} needs. */
export interface DurableOptions<Input> {
  readonly url: string;
  /** Names this process; a new one at every start. */
  readonly executorId: string;
  readonly concurrency: Concurrency;
  readonly log: Logger;
  /** The workflow: its steps are remembered, the rest is run again when it is taken over. */
  readonly workflow: (input: Input) => Promise<void>;
}

/** The durable engine: everything that this program asks of DBOS. */
export interface DurableEngine<Input> {
  /** Enqueues a run in the caller's transaction; `workspaceId` is the partition, smaller priorities come first. */
  enqueue(
    tx: Transaction,
    run: { readonly id: string; readonly workspaceId: string; readonly priority: number; readonly input: Input },
  ): Promise<void>;
  /** Begins to take runs. */
  launch(): Promise<void>;
  /** Takes what waits in a workspace's partition, now. */
  wake(workspaceId: string): Promise<void>;
  /** Puts the runs of dead processes back into the queue; safe when several processes do it. */
  recover(executorIds: readonly string[]): Promise<void>;
  /** Stops taking runs and lets go; whatever still runs is taken over by another process. */
  close(): Promise<void>;
}

/** Brings the engine's own tables up to date; they live in the schema `dbos` of the same database. */
export async function migrateEngine(url: string): Promise<void> {
  await DBOS.migrate(url);
}

/** Opens the engine. One per process: DBOS keeps its state in statics. */
export async function openDurableEngine<Input>(options: DurableOptions<Input>): Promise<DurableEngine<Input>> {
  const pool = new Pool({
    connectionString: named(options.url),
    max: POOL_SIZE,
  });
  pool.on("error", (error) => options.log.warn({ err: error }, "engine connection lost"));
  const logger = engineLogger(options.log);
  const client = await DBOSClient.create({
    systemDatabaseUrl: options.url,
    systemDatabasePool: pool,
    applicationName: APPLICATION,
    logger,
  });
  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: options.url,
    systemDatabasePool: pool,
    applicationVersion: WORKFLOW_VERSION,
    executorID: options.executorId,
    runMigrations: false,
    logger,
  });
  DBOS.registerWorkflow(options.workflow, { name: "run-task", maxRecoveryAttempts: Number.MAX_SAFE_INTEGER });
  const dispatcher = createDispatcher(options);

  return {
    async enqueue(tx, run) {
      await tx.leaveWorkspace();
      await client.enqueueInTransaction<(input: Input) => Promise<void>>(
        tx.client,
        {
          workflowName: "run-task",
          workflowID: run.id,
          queueName: QUEUE,
          queuePartitionKey: run.workspaceId,
          priority: run.priority,
          appVersion: WORKFLOW_VERSION,
        },
        run.input,
      );
      await tx.query(ANNOUNCE, [run.workspaceId]);
    },
    async launch() {
      await DBOS.launch();
      const queue = await DBOS.registerQueue(QUEUE, {
        workerConcurrency: options.concurrency.perProcess,
        partitionWorkerConcurrency: options.concurrency.perWorkspace,
        minPollingIntervalMs: QUEUE_POLL_MS,
        onConflict: "always_update",
      });
      dispatcher.serve(queue);
    },
    wake: dispatcher.wake,
    async recover(executorIds) {
      await DBOSExecutor.globalInstance?.recoverPendingWorkflows([...executorIds]);
    },
    async close() {
      await DBOS.shutdown();
      await client.destroy();
      await pool.end();
    },
  };
}

/**
 * DBOS looks at its queues at intervals; this takes the head of one partition at once, by the
 * same claim. Calls for a partition that is being claimed are folded into one more round.
 */
function createDispatcher({ executorId, log }: { readonly executorId: string; readonly log: Logger }) {
  const claiming = new Map<string, { again: boolean }>();
  let queue: WorkflowQueue | undefined;

  async function claim(partition: string): Promise<void> {
    const executor = DBOSExecutor.globalInstance;
    if (executor === undefined || queue === undefined) return;
    const db = executor.systemDatabase;
    const owner = randomUUID();
    const claimed = await db.findAndMarkStartableWorkflows(
      queue,
      executorId,
      WORKFLOW_VERSION,
      partition,
      db.countRunningWorkflowsForQueue(QUEUE),
      db.countRunningWorkflowsForPartition(QUEUE, partition),
      owner,
    );
    await executor.dispatchDequeuedWorkflows(claimed, owner);
  }

  async function wake(partition: string): Promise<void> {
    const state = claiming.get(partition);
    if (state !== undefined) {
      state.again = true;
      return;
    }
    const mine = { again: true };
    claiming.set(partition, mine);
    try {
      while (mine.again) {
        mine.again = false;
        await claim(partition);
      }
    } catch (error) {
      // The queue's own look comes within a second.
      if (!isContention(error)) log.warn({ err: error }, "could not take runs");
    } finally {
      claiming.delete(partition);
    }
  }

  return {
    wake,
    serve(opened: WorkflowQueue) {
      queue = opened;
    },
  };
}

function isContention(error: unknown): boolean {
  return error instanceof Error && "code" in error && CONTENTION.has(String(error.code));
}

/** What DBOS reports as information is detail to an operator of this program. */
function engineLogger(log: Logger) {
  const child = log.child({ part: "engine" });
  return {
    info: (entry: unknown) => child.debug(String(entry)),
    debug: (entry: unknown) => child.trace(String(entry)),
    warn: (entry: unknown) => child.warn(String(entry)),
    error: (entry: unknown) => child.error(String(entry)),
  };
}
