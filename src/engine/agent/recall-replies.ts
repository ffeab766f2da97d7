import { z } from "zod";
import { readAttempts } from "#db/queries/runs/run-steps.ts";
import type { AttemptStep } from "#db/queries/runs/run-steps.ts";
import type { ModelMessage } from "#domain/models/model-call.ts";
import { plainParts, replyCalls } from "#domain/models/reply-parts.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import { summaryKey } from "#domain/runs/step-key.ts";
import type { AttemptOf, ConversationMessage } from "#domain/tasks/run-job.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { errorResult, resultMessage, toolResult } from "../run/tool-result.ts";
import type { ToolResult } from "../run/tool-result.ts";
import { claimId, nameOf } from "../run/call-ids.ts";
import { repairMessage } from "./check-result.ts";
import { saidBy } from "./said-by.ts";
import { modelReply } from "./stream-reply.ts";
import { summary } from "./summarize.ts";
import type { Summary } from "./summarize.ts";

/**
 * What the agent did for a message of its conversation: messages, and summaries of all before them. Undefined when its
 * steps are no longer stored.
 */
export type RecalledReplies = (message: ConversationMessage) => readonly (ModelMessage | Summary)[] | undefined;

const NOTHING: RecalledReplies = () => undefined;

/**
 * Recalls what the agent thought, called and said for its earlier replies in a conversation, from their recorded steps:
 * so that it continues with all of it, whatever surface the next message comes from.
 */
export async function recallReplies({ db }: Pick<EngineServices, "db">, { job }: Run): Promise<RecalledReplies> {
  const attempts = (job.conversation ?? []).flatMap(({ of }) => (of === undefined ? [] : [of]));
  if (attempts.length === 0) return NOTHING;
  const rows = await readAttempts(db, job.workspaceId, attempts);
  const steps = Map.groupBy(rows, keyOf);
  return ({ of, content }) => (of === undefined ? undefined : messagesOf(steps.get(keyOf(of)) ?? [], content));
}

function keyOf({ runId, attempt }: AttemptOf): string {
  return `${runId}.${attempt}`;
}

const recordedModel = z.object({ ok: z.literal(true), reply: modelReply });

/** The messages of an attempt; undefined when a step of it is missing, or a team made it. */
function messagesOf(rows: readonly AttemptStep[], result: string): readonly (ModelMessage | Summary)[] | undefined {
  const steps = new Map(rows.map((row) => [row.key, row.result]));
  const taken = new Set<string>();
  const messages: (ModelMessage | Summary)[] = [];
  for (let turn = 0; ; turn++) {
    const step = steps.get(`model:${turn}`);
    if (step === undefined)
      return turn === 0 ? undefined : [...messages, { role: "assistant", parts: plainParts(result) }];
    const recorded = recordedModel.safeParse(JSON.parse(step)).data;
    if (recorded === undefined) return undefined;
    messages.push(...summariesBefore(turn, steps));
    const calls = replyCalls(recorded.reply.parts).map((call) => ({ ...call, id: claimId(call.id, taken) }));
    messages.push(saidBy(recorded.reply, calls));
    const { issues } = recorded.reply;
    if (calls.length === 0 && issues === undefined) return messages;
    if (issues !== undefined) messages.push(repairMessage(issues));
    const results = resultsOf(calls, steps);
    if (results === undefined) return undefined;
    messages.push(...results);
  }
}

function summariesBefore(turn: number, steps: ReadonlyMap<string, string>): readonly Summary[] {
  const summaries: Summary[] = [];
  for (;;) {
    const step = steps.get(summaryKey(turn, summaries.length));
    const recorded = summary.safeParse(JSON.parse(step ?? "null")).data;
    if (recorded === undefined) return summaries;
    summaries.push(recorded);
  }
}

/** The results of a turn's calls; undefined when one is missing. */
function resultsOf(calls: readonly ToolCall[], steps: ReadonlyMap<string, string>): ModelMessage[] | undefined {
  const given = clientResults(
    calls.filter(({ id }) => !steps.has(`tool:${nameOf(id)}`)),
    steps,
  );
  const results = calls.map((call) => recordedResult(nameOf(call.id), steps) ?? given.get(call));
  if (!results.every((result) => result !== undefined)) return undefined;
  return calls.map((call, index) => resultMessage(call, results[index] ?? { output: "", isError: false }));
}

const answer = z.looseObject({ approved: z.boolean().optional() });

/** The result that a call's last execution recorded, or its answer by a person. */
function recordedResult(id: string, steps: ReadonlyMap<string, string>): ToolResult | undefined {
  const executions = [...steps.keys()].filter((key) => key === `tool:${id}` || key.startsWith(`tool:${id}:`));
  for (const key of executions.toReversed()) {
    const result = toolResult.safeParse(JSON.parse(steps.get(key) ?? "null")).data;
    if (result !== undefined) return result;
  }
  const given = steps.get(`answer:result:${id}`);
  if (given !== undefined) return { output: given, isError: false };
  const approval = answer.safeParse(JSON.parse(steps.get(`answer:approval:${id}`) ?? "null")).data;
  return approval?.approved === false ? errorResult("The user did not approve this call; it was not made.") : undefined;
}

const clientAnswer = z.looseObject({ values: z.record(z.string(), z.string()) });

/** The results that a client gave for its own tools, by call. */
function clientResults(
  calls: readonly ToolCall[],
  steps: ReadonlyMap<string, string>,
): ReadonlyMap<ToolCall, ToolResult> {
  const given = steps.get(`answer:client:${nameOf(calls[0]?.id ?? "")}`);
  const values = clientAnswer.safeParse(JSON.parse(given ?? "null")).data?.values;
  if (values === undefined) return new Map();
  return new Map(calls.map((call, index) => [call, { output: values[`call_${index}`] ?? "", isError: false }]));
}
