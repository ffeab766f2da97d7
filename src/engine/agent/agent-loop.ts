import { createHash } from "node:crypto";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import type { ModelMessage, ToolCall } from "#domain/models/model-call.ts";
import { createRequestLog } from "#domain/runs/sent-request.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { StoredToolFile } from "#tools/define-tool.ts";
import { callModel } from "./call-model.ts";
import type { ModelReply } from "./stream-reply.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import { callTool } from "./call-tool.ts";
import { clientRefusals, offeredClientTools, resolveClientCalls } from "../tools/client-calls.ts";
import type { PendingCall } from "../tools/client-calls.ts";
import type { ToolResult } from "../tools/tool-result.ts";
import { openingMessages } from "./prompt.ts";
import { callsOf, checkRepeats } from "./repeat-guard.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { RunFailure } from "../run/run-failure.ts";
import { createImageShow } from "./show-images.ts";
import { costOf } from "../budgets/usage-entry.ts";

const NAME = /^[\x21-\x7e]{1,200}$/;

/** An agent's last reply, and what the whole run came to. */
export interface AgentAnswer extends ModelReply {
  /** Prompt and completion tokens of all model calls of the run. */
  readonly tokensUsed: number;
  /** What of them this run has paid: not those that a fork took over from another one. The cost is in US dollars. */
  readonly spent: { readonly tokensUsed: number; readonly costUsd: number };
}

/**
 * Lets an agent work on its task: calls the model, runs the tools it asks for, and continues until
 * it answers without asking for any. Every call is one recorded step; events that belong to
 * the end of a step carry keys, so that a replay does not send them twice.
 * A call of a tool that ends the work (`endsWork`) gives the answer in its place.
 * A run that has to ask a person, or its client for the results of tools, ends there; with the answer it is executed again, as after a crash.
 * @returns the agent's last reply, whose message is still open if it has one, or the question to ask.
 * @throws RunFailure when the run cannot end well.
 */
export async function runAgent(engine: EngineServices, run: Run): Promise<AgentAnswer | OpenQuestion> {
  const messages: ModelMessage[] = openingMessages(run.job, run.files);
  const callIds = new Set<string>();
  let tokensUsed = 0;
  const spent = { tokensUsed: 0, costUsd: 0 };
  const showImages = createImageShow(engine);
  const { maxRepeats } = engine.limits;
  const maxSteps = run.maxSteps ?? engine.limits.maxSteps;
  const requests = createRequestLog();
  let client = await offeredClientTools(engine, run);
  for (let turn = 0; turn < maxSteps; turn++) {
    const aside = await run.beforeCall?.(turn);
    if (aside !== undefined) messages.push({ role: "user", content: aside });
    if (turn > 0 && turn === maxSteps - 1) messages.push(lastTurnNotice(maxSteps));
    const reply = await callModel(engine, run, { turn, messages, client, requests });
    if ("question" in reply) return reply;
    const tokens = reply.usage.promptTokens + reply.usage.completionTokens;
    tokensUsed += tokens;
    if (reply.takenOver === undefined) {
      spent.tokensUsed += tokens;
      spent.costUsd += costOf(engine, reply);
    }
    if (reply.toolCalls.length === 0) return { ...reply, tokensUsed, spent };
    if (reply.messageId !== undefined) {
      await run.emit({ type: "TEXT_MESSAGE_END", messageId: reply.messageId }, `message:${reply.messageId}:end`);
    }
    const toolCalls = reply.toolCalls.map((call) => ({ ...call, id: claimId(call.id, callIds) }));
    const repeats = repeatWarnings(toolCalls, { earlier: callsOf(messages), maxRepeats });
    messages.push({ role: "assistant", content: reply.text, toolCalls });
    const named = toolCalls.map((call) => ({ ...call, id: nameOf(call.id) }));
    const outcomes = await callTools(engine, run, { turn, toolCalls: named, repeats, client });
    const question = outcomes.find((outcome) => "question" in outcome);
    if (question !== undefined) return question;
    const last = outcomes.find(isFinal);
    if (last !== undefined) return { ...withoutMessage(reply), text: last.output, tokensUsed, spent };
    const resolved = await resolveClientCalls(run, outcomes.filter(isNoQuestion), turn + 1);
    if ("question" in resolved) return resolved;
    client = await nextClientTools(engine, run, { client, next: resolved.clientTools });
    messages.push(
      ...toMessages(toolCalls, resolved.results),
      ...(await showImages(resolved.results.flatMap(imagesOf))),
    );
  }
  throw new RunFailure(
    "STEP_LIMIT",
    `The agent asked for more than ${maxSteps} model calls without coming to an answer.`,
  );
}

