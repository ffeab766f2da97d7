import type { Logger } from "pino";
import type { z } from "zod";
import type { Observe } from "#domain/observation.ts";
import type { Database } from "#db/database.ts";
import type { JobOwner } from "#db/queries/queue/job-owner.ts";
import type { UsageEntry } from "#db/queries/runs/run-steps.ts";
import type { Answer } from "#domain/tasks/answer.ts";
import type { AttachedFile } from "#domain/files/attachments.ts";
import type { StreamEvent } from "#domain/streams/stream-event.ts";
import type { RunJob } from "#domain/tasks/run-job.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import type { ExtractionLimits } from "#lib/extraction/limits.ts";
import type { SchemaChecker } from "#lib/json-schema/schema-checker.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import type { PriceList } from "#domain/models/prices.ts";
import type { Tool, ToolSettings } from "#tools/define-tool.ts";
import type { ActiveJobs } from "../queue/active-jobs.ts";
import type { Deliveries } from "../destinations/deliveries.ts";
import type { SlowReceivers } from "../destinations/slow-receivers.ts";
import type { Lease, OwnedJob } from "../queue/lease.ts";
import type { Backlog } from "./backlog.ts";
import type { RunWriter } from "./run-writer.ts";
import type { StepResult } from "./step-journal.ts";
import type { ProviderDirectory, ModelGates, Embedder, Budgets, ToolRegistry, OutputFinder } from "./ports.ts";

/** The services shared by all runs of this process. */
export interface EngineServices {
  readonly db: Database;
  readonly observe: Observe;
  readonly writer: RunWriter;
  readonly deliveries: Deliveries;
  readonly slowReceivers: SlowReceivers;
  readonly runs: ActiveJobs;
  /** Ends the job of an execution whose task or team run must not run any more. */
  readonly discard: (job: JobOwner) => Promise<void>;
  /** Aborts when the process closes. */
  readonly closing: AbortSignal;
  readonly lease: Lease;
  readonly providers: ProviderDirectory;
  /** The rate limits of model providers. */
  readonly gates: ModelGates;
  readonly tools: ToolRegistry;
  readonly embedder: Embedder;
  /** For URLs given by workspaces and models. */
  readonly fetch: SafeFetch;
  /** For URLs in the operator's settings. */
  readonly fetchAnywhere: SafeFetch;
  /** Checks clients' JSON Schemas in a worker. */
  readonly schemas: SchemaChecker;
  readonly catalogue: ModelCatalogue;
  readonly prices: PriceList;
  /** The contents of files. */
  readonly blobs: BlobStore;
  readonly outputs: OutputFinder;
  readonly budgets: Budgets;
  /** Limits of document extraction. */
  readonly extraction: ExtractionLimits;
  readonly toolSettings: ToolSettings;
  readonly limits: RunLimits;
  readonly recording: RecordingSettings;
  readonly log: Logger;
}

/** Optional records of model calls, for people to read. */
export interface RecordingSettings {
  /** Whether to record the prompt sent to the model. */
  readonly prompts: boolean;
  /** Whether to record the requests and responses of failed attempts. */
  readonly exchanges: boolean;
}

/** The limits of a run. */
export interface RunLimits {
  /** The maximum number of model calls per run. */
  readonly maxSteps: number;
  /** How often a run may repeat the same tool call with the same arguments. */
  readonly maxRepeats: number;
  /** The time limit of one task run, without waits for answers, in milliseconds. */
  readonly taskTimeoutMs: number;
  /** The same for a team run. */
  readonly teamRunTimeoutMs: number;
  /** The number of attempts per model call, before the fallback model is called. */
  readonly modelAttempts: number;
  /** The time limit of one model call, in milliseconds. */
  readonly modelTimeoutMs: number;
  /** The maximum number of events of one attempt, and of bytes of their JSON. */
  readonly maxEvents: number;
  readonly maxEventBytes: number;
  /** The time limit of one tool call, in milliseconds. */
  readonly toolTimeoutMs: number;
  /** The time limit of one delegation to a remote agent, in milliseconds. */
  readonly remoteAgentTimeoutMs: number;
  /** The maximum tokens of a reply under a budget, if the agent sets none. */
  readonly budgetOutputTokens: number;
  /** The bytes of a prompt that count as one token before a call. */
  readonly budgetBytesPerToken: number;
  /** The share of a model's context window above which older turns are summarised, from 0 to 1. */
  readonly summaryShare: number;
  /** The context window of models that are not in the catalogue, in tokens. */
  readonly modelWindow: number;
  /** The length of a tool's result that the model is shown, in characters; a longer one is stored. */
  readonly maxResultCharacters: number;
}

/** One execution of an agent's work: a task's attempt, or a turn in a team run. */
export interface Run {
  readonly job: RunJob;
  readonly key: OwnedJob;
  /** The turn in a team run; undefined for a task. */
  readonly turnKey?: string;
  /** The files attached to the work. */
  readonly files: readonly AttachedFile[];
  /** Tools for this work in addition to the agent's own. */
  readonly tools: readonly Tool[];
  /** The limit of model calls, if it differs from {@link RunLimits}. */
  readonly maxSteps?: number;
  /** Called before each model call with its number, from 0; returns further messages for the model. */
  readonly beforeCall?: (call: number) => Promise<string | undefined>;
  /** Who is billed for the usage. */
  readonly chargedTo: Pick<UsageEntry, "task_id" | "team_run_id" | "team_id">;
  /** Aborts when the work is cancelled or reaches its time limit. */
  readonly signal: AbortSignal;
  /**
   * Appends an event to the log. An event with a key is appended once per attempt, however often a resumed execution
   * emits it. A function builds its event when it is written, which may wait for other events.
   */
  emit(event: UntimedEvent | (() => UntimedEvent), key?: string): Promise<void>;
  /** Its streamed text that is not stored yet. */
  readonly backlog: Backlog;
  /**
   * Runs one step of the run exactly once: its value is recorded under its key and returned by resumed executions. The
   * value must survive JSON. `body` gets the fence of an execution that may have died in this very step.
   * @throws RunFailure `CRASH_LOOP` when the process has died too often in this step
   */
  step<T>(key: string, schema: z.ZodType<T>, body: (lostFence?: number) => Promise<StepResult<T>>): Promise<T>;
  /** The recorded value of a step; undefined when no earlier execution finished it. */
  recall<T>(key: string, schema: z.ZodType<T>): T | undefined;
  /** A person's answer to the question of this key; undefined while it is open. */
  answerTo(key: string): Answer | undefined;
}

/** An event without its time, which is added later. */
export type UntimedEvent = StreamEvent extends infer E
  ? E extends { timestamp: number }
    ? Omit<E, "timestamp">
    : never
  : never;
