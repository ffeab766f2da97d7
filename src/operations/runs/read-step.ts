import { z } from "zod";
import { notFound } from "#domain/errors.ts";
import { listSteps } from "#domain/runs/list-steps.ts";
import { modelTry, providerExchange } from "#domain/runs/model-try.ts";
import { sentRequest, toolRequest, wholeRequest } from "#domain/runs/sent-request.ts";
import type { StepDetail } from "#domain/runs/step-detail.ts";
import { stepFacts } from "#domain/runs/step-facts.ts";
import type { StepFacts } from "#domain/runs/step-facts.ts";
import { modelKey, parseStepKey } from "#domain/runs/step-key.ts";
import type { StepKey } from "#domain/runs/step-key.ts";
import { tokenUsage } from "#domain/models/model-call.ts";
import { replyCalls, replyEnd, replyPart, replyText } from "#domain/models/reply-parts.ts";
import { estimateMessageTokens } from "#domain/models/prompt-tokens.ts";
import type { Transaction } from "#db/database.ts";
import { readName, readReusedOutput } from "#db/queries/runs/run-parts.ts";
import { readAskedQuestion, readRequests, readWholeStep } from "#db/queries/runs/step-records.ts";
import type { AttemptKey, WholeStep } from "#db/queries/runs/step-records.ts";
import { locate, logIdOf, recordedAttempt } from "./attempts.ts";
import type { AttemptQuery } from "./attempts.ts";
import type { Workspace } from "../workspace.ts";

/** The step to read. */
export interface StepQuery extends AttemptQuery {
  readonly key: string;
}

/** Reads a step with all its records. @throws AppError `not_found`. */
export function readRunStep(workspace: Workspace, { key, ...query }: StepQuery): Promise<StepDetail> {
  return workspace.transaction(async (tx) => {
    const run = await locate(tx, query);
    const attempt = { logId: logIdOf(run), attempt: run.attempt };
    const recorded = await recordedAttempt(tx, run);
    const row = listSteps(recorded).find((step) => step.key === key);
    if (row === undefined) throw notFound("Step");
    const reused = recorded.takenOver.find((step) => step.key === key);
    const step = await readWholeStep(tx, attempt, key);
    const parsed = parseStepKey(key);
    return {
      ...row,
      ...EMPTY,
      run_id: run.id,
      log_id: attempt.logId,
      attempt: run.attempt,
      idempotency_key: parsed.kind === "tool" ? idempotencyKeyOf(attempt, parsed) : null,
      ...(reused !== undefined && { result: await readReusedOutput(tx, attempt.logId, reused.step) }),
      ...(await contentsOf(tx, attempt, { step, parsed, key, bytesPerToken: workspace.bytesPerToken })),
    };
  });
}

/** Reads what was asked and answered in a finished step; nothing of one that was deleted. */
export async function readStepContents(
  tx: Transaction,
  attempt: AttemptKey,
  key: string,
): Promise<Partial<StepDetail>> {
  const step = await readWholeStep(tx, attempt, key);
  return contentsOf(tx, attempt, { step, parsed: parseStepKey(key), key, bytesPerToken: ANY_SIZE });
}

/** Nobody reads these estimates. */
const ANY_SIZE = 4;

const EMPTY = {
  request: null,
  reserved: null,
  reply: null,
  arguments: null,
  result: null,
  question: null,
  answer: null,
  answered_by: null,
  answered_name: null,
  answered_via: null,
  answered_at: null,
  error: null,
  attempts: [],
  exchanges: [],
};

interface FoundStep {
  readonly key: string;
  readonly parsed: StepKey;
  /** Undefined for an unfinished step. */
  readonly step: WholeStep | undefined;
  /** For the estimate of a prompt's tokens. */
  readonly bytesPerToken: number;
}

async function contentsOf(
  tx: Transaction,
  attempt: AttemptKey,
  { key, parsed, step, bytesPerToken }: FoundStep,
): Promise<Partial<StepDetail>> {
  if (parsed.kind === "question") return questionContents(tx, attempt, { key, step });
  if (step === undefined) return {};
  if (parsed.kind === "model" || parsed.kind === "summary") {
    return modelContents(tx, attempt, { step, parsed, key, bytesPerToken });
  }
  return parsed.kind === "tool" ? toolContents(step) : {};
}

