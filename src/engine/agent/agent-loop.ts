import type { ClientTools } from "#domain/tools/client-tools.ts";
import type { ModelMessage } from "#domain/models/model-call.ts";
import { openRecord } from "#domain/golden/recorded-tools.ts";
import type { ToolRecord } from "#domain/golden/recorded-tools.ts";
import { replyCalls, replyText } from "#domain/models/reply-parts.ts";
import type { FinishReason, ToolCall } from "#domain/models/reply-parts.ts";
import { createRequestLog } from "#domain/runs/sent-request.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { StoredToolFile } from "#tools/define-tool.ts";
import { callModel } from "./call-model.ts";
import { repairMessage, resultOf } from "./check-result.ts";
import { saidBy } from "./said-by.ts";
import type { ModelReply } from "./stream-reply.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import { claimId, nameOf } from "../run/call-ids.ts";
import { callTool } from "./call-tool.ts";
import { clientRefusals, offeredClientTools, resolveClientCalls } from "../tools/client-calls.ts";
import type { PendingCall } from "../tools/client-calls.ts";
import { shortenOpening } from "../tools/shorten-given.ts";
import { resultMessage } from "../run/tool-result.ts";
import type { ToolResult } from "../run/tool-result.ts";
import { openingMessages } from "./prompt.ts";
import { callsOf, checkRepeats } from "./repeat-guard.ts";
import { cutCallFailure, cutCallMessages, finishOf, isCutCall, longerLimit } from "./reply-ends.ts";
import { recallReplies } from "./recall-replies.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { RunFailure } from "../run/run-failure.ts";
import { createImageShow } from "./show-images.ts";
import { costOf } from "../budgets/usage-entry.ts";
import { createWindowFit } from "./window-fit.ts";

/** The agent's final reply and the totals of the run. */
export interface AgentAnswer extends ModelReply {
  /** The result: the reply's text, or what a tool supplied in its place. */
  readonly text: string;
  /** Why it ended. */
  readonly finish: FinishReason;
  /** The names of the tools that it called, in order. */
  readonly called: readonly string[];
  /** Prompt and completion tokens of all model calls of the run. */
  readonly tokensUsed: number;
  /** Those that this run itself has paid for, without replies reused by a fork. The cost is in US dollars. */
  readonly spent: { readonly tokensUsed: number; readonly costUsd: number };
}

/**
 * Runs an agent on its task: calls the model, runs the tool calls it returns, and repeats until it answers without any.
 * Each model call is one recorded step. Events at the end of a step have keys, so a replay does not append them twice.
 * A tool with `endsWork` supplies the answer itself. When the run needs a person, or results of the client's tools, the
 * execution ends; the answer starts another execution, as after a crash.
 * @returns the final reply, whose message is still open if it has one, or the question to ask
 * @throws RunFailure when the run cannot succeed
 */
