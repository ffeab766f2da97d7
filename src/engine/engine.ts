import type { Database } from "#db/database.ts";
import { outlastOutages } from "#db/outlast-outages.ts";
import { announceWork } from "#db/queries/queue/claim-jobs.ts";
import { discard, release } from "#db/queries/queue/jobs.ts";
import type { JobOwner } from "#db/queries/queue/job-owner.ts";
import { limitLockWait } from "#db/queries/lock-wait.ts";
import { JOB_KIND_NAMES } from "#domain/tasks/job.ts";
import { atMost } from "#lib/async/at-most.ts";
import type { WorkQueue } from "#operations/context.ts";
import { abortLost } from "./queue/abort-lost.ts";
import type { EngineOptions } from "./engine-options.ts";
import { createActiveJobs } from "./queue/active-jobs.ts";
import { createBudgets } from "./budgets/budgets.ts";
import { createCustomTools } from "./tools/custom-tools.ts";
import { createDispatcher } from "./queue/dispatcher.ts";
import type { Dispatcher } from "./queue/dispatcher.ts";
import { createJobRunner } from "./job-runner.ts";
import { createKeeperPoll } from "./queue/keeper.ts";
import { createMembership } from "./queue/membership.ts";
import type { Membership } from "./queue/membership.ts";
import { createSlots } from "./queue/slots.ts";
import { createClaimRunner } from "./queue/claim-runner.ts";
import type { StartJob } from "./queue/claim-runner.ts";
import { createQuarantine } from "./queue/quarantine.ts";
import { createSuspectDispatcher } from "./queue/suspect-dispatcher.ts";
import { createDeliveries } from "./destinations/deliveries.ts";
import { createSlowReceivers } from "./destinations/slow-receivers.ts";
import { createDueWork } from "./upkeep/due-work.ts";
import { createEmbedder } from "./models/create-embedder.ts";
import { createOutputFinder } from "./agent/find-outputs.ts";
import { createPurge } from "./upkeep/purge.ts";
import { purgePeople } from "#operations/access/purge-people.ts";
import { purgeWorkspaces } from "#operations/access/purge-workspaces.ts";
import { createJanitor } from "./upkeep/janitor.ts";
import { createLease } from "./queue/lease.ts";
import { createReportSums } from "./upkeep/report-sums.ts";
import { createTraceExporter } from "./traces/trace-exporter.ts";
import { createLogPacker } from "./upkeep/log-packer.ts";
import { createModelProviders } from "./models/model-providers.ts";
import { createModelGates } from "./models/gate/model-gates.ts";
import { createProviderDirectory } from "./models/provider-directory.ts";
import { createRunWriter } from "./run/run-writer.ts";
import { cancelAbandonedCalls, sweepRemoteCalls } from "#operations/remote-agents/abandoned-calls.ts";
import { createRemoteAgents } from "./tools/remote-agents.ts";
import { createMcpConnections } from "./tools/mcp/connections.ts";
import { createMcpTools } from "./tools/mcp/tool-source.ts";
import { createToolRegistry } from "./tools/tool-registry.ts";
import type { QuestionEmbedder } from "#operations/ports.ts";
import type { ModelProviders } from "#domain/models/model-providers.ts";

/** Runs tasks and teams in this process. */
export interface Engine {
  readonly queue: WorkQueue;
  /** Embeds search queries. */
  readonly embedder: QuestionEmbedder;
  readonly providers: ModelProviders;
  /** Recovers the jobs of dead processes and starts claiming. Safe to repeat after an error. */
  start(): Promise<void>;
  /** Claims queued jobs of a kind in a lane, if a slot is free. */
  wake(lane: string, kind: string): void;
  /** Notes that work is due at a time, in milliseconds since 1970 by the database's clock. */
  noteDue(at: number): void;
  /** Drops the cached provider keys of a workspace after a change. */
  invalidateProviderKeys(workspaceId: string): void;
  /** Drops the cached budget scopes of a workspace after a change. */
  invalidateBudgets(workspaceId: string): void;
  /** Notes that calls wait at a model's gate. */
  shareGate(gate: string): void;
  /** In another process, the model of a gate has failed too often. */
  openBreaker(gate: string): void;
  /** Aborts a job, if this process runs it. */
  abort(jobId: string): void;
  /** Cancels the remote tasks of work that ended while it waited for an answer. */
  cancelRemoteCalls(): void;
  /** Aborts the jobs that this process no longer owns; covers lost notifications. */
  abortEnded(): void;
  /** Whether the lease of this process is current, so that no other process recovers its jobs. */
  holdsLease(): boolean;
  /** Resolves when what runs write can be stored. */
  probeWriter(): Promise<void>;
  /** The number of jobs that this process runs. */
  activeJobs(): number;
  /** Stops claiming, lets steps in progress finish within `graceMs`, and releases the other jobs. */
  stop(graceMs: number): Promise<void>;
}