/**
 * Runs the calls of one turn concurrently. Of several that ask a person the first one counts: the
 * others ask when the turn is made again with its answer.
 */
async function callTools(
  engine: EngineServices,
  run: Run,
  {
    turn,
    toolCalls,
    repeats,
    client,
  }: {
    readonly turn: number;
    readonly toolCalls: readonly ToolCall[];
    readonly repeats: readonly (string | undefined)[];
    readonly client: ClientTools;
  },
): Promise<CallOutcome[]> {
  const clientNames = new Set(client.tools.map(({ name }) => name));
  const refusals = await clientRefusals(engine, run, { turn, calls: toolCalls, offered: client });
  return allSettledOrThrow(
    toolCalls.map((call, index) => {
      const refusal = repeats[index] ?? refusals[index] ?? undefined;
      return callTool(engine, run, { call, refusal, isClients: clientNames.has(call.name) });
    }),
  );
}

type CallOutcome = ToolResult | OpenQuestion | PendingCall;

/** Warnings in place of calls that were made too often, by their place. */
function repeatWarnings(
  calls: readonly ToolCall[],
  { earlier, maxRepeats }: Parameters<typeof checkRepeats>[1],
): (string | undefined)[] {
  return calls.map((call, index) =>
    checkRepeats(call, { earlier: [...earlier, ...calls.slice(0, index)], maxRepeats }),
  );
}

/** A client's tool choice holds for the first model call after its request. */
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

/** An answer that was given by a tool is not the text of the reply, whose message has ended. */
function withoutMessage(reply: ModelReply): ModelReply {
  const { messageId: _, ...rest } = reply;
  return rest;
}

/** The results of a turn's calls, in their order. */
function toMessages(calls: readonly ToolCall[], results: readonly ToolResult[]): ModelMessage[] {
  return results.flatMap((result, index): ModelMessage[] => {
    const call = calls[index];
    if (call === undefined) return [];
    const { output, isError } = result;
    return [{ role: "tool", toolCallId: call.id, toolName: call.name, output, isError }];
  });
}

function imagesOf({ images = [] }: ToolResult): readonly StoredToolFile[] {
  return images;
}

/** Said once, while there is still a turn to act on it. */
function lastTurnNotice(maxSteps: number): ModelMessage {
  const content =
    `Notice of the service, not of the user: this is the last of ${maxSteps} model calls that this run may make. ` +
    "Give your final answer now; asking for another tool ends the run without a result.";
  return { role: "user", content };
}

/** Some models number their calls again in every turn; a run tells its calls apart by their ids. */
function claimId(id: string, taken: Set<string>): string {
  let unique = id;
  for (let copy = 2; taken.has(unique); copy++) unique = `${id}_${copy}`;
  taken.add(unique);
  return unique;
}

/**
 * What a call is named by in the run's steps and events, and to the tool: its id where that fits into a key and a
 * header. Some vendors put thousands of characters into an id, which they want back as they are.
 */
function nameOf(id: string): string {
  return NAME.test(id) ? id : `call_${createHash("sha256").update(id).digest("hex")}`;
}
