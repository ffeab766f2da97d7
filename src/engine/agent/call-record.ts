import { ModelError } from "#domain/models/model-call.ts";
import type { ModelTry, ProviderExchange } from "#domain/runs/model-try.ts";
import type { StepFacts } from "#domain/runs/step-facts.ts";
import type { OutgoingRequest, RequestLog } from "#domain/runs/sent-request.ts";
import type { RecordingSettings } from "../run/run-context.ts";
import type { StepRecord } from "../run/step-journal.ts";
import type { PreparedRequest } from "./prepared-request.ts";

/** What is recorded during a model call and all its attempts. */
export interface CallRecord {
  /** An attempt begins; it may first wait for budgets. */
  begin(model: string): void;
  /** The request is sent to a model. */
  sent(model: string, request: PreparedRequest["request"]): void;
  /** The first part of the reply has arrived. */
  answering(): void;
  /** The attempt is over; it failed if there is an error. */
  end(error?: unknown): void;
  /** A retry follows after a pause, in milliseconds. */
  pause(ms: number): void;
  /** Returns the record, with further facts. */
  toRecord(facts: StepFacts): StepRecord;
}

interface OpenTry {
  readonly model: string;
  readonly startedAt: number;
  sentAt?: number;
}

/** Starts the record of a model call. @param turn its number @param log the requests of the calls before it */
export function createCallRecord(settings: RecordingSettings, turn: number, log: RequestLog): CallRecord {
  const tries: ModelTry[] = [];
  const exchanges: ProviderExchange[] = [];
  let open: OpenTry | undefined;
  let request: OutgoingRequest | undefined;
  let firstTokenAt: number | undefined;
  let waitMs = 0;

  return {
    begin(model) {
      open = { model, startedAt: Date.now() };
    },
    sent(model, intended) {
      request = { ...intended, parameters: { model, ...parametersOf(intended) } };
      firstTokenAt = undefined;
      if (open === undefined) return;
      open.sentAt = Date.now();
      waitMs += open.sentAt - open.startedAt;
    },
    answering() {
      firstTokenAt ??= Date.now();
    },
    end(error) {
      if (open === undefined) return;
      const { model, startedAt, sentAt = startedAt } = open;
      open = undefined;
      const bodies = error instanceof ModelError ? error.bodies : undefined;
      if (bodies !== undefined && settings.exchanges) exchanges.push({ try: tries.length, ...bodies });
      tries.push({ model, started_at: sentAt, ended_at: Date.now(), ...outcomeOf(error), waited_ms: 0 });
    },
    pause(ms) {
      const last = tries.pop();
      waitMs += Math.round(ms);
      if (last !== undefined) tries.push({ ...last, waited_ms: Math.round(ms) });
    },
    toRecord(facts) {
      const isWorthTelling = tries.some(({ message }) => message !== null);
      const waited = waitMs > 0 && { waitMs };
      return {
        facts: { ...waited, ...(tries.length > 1 && { tries: tries.length }), ...facts },
        firstTokenAt,
        ...(isWorthTelling && { tries }),
        exchanges,
        ...(settings.prompts && request !== undefined && { request: log.add(turn, request) }),
      };
    },
  };
}

function parametersOf({
  temperature,
  maxTokens,
  effort,
  toolChoice,
}: PreparedRequest["request"]): Omit<OutgoingRequest["parameters"], "model"> {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(effort !== undefined && { effort }),
    ...(toolChoice !== undefined && toolChoice !== "auto" && { toolChoice }),
  };
}

function outcomeOf(error: unknown): Pick<ModelTry, "status" | "message" | "retry_after_ms"> {
  if (error === undefined) return { status: 200, message: null };
  const { status = null, retryAfterMs } = error instanceof ModelError ? error : {};
  return {
    status,
    message: error instanceof Error ? error.message : "The call failed.",
    ...(retryAfterMs !== undefined && { retry_after_ms: Math.round(retryAfterMs) }),
  };
}