/** Assembles the engine. */
export function createEngine(options: EngineOptions): Engine {
  const { db, events, log, observe, sweeper } = options;
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message);
  const { services, closing, mcp } = createServices(options);
  const { runs, lease, budgets, providers, embedder } = services;
  const member = typeof options.suspects === "function" ? undefined : options.suspects;
  const holdsLease = () => lease.isValid(performance.now());
  const run = createJobRunner({ db: services.db, bus: events, jobs: runs, services: () => services, log, observe });
  const mayClaim = () => member === undefined && !runs.isClosing() && holdsLease();
  const slots = createSlots(options.concurrency, { mayClaim, isSlow: services.slowReceivers.has });
  const startJob: StartJob = (job, freeSlot) => void run(job).finally(() => (freeSlot(), void dispatcher.fill()));
  const claims = createClaimRunner({ slots, startJob, hold: runs.hold });
  const executorId = () => membership.executorId();
  const quarantine =
    typeof options.suspects === "function"
      ? createQuarantine({
          start: options.suspects,
          executorId,
          leaseMs: options.lease.leaseMs,
          recover: (...death) => membership.recover(...death),
          log,
        })
      : undefined;
  const dispatcher: Dispatcher =
    member === undefined
      ? createDispatcher({
          db,
          slots,
          claims,
          lease,
          log,
          executorId,
          hold: runs.hold,
          running: () => runs.list().map(({ jobId }) => jobId),
          startJob,
          onSuspects: (suspicions) => quarantine?.open(suspicions),
        })
      : createSuspectDispatcher({ ...member, db, claims, jobs: runs, log, executorId });
  const hasOthers = () => !membership.isAlone();
  const keeperPoll = createKeeperPoll(db, dispatcher, hasOthers);
  const purge = createPurge(async () => {
    await purgePeople(options);
    await purgeWorkspaces({ db, events, sweeper, signal: closing.signal });
  }, log);
  const membership: Membership = createMembership({
    ...options.lease,
    db,
    lease,
    log,
    observe,
    quarantine: member,
    keys: options.secrets,
    onPresumedDead: runs.abortAll,
    onTakenOver: () => void dispatcher.wakeAll().catch(warn("could not claim jobs")),
    async onKeeperBeat() {
      purge.next();
      await keeperPoll();
    },
  });
  const queue: WorkQueue = {
    reserve: dispatcher.reserve,
    wake(lane, kind) {
      // Without a free slot the job stays queued, and another process may claim it first. A process that starts now
      // looks for queued jobs itself.
      const partition = { lane, kind };
      if (slots.free(kind, lane) === 0 && hasOthers())
        void announceWork(db, [partition]).catch(warn("could not announce work"));
      void dispatcher.wake(partition);
    },
  };
  const dueWork = createDueWork({ db, events, queue, sweeper, log, traceNewRun: options.traceNewRun });
  const upkeep = member === undefined ? [...createUpkeep(options, closing.signal), dueWork] : [];

  return {
    embedder,
    providers: createModelProviders(options.providers, providers),
    queue,
    async start() {
      await membership.start();
      // The keeper asks again soon.
      await dispatcher.wakeAll().catch(warn("could not claim jobs"));
      for (const one of upkeep) one.start();
      dispatcher.start();
    },
    wake(lane, kind) {
      const known = JOB_KIND_NAMES.find((name) => name === kind);
      if (known !== undefined && slots.free(known, lane) > 0) void dispatcher.wake({ lane, kind: known });
    },
    noteDue: dueWork.note,
    invalidateProviderKeys: providers.invalidate,
    invalidateBudgets: budgets.invalidate,
    shareGate: services.gates.share,
    openBreaker: services.gates.open,
    abort: runs.abort,
    cancelRemoteCalls: () => void cancelAbandonedCalls(options).catch(warn("could not cancel remote tasks")),
    abortEnded: () => void abortLost(services.db, runs).catch(warn("could not check for cancelled runs")),
    holdsLease,
    probeWriter: services.writer.probe,
    activeJobs: () => runs.list().length,
    async stop(graceMs) {
      closing.abort();
      dispatcher.stop();
      const draining = runs.drain(graceMs);
      const isolated = quarantine?.stop(graceMs);
      // Unfinished work is continued by another process, or at the next start.
      await atMost(graceMs, Promise.all([...upkeep.map((one) => one.stop()), purge.idle()]));
      const left = await draining;
      await Promise.all(left.map((job) => handOver(db, job).catch(warn("could not release a job"))));
      runs.abortAll();
      await isolated;
      await mcp.close();
      await membership.stop();
      await services.outputs.close();
    },
  };
}

