import { z } from "zod";
import type { Answer } from "#domain/tasks/answer.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import { TOOL_ERROR } from "#domain/runs/step-facts.ts";
import type { StepFacts } from "#domain/runs/step-facts.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { answerKey, answeredResult, openQuestion } from "../run/ask-person.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import type { PendingCall } from "../tools/client-calls.ts";
import { shortenGiven } from "../tools/shorten-given.ts";
import { errorResult, toolResult } from "../run/tool-result.ts";
import type { ToolResult } from "../run/tool-result.ts";
import { executeTool } from "./execute-tool.ts";

/** The outcome of a tool call: a result, or a question for a person. */
const toolOutcome = z.union([toolResult, openQuestion]);

/** A tool call requested by the model. */
interface RequestedCall {
  readonly call: ToolCall;
  /** Its position among the calls of its reply, from 0. */
  readonly place: number;
  /** Why the call is not executed; becomes its result. */
  readonly refusal?: string | undefined;
  /** The result that a record has for the call; then nothing is executed. */
  readonly recorded?: ToolResult | undefined;
  /** Whether the client executes the call. */
  readonly isClients?: boolean;
}

/**
 * Runs one tool call as a recorded step. A tool of a team's mode is called again in every execution. Any error becomes
 * a result that the model can read and correct; only errors that end the run or the execution are thrown. A call that
 * needs an answer from a person, or is executed by the client, returns its question and stays open in the stream.
 */
export async function callTool(
  engine: EngineServices,
  run: Run,
  { call, place, refusal, recorded, isClients = false }: RequestedCall,
): Promise<ToolResult | OpenQuestion | PendingCall> {
  const { id: toolCallId, name } = call;
  const key = `tool:${toolCallId}`;
  const started = allSettledOrThrow([
    run.emit({ type: "TOOL_CALL_START", toolCallId, toolCallName: name, toolName: name }, `${key}:start`),
    run.emit({ type: "TOOL_CALL_ARGS", toolCallId, delta: call.arguments }, `${key}:args`),
  ]);
  if (isClients && refusal === undefined && recorded === undefined) {
    await started;
    return { pending: call };
  }
  const isGiven = run.tools.some((tool) => tool.name === name);
  const once = (stepKey: string, make: () => Promise<ToolResult | OpenQuestion>) =>
    // A tool of a team's mode records its own steps, and its calls begin in order.
    isGiven
      ? make()
      : run.step(stepKey, toolOutcome, async () => {
          await started;
          const value = await make();
          return {
            value,
            record: { facts: { ...factsOf(call, value), place }, request: { arguments: call.arguments } },
          };
        });
  const first = once(key, async () =>
    refusal === undefined ? (recorded ?? executeTool(engine, run, { call })) : errorResult(refusal),
  );
  let [outcome] = await allSettledOrThrow([first, started]);
  const answers: Answer[] = [];
  while ("question" in outcome) {
    const answer = run.answerTo(answerKey(outcome));
    if (answer === undefined) return outcome;
    if (outcome.purpose === "pause") answers.push(answer);
    const next = answers.length === 0 ? `${key}:approved` : `${key}:resumed:${answers.length}`;
    const given = answeredResult(outcome, answer);
    outcome =
      (given && (await shortenGiven(engine, run, { call, place, result: given }))) ??
      (await once(next, () => executeTool(engine, run, { call, approval: "granted", answers })));
  }
  const flag = outcome.isError && ({ isError: true } as const);
  await run.emit({ type: "TOOL_CALL_END", toolCallId, result: outcome.output, ...flag }, `${key}:end`);
  return outcome;
}

function factsOf({ name }: ToolCall, outcome: ToolResult | OpenQuestion): StepFacts {
  if ("question" in outcome) return { label: name, asks: true };
  return { label: name, ...(outcome.isError && { error: TOOL_ERROR }) };
}