export async function runAgent(engine: EngineServices, run: Run): Promise<AgentAnswer | OpenQuestion> {
  const recalled = await recallReplies(engine, run);
  const opening = openingMessages(run.job, { files: run.files, recalled });
  let messages = [...(await shortenOpening(engine, run, opening.messages))];
  const made = callsOf(messages);
  const earlier = made.length;
  const called = () => made.slice(earlier).map(({ name }) => name);
  const golden = run.job.golden ?? undefined;
  const record = golden && openRecord(golden.tools);
  const callIds = new Set<string>();
  let tokensUsed = 0;
  const spent = { tokensUsed: 0, costUsd: 0 };
  const showImages = createImageShow(engine, run.signal);
  const { maxRepeats } = engine.limits;
  const maxSteps = run.maxSteps ?? engine.limits.maxSteps;
  const requests = createRequestLog();
  let client = await offeredClientTools(engine, run);
  const window = createWindowFit(engine, run, { ...opening, client });
  let canRead = messages.some(isCutResult);
  let wasCut = false;
  let isRepair = false;
  let maxTokens: number | undefined;
  for (let turn = 0; turn < maxSteps; turn++) {
    const aside = await run.beforeCall?.(turn);
    if (aside !== undefined) messages.push({ role: "user", content: aside });
    if (turn > 0 && turn === maxSteps - 1) messages.push(lastTurnNotice(maxSteps));
    const isLastTry = isRepair || turn === maxSteps - 1;
    const fitted = await window.fit(turn, messages);
    if ("question" in fitted) return fitted;
    messages = [...fitted.messages];
    const reply = await callModel(engine, run, { turn, messages, client, canRead, requests, maxTokens, isLastTry });
    if ("question" in reply) return reply;
    window.counted({ tokens: reply.usage.promptTokens, messages: [...messages] });
    for (const { usage, takenOver, ...paid } of [...fitted.summaries, reply]) {
      const tokens = usage.promptTokens + usage.completionTokens;
      tokensUsed += tokens;
      if (takenOver !== undefined) continue;
      spent.tokensUsed += tokens;
      spent.costUsd += costOf(engine, { ...paid, usage });
    }
    const calls = replyCalls(reply.parts);
    if (calls.length === 0 && reply.issues === undefined) {
      const text = resultOf(run.job, replyText(reply.parts));
      return { ...reply, text, finish: finishOf(reply), called: called(), tokensUsed, spent };
    }
    if (reply.messageId !== undefined) {
      await run.emit({ type: "TEXT_MESSAGE_END", messageId: reply.messageId }, `message:${reply.messageId}:end`);
    }
    if (reply.issues !== undefined) {
      isRepair = true;
      messages.push(saidBy(reply, []), repairMessage(reply.issues));
      if (reply.end.reason === "length") maxTokens = longerLimitOf(engine, run, reply);
      continue;
    }
    if (isCutCall(reply)) {
      if (wasCut) throw cutCallFailure(reply);
      wasCut = true;
      messages.push(...cutCallMessages(reply));
      maxTokens = longerLimitOf(engine, run, reply);
      continue;
    }
    const toolCalls = calls.map((call) => ({ ...call, id: claimId(call.id, callIds) }));
    const repeats = repeatWarnings(toolCalls, { earlier: made, maxRepeats });
    made.push(...toolCalls);
    messages.push(saidBy(reply, toolCalls));
    const named = toolCalls.map((call) => ({ ...call, id: nameOf(call.id) }));
    const outcomes = await callTools(engine, run, { turn, toolCalls: named, repeats, client, record });
    const question = outcomes.find((outcome) => "question" in outcome);
    if (question !== undefined) return question;
    const last = outcomes.find(isFinal);
    if (last !== undefined)
      return {
        ...withoutMessage(reply),
        text: resultOf(run.job, last.output),
        finish: "stop",
        called: called(),
        tokensUsed,
        spent,
      };
    const resolved = await resolveClientCalls(engine, run, outcomes.filter(isNoQuestion), turn + 1);
    if ("question" in resolved) return resolved;
    client = await nextClientTools(engine, run, { client, next: resolved.clientTools });
    const results = toMessages(toolCalls, resolved.results);
    canRead ||= results.some(isCutResult);
    messages.push(...results, ...(await showImages(resolved.results.flatMap(imagesOf))));
  }
  throw new RunFailure(
    "STEP_LIMIT",
    `The agent asked for more than ${maxSteps} model calls without coming to an answer.`,
  );
}

/**
 * Runs the tool calls of one turn concurrently. If several of them have a question, the first is asked; the others ask
 * when the turn is repeated with its answer.
 */