/** Releases a job by itself: if it is locked, the others are still handed over, and it is found as an orphaned job. */
function handOver(db: Database, job: JobOwner): Promise<void> {
  return db.transaction(async (tx) => {
    await limitLockWait(tx);
    await release(tx, [job]);
  });
}

/** What deletes, packs, counts and exports rows in the background. */
function createUpkeep(options: EngineOptions, closing: AbortSignal) {
  const { db, log, observe, retentionDays, retentionTasksDays, sweeper, traces } = options;
  return [
    createJanitor({
      db,
      log,
      retentionDays,
      retentionTasksDays,
      sweeper,
      sweepRemoteCalls: (before) => sweepRemoteCalls(options, before),
    }),
    createLogPacker({ db, log }),
    createReportSums({ db, log }),
    ...(traces === undefined ? [] : [createTraceExporter({ ...traces, db, log, observe, retentionDays, closing })]),
  ];
}

function createServices(options: EngineOptions) {
  const { events, fetch, fetchAnywhere, schemas, toolSettings, limits, recording, log, prices, blobs, knowledge } =
    options;
  const db = outlastOutages(options.db);
  const patient = { ...options, db };
  const closing = new AbortController();
  const providers = createProviderDirectory(patient);
  const budgets = createBudgets(options.db);
  const accounts = { db, budgets, prices, bytesPerToken: limits.budgetBytesPerToken };
  const embedder = createEmbedder({ providers, log, accounts, embeddingModel: knowledge.embeddingModel });
  const mcp = createMcpConnections(patient);
  const services = {
    db,
    embedder,
    providers,
    budgets,
    limits,
    recording,
    fetch,
    fetchAnywhere,
    schemas,
    toolSettings,
    log,
    observe: options.observe,
    catalogue: options.catalogue,
    prices,
    blobs,
    gates: createModelGates(db),
    runs: createActiveJobs(),
    outputs: createOutputFinder(),
    lease: createLease(options.lease.leaseMs),
    extraction: knowledge.extraction,
    closing: closing.signal,
    writer: createRunWriter(options.db, events, options.observe),
    slowReceivers: createSlowReceivers(),
    deliveries: createDeliveries({ ...options.deliveries, db: options.db, secrets: options.secrets }),
    tools: createToolRegistry(options.tools, [
      createCustomTools(patient),
      createRemoteAgents({ ...patient, remoteAgentTimeoutMs: limits.remoteAgentTimeoutMs }),
      createMcpTools({ ...patient, publicUrl: options.deliveries.publicUrl }, mcp),
    ]),
    discard: (job: JobOwner) => discard(db, job),
  };
  return { services, closing, mcp };
}