const recordedReply = z.object({
  parts: z.array(replyPart),
  end: replyEnd,
  notes: z.array(z.string()).default([]),
  provider: z.string(),
  model: z.string(),
  usage: tokenUsage,
});
const recordedCall = z.union([
  z.object({ ok: z.literal(true), reply: recordedReply }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);

async function modelContents(
  tx: Transaction,
  attempt: AttemptKey,
  { step, parsed, key, bytesPerToken }: Omit<FoundStep, "step"> & { readonly step: WholeStep },
): Promise<Partial<StepDetail>> {
  const outcome = recordedCall.safeParse(JSON.parse(step.result)).data;
  const { answeredBy: by, promptTokens: reported, reserved, takenOver } = stepFacts.safeParse(step.facts).data ?? {};
  const request = await requestOf(tx, attempt, parsed.kind === "summary" ? [key] : callsUntil(parsed));
  return {
    request: request && {
      ...request,
      message_tokens: estimateMessageTokens(request, { reported, bytesPerToken }),
    },
    reserved: takenOver === true ? null : (reserved ?? null),
    ...(by !== undefined && { answered_by: await personOf(tx, by) }),
    reply: outcome?.ok === true ? replyOf(outcome.reply) : null,
    error: outcome?.ok === false ? outcome.message : null,
    attempts: z.array(modelTry).safeParse(step.tries).data ?? [],
    exchanges: z.array(providerExchange).safeParse(step.exchanges).data ?? [],
  };
}

function replyOf({ parts, end, ...reply }: z.output<typeof recordedReply>): NonNullable<StepDetail["reply"]> {
  return {
    ...reply,
    text: replyText(parts),
    reasoning: parts.flatMap((part) => (part.type === "reasoning" && part.text !== "" ? [part.text] : [])),
    tool_calls: [...replyCalls(parts)],
    finish_reason: end.reason,
    finish_reason_raw: end.raw,
  };
}

/** The keys of a turn's model calls up to one: each request is recorded as a continuation of those before. */
function callsUntil({ turn, call = 0 }: StepKey): readonly string[] {
  return Array.from({ length: call + 1 }, (_, index) => modelKey(turn, index));
}

/** The request of the last of these calls. */
async function requestOf(
  tx: Transaction,
  attempt: AttemptKey,
  keys: readonly string[],
): Promise<Omit<NonNullable<StepDetail["request"]>, "message_tokens"> | null> {
  const rows = await readRequests(tx, attempt, keys);
  const requests = rows.flatMap(({ key, request }) => {
    const parsed = sentRequest.safeParse(request);
    return parsed.success ? [[keys.indexOf(key), parsed.data] as const] : [];
  });
  const whole = wholeRequest(new Map(requests), keys.length - 1);
  return whole === undefined ? null : { ...whole, messages: [...whole.messages], tools: [...whole.tools] };
}

const recordedTool = z.union([
  z.object({ output: z.string(), isError: z.boolean() }),
  z.object({ question: z.record(z.string(), z.unknown()) }),
]);

function toolContents(step: WholeStep): Partial<StepDetail> {
  const outcome = recordedTool.safeParse(JSON.parse(step.result)).data;
  const given = { arguments: toolRequest.safeParse(step.request).data?.arguments ?? null };
  if (outcome === undefined) return { ...given, result: step.result };
  if ("question" in outcome) return { ...given, question: outcome.question };
  return { ...given, result: outcome.output, error: outcome.isError ? outcome.output : null };
}

function idempotencyKeyOf({ logId, attempt }: AttemptKey, { turn, callId = "" }: StepKey): string {
  return [logId, attempt, turn, callId].filter((part) => part !== undefined).join(":");
}

const json = z.record(z.string(), z.unknown());

async function questionContents(
  tx: Transaction,
  { logId }: AttemptKey,
  { key, step }: Pick<FoundStep, "key" | "step">,
): Promise<Partial<StepDetail>> {
  if (step === undefined) {
    const asked = await readAskedQuestion(tx, logId);
    return asked?.key === key ? { question: json.safeParse(asked.question).data ?? null } : {};
  }
  const facts = stepFacts.safeParse(step.facts).data;
  const by = facts?.answeredBy;
  return {
    question: json.safeParse(step.request).data ?? null,
    answer: json.safeParse(JSON.parse(step.result)).data ?? null,
    answered_by: by === undefined ? null : await personOf(tx, by),
    answered_name: facts?.answeredName ?? null,
    answered_via: facts?.answeredVia ?? null,
    answered_at: facts?.unanswered === true ? null : step.endedAt,
  };
}

async function personOf(
  tx: Transaction,
  { userId, keyId }: NonNullable<StepFacts["answeredBy"]>,
): Promise<NonNullable<StepDetail["answered_by"]>> {
  return { id: userId, name: await readName(tx, userId), key_id: keyId ?? null };
}
