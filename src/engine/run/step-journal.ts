import type { z } from "zod";
import type { Database } from "#db/database.ts";
import { readSteps } from "#db/queries/runs/run-steps.ts";
import type { FinishedStep, UsageEntry } from "#db/queries/runs/run-steps.ts";
import type { JobKey } from "#db/queries/queue/job-owner.ts";
import type { ModelTry, ProviderExchange } from "#domain/runs/model-try.ts";
import type { SentRequest, ToolRequest } from "#domain/runs/sent-request.ts";
import type { StepFacts } from "#domain/runs/step-facts.ts";
import { storableJson } from "#domain/storable.ts";
import type { RunWriter } from "./run-writer.ts";

/** The result of a step: its value, which is recorded, and its usage. */
export interface StepResult<T> {
  readonly value: T;
  readonly usage?: UsageEntry | undefined;
  /** Whether only the run's end follows: then the step is stored together with that end. */
  readonly isLast?: boolean;
  /** Details of the step for people who read the run. */
  readonly record?: StepRecord | undefined;
}

/** Details of a recorded step for people; executions do not use them. */
export interface StepRecord {
  readonly facts?: StepFacts;
  /** When the first part of the model's reply arrived, in Unix milliseconds. */
  readonly firstTokenAt?: number | undefined;
  readonly request?: SentRequest | ToolRequest | undefined;
  readonly tries?: readonly ModelTry[];
  readonly exchanges?: readonly ProviderExchange[];
}

/** The start and end of a step, in Unix milliseconds. */
export interface StepTimes {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The recorded steps of one attempt. */
export interface StepJournal {
  /**
   * The recorded value of a step; undefined when no earlier execution finished it. @throws ZodError when it does not
   * match the schema
   */
  find<T>(key: string, schema: z.ZodType<T>): T | undefined;
  /** Whether the recorded value of any step contains this id. */
  mentions(id: string): boolean;
  /** The last step that an earlier execution finished. */
  readonly newestKey: string | undefined;
  /**
   * Records a finished step.
   * @throws OwnershipLostError when the execution may not write to this run any more
   */
  record(key: string, result: StepResult<unknown>, times: StepTimes): Promise<void>;
}

/** Opens a run's journal; for a new run there is nothing to read. */
export async function openJournal(
  { db, writer }: { readonly db: Database; readonly writer: Pick<RunWriter, "record"> },
  run: JobKey,
  { isFresh }: { readonly isFresh: boolean },
): Promise<StepJournal> {
  const finished: ReadonlyMap<string, string> = isFresh ? new Map() : await readSteps(db, run);
  return {
    find(key, schema) {
      const result = finished.get(key);
      return result === undefined ? undefined : schema.parse(JSON.parse(result));
    },
    mentions: (id) => [...finished.values()].some((result) => result.includes(id)),
    newestKey: [...finished.keys()].at(-1),
    record: (key, result, times) => writer.record(finishedStep(run, key, result, times)),
  };
}

function finishedStep(
  run: JobKey,
  key: string,
  { value, usage, record = {} }: StepResult<unknown>,
  { startedAt, endedAt }: StepTimes,
): FinishedStep {
  const { firstTokenAt, facts, tries = [], exchanges = [] } = record;
  const result = JSON.stringify(value);
  const request = record.request === undefined ? null : storableJson(record.request);
  const size = Buffer.byteLength(result) + (request === null ? 0 : Buffer.byteLength(request));
  return {
    run,
    key,
    result,
    usage,
    record: {
      startedAt: new Date(startedAt),
      firstTokenAt: firstTokenAt === undefined ? null : new Date(firstTokenAt),
      endedAt: new Date(endedAt),
      facts: storableJson({ ...facts, ...(usage && usedBy(usage)), size } satisfies StepFacts),
      request,
      tries: tries.length === 0 ? null : storableJson(tries),
      exchanges: exchanges.length === 0 ? null : storableJson(exchanges),
    },
  };
}

function usedBy(usage: UsageEntry): StepFacts {
  return {
    model: usage.model,
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    ...(usage.cached_tokens && { cachedTokens: usage.cached_tokens }),
    ...(usage.cache_write_tokens && { cacheWriteTokens: usage.cache_write_tokens }),
    ...(usage.reasoning_tokens && { reasoningTokens: usage.reasoning_tokens }),
    costUsd: usage.estimated_cost_usd,
  };
}
