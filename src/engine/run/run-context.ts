import type { Logger } from "pino";
import type { z } from "zod";
import type { Observe } from "#domain/observation.ts";
import type { Database } from "#db/database.ts";
import type { JobOwner } from "#db/queries/queue/job-owner.ts";
import type { UsageEntry } from "#db/queries/tasks/run-steps.ts";
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
import type { Budgets } from "../budgets/budgets.ts";
import type { Deliveries } from "../destinations/deliveries.ts";
import type { Embedder } from "../models/embedder.ts";
import type { OutputFinder } from "../agent/find-outputs.ts";
import type { Lease, OwnedJob } from "../queue/lease.ts";
import type { Trials } from "../queue/trials.ts";
import type { ProviderDirectory } from "../models/provider-directory.ts";
import type { RunWriter } from "./run-writer.ts";
import type { StepResult } from "./step-journal.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";

/** What every run of this process shares. */
export interface EngineServices {
  readonly db: Database;
  readonly observe: Observe;
  readonly writer: RunWriter;
  readonly deliveries: Deliveries;
  readonly runs: ActiveJobs;
  readonly trials: Trials;
  /** Ends the job of an execution whose subject is not to be run any more. */
  readonly discard: (job: JobOwner) => Promise<void>;
  /** Fires when the process closes. */
  readonly closing: AbortSignal;
  readonly lease: Lease;
  readonly providers: ProviderDirectory;
  readonly tools: ToolRegistry;
  readonly embedder: Embedder;
  /** For addresses that a workspace or a model names. */
  readonly fetch: SafeFetch;
  /** Checks JSON Schemas that clients wrote, outside of the main thread. */
  readonly schemas: SchemaChecker;
  readonly catalogue: ModelCatalogue;
  readonly prices: PriceList;
  /** The contents of files. */
  readonly blobs: BlobStore;
  readonly outputs: OutputFinder;
  readonly budgets: Budgets;
  /** How far to go in reading documents. */
  readonly extraction: ExtractionLimits;
  readonly toolSettings: ToolSettings;
  readonly limits: RunLimits;
  readonly recording: RecordingSettings;
  readonly log: Logger;
}

/** What is recorded of model calls besides what executions need. */
export interface RecordingSettings {
  /** What the model was sent. */
  readonly prompts: boolean;
  /** What was exchanged with the vendor in tries that failed. */
  readonly exchanges: boolean;
}

/** How far a run may go. */
export interface RunLimits {
  /** Model calls of one run. */
  readonly maxSteps: number;
  /** How often a run may ask for the same tool with the same arguments. */
  readonly maxRepeats: number;
  /** How long one run of a task may take, without its waits for answers, in milliseconds. */
  readonly taskTimeoutMs: number;
  /** The same for a team's run. */
  readonly teamRunTimeoutMs: number;
  /** Attempts of one model call, before the fallback model is tried. */
  readonly modelAttempts: number;
  /** How long one model call may take, in milliseconds. */
  readonly modelTimeoutMs: number;
  /** Events of one attempt, and the bytes of their JSON. */
  readonly maxEvents: number;
  readonly maxEventBytes: number;
  /** How long one tool call may take, in milliseconds. */
  readonly toolTimeoutMs: number;
  /** How long a remote agent may work on one delegation, in milliseconds. */
  readonly remoteAgentTimeoutMs: number;
  /** Tokens of one answer under a budget, where the agent does not say how many. */
  readonly budgetOutputTokens: number;
  /** Bytes of a prompt that budgets take for one token. */
  readonly budgetBytesPerToken: number;
}

/** One execution of an agent's work: of a task's attempt, or of a turn in a team's run. */
export interface Run {
  /** What the agent is to do. In a turn the run's id takes the place of a task's. */
  readonly job: RunJob;
  readonly key: OwnedJob;
  /** The turn in a team's run; undefined for a task. */
  readonly turnKey?: string;
  /** What the work was given. */
  readonly files: readonly AttachedFile[];
  /** Tools that the agent has in this work besides its own. */
  readonly tools: readonly Tool[];
  /** Model calls of this work, where they are not those of {@link RunLimits}. */
  readonly maxSteps?: number;
  /** Called before each model call with its number, from 0; what it gives the agent is told besides. */
  readonly beforeCall?: (call: number) => Promise<string | undefined>;
  /** Whose usage it is. */
  readonly chargedTo: Pick<UsageEntry, "task_id" | "team_run_id" | "team_id">;
  /** Fires when the work is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /**
   * Appends an event to the task's log. One with a key is appended once per attempt, however
   * often a resumed execution sends it. One that is given by a function is made when it is written, and may wait for
   * others till then.
   */
  emit(event: Unstamped | (() => Unstamped), key?: string): Promise<void>;
  /**
   * Does one step of the run, once: what it gives is recorded under its key, and a resumed
   * execution gets that instead. Its value must survive JSON.
   * @throws RunFailure `CRASH_LOOP` when the process has died in this step too often.
   */
  step<T>(key: string, schema: z.ZodType<T>, body: () => Promise<StepResult<T>>): Promise<T>;
  /** What a person has answered to the question of this key; undefined when it has not been answered. */
  answerTo(key: string): Answer | undefined;
}

/** An event to which the time is still to be added. */
export type Unstamped = StreamEvent extends infer E
  ? E extends { timestamp: number }
    ? Omit<E, "timestamp">
    : never
  : never;
