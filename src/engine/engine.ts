import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { announceWork, endedAmong } from "#db/queries/runs.ts";
import { retryOutage } from "#db/retry-outage.ts";
import type { PriceList } from "#domain/prices.ts";
import type { IngestJob } from "#domain/ingest-job.ts";
import type { RunJob } from "#domain/run-job.ts";
import type { TeamRunJob } from "#domain/team-run.ts";
import { INGEST_WORKFLOW, TEAM_WORKFLOW, WORKFLOW } from "#domain/workflow.ts";
import type { Reach } from "#lib/safe-fetch/check-url.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { SecretBox } from "#lib/secret-box.ts";
import { atMost } from "#lib/at-most.ts";
import { newId } from "#lib/ids.ts";
import type { BlobStore } from "#lib/blob-store.ts";
import type { ExtractionLimits } from "#lib/extraction/limits.ts";
import type { BlobSweeper } from "#operations/blobs.ts";
import type { WorkQueue } from "#operations/context.ts";
import type { EventBus } from "#operations/event-bus.ts";
import type { QuestionEmbedder } from "#operations/rank-passages.ts";
import type { AnswerLimits, Provider, ProviderConnection } from "#providers/define-provider.ts";
import type { Tool, ToolSettings } from "#tools/define-tool.ts";
import { createActiveRuns } from "./active-runs.ts";
import { createBudgets } from "./budgets.ts";
import { createCustomTools } from "./custom-tools.ts";
import type { Concurrency } from "./dispatcher.ts";
import { createDueWork } from "./due-work.ts";
import { openDurableEngine } from "./durable.ts";
import { createEmbedder } from "./embedder.ts";
import { createEventWriter } from "./event-writer.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { ingestDocument } from "./ingest-document.ts";
import { createJanitor } from "./janitor.ts";
import { createLease } from "./lease.ts";
import { createLogPacker } from "./log-packer.ts";
import { createProviderDirectory } from "./provider-directory.ts";
import { createRunBounds } from "./run-bounds.ts";
import type { RunLimits } from "./run-context.ts";
import { sweepRemoteCalls } from "#operations/a2a/abandoned-calls.ts";
import { createRemoteAgents } from "./remote-agents.ts";
import { runTask } from "./run-task.ts";
import { runTeam } from "./run-team.ts";
import { createJournals } from "./step-journal.ts";
import { createStrays } from "./strays.ts";
import { createToolRegistry } from "./tool-registry.ts";

/** What runs tasks and teams in this process. */
export interface Engine {
  readonly queue: WorkQueue;
  /** Turns questions into vectors. */
  readonly embedder: QuestionEmbedder;
  /** Takes over what dead processes left and begins to take runs. */
  start(): Promise<void>;
  /** Takes the runs that wait in a workspace, now. */
  wake(workspaceId: string): void;
  /** Notes that something is due at a time, in milliseconds since 1970 by the database's clock. */
  noteDue(at: number): void;
  /** Forgets the keys of a workspace's model vendors because they were changed. */
  forgetProviderKeys(workspaceId: string): void;
  /** Forgets what a workspace has budgets for because they were changed. */
  forgetBudgets(workspaceId: string): void;
  /** Breaks off the run of an attempt of a task or a team run (`<id>.<attempt>`), if it is in this process. */
  abort(attempt: string): void;
  /** Breaks off the runs that have ended without this process hearing of it. */
  abortEnded(): void;
  /** Whether others have heard of this process a moment ago, so that none takes its runs over. */
  holdsLease(): boolean;
  /** Stops taking runs, lets steps under way finish within `graceMs`, and hands the rest over. */
  stop(graceMs: number): Promise<void>;
}

/** What {@link createEngine} needs. */
export interface EngineOptions {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly events: EventBus;
  readonly secrets: SecretBox;
  /** How far an address that a workspace or a model names may lead, and the fetch that sees to it. */
  readonly reach: Reach;
  readonly fetch: SafeFetch;
  readonly blobs: BlobStore;
  readonly sweeper: BlobSweeper;
  readonly providers: readonly Provider[];
  readonly tools: readonly Tool[];
  readonly toolSettings: ToolSettings;
  /** Connections to vendors for the whole instance, by provider id. */
  readonly instance: Readonly<Record<string, ProviderConnection>>;
  /** How much a vendor may send in one answer. */
  readonly answerLimits: AnswerLimits;
  readonly prices: PriceList;
  readonly limits: RunLimits;
  readonly concurrency: Concurrency;
  readonly knowledge: KnowledgeSettings;
  /** How long the events and recorded steps of ended runs are kept. */
  readonly retentionDays: number;
  readonly log: Logger;
}