async function callTools(
  engine: EngineServices,
  run: Run,
  {
    turn,
    toolCalls,
    repeats,
    client,
    record,
  }: {
    readonly turn: number;
    readonly toolCalls: readonly ToolCall[];
    readonly repeats: readonly (string | undefined)[];
    readonly client: ClientTools;
    /** Where all results come from, if no tool may be called. */
    readonly record: ToolRecord | undefined;
  },
): Promise<CallOutcome[]> {
  const clientNames = new Set(client.tools.map(({ name }) => name));
  const refusals = await clientRefusals(engine, run, { turn, calls: toolCalls, offered: client });
  const calls = toolCalls.map((call, place) => {
    const refusal = repeats[place] ?? refusals[place] ?? undefined;
    const recorded = record === undefined || refusal !== undefined ? undefined : recordedResult(record, call);
    return { call, place, refusal, recorded, isClients: clientNames.has(call.name) };
  });
  return allSettledOrThrow(calls.map((call) => callTool(engine, run, call)));
}

/** The result of a call in the record. @throws RunFailure `DIVERGED` when the record has no such call */
function recordedResult(record: ToolRecord, call: ToolCall): ToolResult {
  const { output, isError } = record.next(call) ?? diverged(call);
  return { output, isError };
}

const MAX_ARGUMENTS_SHOWN = 500;

function diverged({ name, arguments: json }: ToolCall): never {
  const shown = json.length > MAX_ARGUMENTS_SHOWN ? `${json.slice(0, MAX_ARGUMENTS_SHOWN)} …` : json;
  throw new RunFailure(
    "DIVERGED",
    `The agent called ${name} with ${shown.toWellFormed() || "no arguments"}; the record has no such call. Nothing was called.`,
  );
}

type CallOutcome = ToolResult | OpenQuestion | PendingCall;

/** Warnings for calls that were repeated too often, by call index. */
function repeatWarnings(
  calls: readonly ToolCall[],
  { earlier, maxRepeats }: Parameters<typeof checkRepeats>[1],
): (string | undefined)[] {
  return calls.map((call, index) =>
    checkRepeats(call, { earlier: [...earlier, ...calls.slice(0, index)], maxRepeats }),
  );
}

/** The client's tool choice applies only to the first model call after its request. */
async function nextClientTools(
  engine: EngineServices,
  run: Run,
  { client, next }: { readonly client: ClientTools; readonly next: ClientTools | undefined },
): Promise<ClientTools> {
  return next === undefined ? { ...client, choice: "auto" } : offeredClientTools(engine, run, next);
}

function isNoQuestion(outcome: CallOutcome): outcome is ToolResult | PendingCall {
  return !("question" in outcome);
}

function isFinal(outcome: CallOutcome): outcome is ToolResult {
  return "output" in outcome && outcome.isFinal === true;
}

/** An answer supplied by a tool is not part of the text message, which has ended. */
function withoutMessage(reply: ModelReply): ModelReply {
  const { messageId: _, ...rest } = reply;
  return rest;
}

/** The results of a turn's tool calls, in call order. */
function toMessages(calls: readonly ToolCall[], results: readonly ToolResult[]): ModelMessage[] {
  return results.flatMap((result, index): ModelMessage[] => {
    const call = calls[index];
    return call === undefined ? [] : [resultMessage(call, result)];
  });
}

/** Once a result was too long to be shown, the tool that reads more of it stays. */
function isCutResult(message: ModelMessage): boolean {
  return message.role === "tool" && message.isCut === true;
}

function imagesOf({ images = [] }: ToolResult): readonly StoredToolFile[] {
  return images;
}

/** Announced once, while the model can still make another call. */
function lastTurnNotice(maxSteps: number): ModelMessage {
  const content =
    `Notice of the service, not of the user: this is the last of ${maxSteps} model calls that this run may make. ` +
    "Give your final answer now; asking for another tool ends the run without a result.";
  return { role: "user", content, isNotice: true };
}

/** The limit of a reply after one that was cut, if a higher one is known. */
function longerLimitOf({ catalogue }: EngineServices, { job }: Run, { model }: ModelReply): number | undefined {
  const known = catalogue.find(model);
  return longerLimit(job.agent.max_tokens, known && (known.maxOutput ?? Infinity));
}
