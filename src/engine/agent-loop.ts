import { createHash } from "node:crypto";
import type { ModelMessage, ToolCall } from "#domain/model-call.ts";
import { settle } from "#lib/settle.ts";
import type { StoredToolFile } from "#tools/define-tool.ts";
import { callModel } from "./call-model.ts";
import type { ModelReply } from "./call-model.ts";
import type { OpenQuestion } from "./ask-person.ts";
import { callTool } from "./call-tool.ts";
import type { ToolResult } from "./call-tool.ts";
import { openingMessages } from "./prompt.ts";
import { callsOf, checkRepeats } from "./repeat-guard.ts";
import type { EngineServices, Run } from "./run-context.ts";
import { RunFailure } from "./run-failure.ts";
import { createImageShow } from "./show-images.ts";
import { costOf } from "./usage-entry.ts";

const NAME = /^[\x21-\x7e]{1,200}$/;

/** An agent's last reply, and what the whole run came to. */
export interface AgentAnswer extends ModelReply {
  /** Prompt and completion tokens of all model calls of the run. */
  readonly tokensUsed: number;
  /** What of them this run has paid: not those that a fork took over from another one. The cost is in US dollars. */
  readonly spent: { readonly tokensUsed: number; readonly costUsd: number };
}

/**
 * Lets an agent work on its task: calls the model, runs the tools it asks for, and goes on until
 * it answers without asking for any. Every call is one recorded step; events that belong to
 * the end of a step carry keys, so that a replay does not send them twice.
 * A call of a tool that ends the work (`endsWork`) gives the answer in its place.
 * A run that has to ask a person ends there; with the answer it is executed again, as after a crash.
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
  for (let turn = 0; turn < maxSteps; turn++) {
    const aside = await run.beforeCall?.(turn);
    if (aside !== undefined) messages.push({ role: "user", content: aside });
    if (turn > 0 && turn === maxSteps - 1) messages.push(lastTurnNotice(maxSteps));
    const reply = await callModel(engine, run, { turn, messages });
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
    const earlier = callsOf(messages);
    const warnings = toolCalls.map((call, index) =>
      checkRepeats(call, { earlier: [...earlier, ...toolCalls.slice(0, index)], maxRepeats }),
    );
    messages.push({ role: "assistant", content: reply.text, toolCalls });
    const named = toolCalls.map((call) => ({ ...call, id: nameOf(call.id) }));
    const outcomes = await callTools(engine, run, { toolCalls: named, warnings });
    const question = outcomes.find((outcome) => "question" in outcome);
    if (question !== undefined) return question;
    const last = outcomes.find(isFinal);
    if (last !== undefined) return { ...withoutMessage(reply), text: last.output, tokensUsed, spent };
    messages.push(...toMessages(toolCalls, outcomes), ...(await showImages(outcomes.flatMap(imagesOf))));
  }
  throw new RunFailure(
    "STEP_LIMIT",
    `The agent asked for more than ${maxSteps} model calls without coming to an answer.`,
  );
}

/**
 * Runs the calls of one turn side by side. Of several that ask a person the first one counts: the
 * others ask when the turn is made again with its answer.
 */
async function callTools(
  engine: EngineServices,
  run: Run,
  turn: { readonly toolCalls: readonly ToolCall[]; readonly warnings: readonly (string | undefined)[] },
): Promise<(ToolResult | OpenQuestion)[]> {
  return settle(turn.toolCalls.map((call, index) => callTool(engine, run, { call, refusal: turn.warnings[index] })));
}

function isFinal(outcome: ToolResult | OpenQuestion): outcome is ToolResult {
  return "output" in outcome && outcome.isFinal === true;
}

/** An answer that was given by a tool is not the text of the reply, whose message has ended. */
function withoutMessage(reply: ModelReply): ModelReply {
  const { messageId: _, ...rest } = reply;
  return rest;
}

/** The results of a turn's calls, in their order. */
function toMessages(calls: readonly ToolCall[], outcomes: readonly (ToolResult | OpenQuestion)[]): ModelMessage[] {
  return outcomes.flatMap((outcome, index): ModelMessage[] => {
    const call = calls[index];
    if (call === undefined || !("output" in outcome)) return [];
    const { output, isError } = outcome;
    return [{ role: "tool", toolCallId: call.id, toolName: call.name, output, isError }];
  });
}

function imagesOf(outcome: ToolResult | OpenQuestion): readonly StoredToolFile[] {
  return "output" in outcome ? (outcome.images ?? []) : [];
}

/** Said once, while there is still a turn to act on it. */
function lastTurnNotice(maxSteps: number): ModelMessage {
  const content =
    `Notice of the service, not of the user: this is the last of ${maxSteps} model calls that this run may make. ` +
    "Give your final answer now; asking for another tool ends the run without a result.";
  return { role: "user", content };
}

/** Some models number their calls anew in every turn; a run tells its calls apart by their ids. */
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