/** How documents are read. */
export interface KnowledgeSettings {
  readonly extraction: ExtractionLimits;
  /** How many a process reads at once. */
  readonly concurrency: Concurrency;
  /** The instance's embedding model: `provider/model`, or `none`; undefined: what there is a key for. */
  readonly embeddingModel: string | undefined;
}

/** Puts the parts of the engine together. */
export function createEngine(options: EngineOptions): Engine {
  const { db, events, fetch, toolSettings, limits, log, concurrency } = options;
  const executorId = newId();
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message);
  const runs = createActiveRuns();
  const lease = createLease();
  const providers = createProviderDirectory(options);

  const budgets = createBudgets(db);
  const accounts = { db, budgets, prices: options.prices, bytesPerToken: limits.budgetBytesPerToken };
  const embedder = createEmbedder({ providers, log, accounts, embeddingModel: options.knowledge.embeddingModel });
  const closing = new AbortController();

  const services = {
    executorId,
    db,
    embedder,
    runs,
    lease,
    limits,
    fetch,
    toolSettings,
    log,
    prices: options.prices,
    blobs: options.blobs,
    budgets,
    extraction: options.knowledge.extraction,
    writer: createEventWriter(db, events),
    journals: createJournals(db),
    bounds: createRunBounds(db, (runId) => durable.noteRecorded(runId)),
    providers,
    tools: createToolRegistry(options.tools, [
      createCustomTools(options),
      createRemoteAgents({ ...options, remoteAgentTimeoutMs: limits.remoteAgentTimeoutMs }),
    ]),
  };
  const { knowledge, blobs } = options;
  const { modelAttempts, modelTimeoutMs } = limits;
  const { extraction } = knowledge;
  const ingest = { db, blobs, embedder, extraction, modelAttempts, modelTimeoutMs, closing: closing.signal, log };
  const durable = openDurableEngine({
    db,
    url: options.databaseUrl,
    executorId,
    concurrency,
    isClosing: runs.isClosing,
    log,
    workflows: [
      { ...WORKFLOW, run: (job: RunJob, segment = 0) => runTask(services, events, { job, segment }) },
      { ...TEAM_WORKFLOW, run: (job: TeamRunJob, segment = 0) => runTeam(services, events, { job, segment }) },
      { ...INGEST_WORKFLOW, concurrency: knowledge.concurrency, run: (job: IngestJob) => ingestDocument(ingest, job) },
    ],
  });
  const heartbeat = createHeartbeat({ db, executorId, lease, log, onTakenOver: durable.wakeAll });
  const { retentionDays, sweeper } = options;
  const packer = createLogPacker({ db, log });
  const janitor = createJanitor({
    db,
    log,
    retentionDays,
    sweeper,
    forget: durable.forget,
    sweepRemoteCalls: (before) => sweepRemoteCalls(options, before),
  });

  const queue: WorkQueue = {
    wake(workspaceId, name = "tasks") {
      // Without room here it is remembered as waiting, and another process may take it first.
      if (!durable.hasRoom(name)) void announceWork(db, workspaceId).catch(warn("could not announce work"));
      void durable.wake(workspaceId, name);
    },
    forget(id, attempts) {
      const runIds = Array.from({ length: attempts }, (_, index) => `${id}.${index + 1}`);
      void durable.forget(runIds).catch(warn("could not forget a deleted task's runs"));
    },
  };
  const dueWork = createDueWork({ db, events, queue, log });
  const strays = createStrays({ db, executorId, log, running: durable.running, wakeAll: durable.wakeAll });

  return {
    embedder,
    queue,
    async start() {
      await heartbeat.start();
      await durable.launch();
      await heartbeat.runOnce();
      janitor.start();
      packer.start();
      dueWork.start();
      strays.start();
    },
    wake: (workspaceId) => void durable.wake(workspaceId),
    noteDue: dueWork.note,
    forgetProviderKeys: providers.forget,
    forgetBudgets: budgets.forget,
    abort: runs.abort,
    abortEnded() {
      retryOutage(() => endedAmong(db, runs.list()))
        .then((ended) => ended.forEach(runs.abort))
        .catch(warn("could not look for cancelled runs"));
    },
    holdsLease: () => lease.isSure(performance.now()),
    async stop(graceMs) {
      closing.abort();
      const draining = runs.drain(graceMs);
      // What these leave undone, another process does, or the next start.
      await atMost(graceMs, Promise.all([janitor.stop(), packer.stop(), dueWork.stop(), strays.stop()]));
      const left = await draining;
      await Promise.all(left.map((run) => run.release()));
      await durable.close();
      await heartbeat.stop();
    },
  };
}
