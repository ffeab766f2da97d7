import { z } from "zod";
import { NO_CLIENT_TOOLS, clientTools } from "#domain/tools/client-tools.ts";
import type { ClientCall, ClientTools } from "#domain/tools/client-tools.ts";
import { AppError } from "#domain/errors.ts";
import type { Question } from "#domain/tasks/interaction.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import { storableText } from "#domain/storable.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { argumentIssues } from "#operations/tools/custom-tools/check-schema.ts";
import { answerKey } from "../run/ask-person.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import { shortenGiven } from "./shorten-given.ts";
import { ownTools } from "./tool-registry.ts";
import type { ToolResult } from "../run/tool-result.ts";
import type { EngineServices, Run } from "../run/run-context.ts";

/** How long a run waits for the results of a client's tools. */
const TIMEOUT_MS = 3_600_000;
/** The maximum number of fields in a form. */
const MAX_CALLS = 100;
const MAX_LABEL = 500;
const MAX_SHOWN = 9_000;

const recordedAnswer = z.looseObject({
  values: z.record(z.string(), z.string()),
  /** The client's tools for later calls; absent when a person gave the results. */
  clientTools: clientTools.optional(),
});

/** A call of a client's tool without a result. */
export interface PendingCall {
  readonly pending: ToolCall;
}

/** The client's tools of a run; an agent's own tool takes precedence over one with the same name. */
export async function offeredClientTools(
  engine: EngineServices,
  run: Run,
  given: ClientTools | null = run.job.clientTools ?? null,
): Promise<ClientTools> {
  if (given === null || given.tools.length === 0) return NO_CLIENT_TOOLS;
  const own = new Set((await ownTools(engine, run)).map(({ name }) => name));
  return { ...given, tools: given.tools.filter(({ name }) => !own.has(name)) };
}

const refusals = z.array(z.string().nullable());

/**
 * Why calls of client tools are not passed on, by call index; the model reads it as the result. Recorded as a step, so
 * a replay decides the same.
 */
export async function clientRefusals(
  engine: EngineServices,
  run: Run,
  {
    turn,
    calls,
    offered,
  }: { readonly turn: number; readonly calls: readonly ToolCall[]; readonly offered: ClientTools },
): Promise<readonly (string | null)[]> {
  const toolOf = (call: ToolCall) => offered.tools.find(({ name }) => name === call.name);
  if (!calls.some(toolOf)) return [];
  return run.step(`client:${turn}`, refusals, async () => {
    const issues = await Promise.all(
      calls.map(async (call) => {
        const tool = toolOf(call);
        return tool === undefined ? null : argumentsIssue(engine, run, { call, schema: tool.inputSchema });
      }),
    );
    const max = offered.parallel ? MAX_CALLS : 1;
    const excess = `At most ${max} of the client's tools can be called at a time; call it again.`;
    let count = 0;
    const value = calls.map((call, index) => {
      const issue = issues[index] ?? null;
      if (issue !== null || toolOf(call) === undefined) return issue;
      count += 1;
      return count > max ? excess : null;
    });
    return { value };
  });
}

async function argumentsIssue(
  engine: EngineServices,
  { job: { workspaceId } }: Run,
  { call, schema }: { readonly call: ToolCall; readonly schema: Readonly<Record<string, unknown>> },
): Promise<string | null> {
  const args = z.record(z.string(), z.unknown()).safeParse(parseJson(call.arguments));
  if (!args.success) return "The arguments are not a JSON object.";
  try {
    const issues = await argumentIssues(engine, { workspaceId, parameters: schema }, args.data);
    if (issues.length === 0) return null;
    const all = issues.map(({ path, message }) => `${path || "arguments"}: ${message}`).join("; ");
    return `The arguments do not fit the tool's schema. ${all}`;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return undefined;
  }
}

/** The results of a turn's calls, and the client's tools for later calls if it sent them. */
export interface TurnResults {
  readonly results: readonly ToolResult[];
  readonly clientTools?: ClientTools | undefined;
}

/**
 * Completes a turn's results with those of the client's tools. Until the client has sent them, returns the question for
 * them: a form with one field per call, so that a person can answer instead.
 * @param modelCalls the number of model calls of the run so far
 */
export async function resolveClientCalls(
  engine: EngineServices,
  run: Run,
  outcomes: readonly (ToolResult | PendingCall)[],
  modelCalls: number,
): Promise<TurnResults | OpenQuestion> {
  const pending = outcomes.flatMap((outcome) => ("pending" in outcome ? [outcome.pending] : []));
  const [first] = pending;
  if (first === undefined) return { results: outcomes.flatMap((outcome) => ("output" in outcome ? [outcome] : [])) };
  const calls = pending.map(toClientCall);
  const question = { question: questionFor(calls, modelCalls), toolCallId: first.id, purpose: "client" } as const;
  const answer = run.answerTo(answerKey(question));
  if (answer === undefined) return question;
  const { values, clientTools: next } = recordedAnswer.parse(answer);
  const outputs = new Map(calls.map(({ toolCallId, field }) => [toolCallId, values[field] ?? ""]));
  const results = await allSettledOrThrow(
    outcomes.map(async (outcome, place) => {
      if ("output" in outcome) return outcome;
      const { pending: call } = outcome;
      const given = { output: outputs.get(call.id) ?? "", isError: false };
      const result = await shortenGiven(engine, run, { call, place, result: given });
      await run.emit({ type: "TOOL_CALL_END", toolCallId: call.id, result: result.output }, `tool:${call.id}:end`);
      return result;
    }),
  );
  return { results, clientTools: next };
}

function toClientCall({ id: toolCallId, name, arguments: json }: ToolCall, index: number): ClientCall {
  return { field: `call_${index}`, toolCallId, name, arguments: storableText(json === "" ? "{}" : json) };
}

function questionFor(calls: readonly ClientCall[], modelCalls: number): Question {
  const shown = calls.map((call) => `${call.name}(${call.arguments})`);
  const prompt = {
    type: "form",
    title: "Results of the client's tools",
    description: `The client of this task runs: ${shown.join(", ")}`.slice(0, MAX_SHOWN).toWellFormed(),
    fields: calls.map(({ field: key }, index) => ({
      key,
      label: (shown[index] ?? key).slice(0, MAX_LABEL).toWellFormed(),
      type: "textarea" as const,
    })),
  } as const;
  return { kind: "prompt", prompt, timeoutMs: TIMEOUT_MS, clientCalls: { calls, modelCalls } };
}
