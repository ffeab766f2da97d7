import { z } from "zod";
import type { Answer } from "#domain/tasks/answer.ts";
import type { ToolCall } from "#domain/models/model-call.ts";
import { serviceIn } from "#domain/access/role.ts";
import { TOOL_ERROR } from "#domain/runs/step-facts.ts";
import type { StepFacts } from "#domain/runs/step-facts.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import { searchKnowledge } from "#operations/knowledge/search-knowledge.ts";
import type { Tool } from "#tools/define-tool.ts";
import {
  answerKey,
  answeredResult,
  needsApproval,
  openQuestion,
  requestApproval,
  toOutcome,
} from "../run/ask-person.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import type { PendingCall } from "../tools/client-calls.ts";
import { ensureOwner } from "../queue/lease.ts";
import { billingTargetOf } from "../budgets/billing-target.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { storeToolFile } from "../tools/store-tool-file.ts";
import { ToolRejection } from "../tools/tool-rejection.ts";
import { toolResult } from "../tools/tool-result.ts";
import type { ToolResult } from "../tools/tool-result.ts";

/** The outcome of a tool call: a result, or a question for a person. */
const toolOutcome = z.union([toolResult, openQuestion]);

/** A tool call requested by the model. */
interface RequestedCall {
  readonly call: ToolCall;
  /** Why the call is not executed; becomes its result. */
  readonly refusal?: string | undefined;
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
  { call, refusal, isClients = false }: RequestedCall,
): Promise<ToolResult | OpenQuestion | PendingCall> {
  const { id: toolCallId, name } = call;
  const key = `tool:${toolCallId}`;
  const started = allSettledOrThrow([
    run.emit({ type: "TOOL_CALL_START", toolCallId, toolCallName: name, toolName: name }, `${key}:start`),
    run.emit({ type: "TOOL_CALL_ARGS", toolCallId, delta: call.arguments }, `${key}:args`),
  ]);
  if (isClients && refusal === undefined) {
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
          return { value, record: { facts: factsOf(call, value), request: { arguments: call.arguments } } };
        });
  const first = once(key, async () => (refusal === undefined ? execute(engine, run, { call }) : failed(refusal)));
  let [outcome] = await allSettledOrThrow([first, started]);
  const answers: Answer[] = [];
  while ("question" in outcome) {
    const answer = run.answerTo(answerKey(outcome));
    if (answer === undefined) return outcome;
    if (outcome.purpose === "pause") answers.push(answer);
    const next = answers.length === 0 ? `${key}:approved` : `${key}:resumed:${answers.length}`;
    outcome =
      answeredResult(outcome, answer) ??
      (await once(next, () => execute(engine, run, { call, approval: "granted", answers })));
  }
  const flag = outcome.isError && ({ isError: true } as const);
  await run.emit({ type: "TOOL_CALL_END", toolCallId, result: outcome.output, ...flag }, `${key}:end`);
  return outcome;
}

function factsOf({ name }: ToolCall, outcome: ToolResult | OpenQuestion): StepFacts {
  if ("question" in outcome) return { label: name, asks: true };
  return { label: name, ...(outcome.isError && { error: TOOL_ERROR }) };
}

async function execute(
  engine: EngineServices,
  run: Run,
  {
    call,
    approval,
    answers = [],
  }: { readonly call: ToolCall; readonly approval?: "granted"; readonly answers?: readonly Answer[] },
): Promise<ToolResult | OpenQuestion> {
  const given = run.tools.find(({ name }) => name === call.name);
  const offered = given === undefined ? await engine.tools.offered(run.job.workspaceId, run.job.agent.tools) : [];
  const tool = given ?? offered.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = [...run.tools, ...offered].map((known) => known.name);
    return failed(`There is no tool "${call.name}". Available: ${names.join(", ") || "none"}.`);
  }
  const input = parseArguments(call.arguments);
  if (input === undefined) return failed("The arguments are not valid JSON.");
  const checked = await tool.input.safeParseAsync(input.value);
  if (!checked.success) {
    const faults = checked.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
    return failed(`The arguments do not fit the tool's schema. ${faults.join("; ")}`);
  }
  if (approval === undefined && needsApproval(run.job.agent, tool)) return requestApproval(call);
  // A tool of a team's mode begins in order, without waiting, and asks within its own steps.
  if (given === undefined) await ensureOwner(engine, run.key);
  // A tool of a team's mode has its own limits: a delegation is the complete work of another agent.
  const timeoutMs = given === undefined ? (tool.timeoutMs ?? engine.limits.toolTimeoutMs) : Infinity;
  const limit = startTimeLimit(timeoutMs, run.signal);
  const idempotencyKey = [run.job.taskId, run.job.attempt, run.turnKey, call.id]
    .filter((part) => part !== undefined)
    .join(":");
  let files = 0;
  try {
    const output = await tool.execute(checked.data, {
      workspaceId: run.job.workspaceId,
      taskId: run.job.taskId,
      callId: call.id,
      idempotencyKey,
      storeFile: (file) => storeToolFile(engine, run, { name: `${idempotencyKey}:file:${(files += 1)}`, file }),
      fetch: engine.fetch,
      settings: engine.toolSettings[tool.name] ?? {},
      signal: limit.signal,
      progress: (delta) =>
        run.emit({ type: "CUSTOM", name: "TOOL_CALL_PROGRESS", value: { toolCallId: call.id, delta } }),
      answers,
      searchKnowledge: (question, most) =>
        searchKnowledge(engine, serviceIn(run.job.workspaceId), {
          question,
          payer: billingTargetOf(run, `tool:${call.id}`),
          knowledgeBaseIds: run.job.agent.knowledge_base_ids ?? [],
          tags: [],
          limit: most,
          signal: limit.signal,
        }),
    });
    return asFinal(tool, toOutcome(call, output, answers.length));
  } catch (error) {
    run.signal.throwIfAborted();
    if (given !== undefined && !(error instanceof ToolRejection)) throw error;
    if (limit.isOver()) return failed(`The tool took longer than ${timeoutMs / 1000} s.`);
    return failed(error instanceof Error ? error.message : String(error));
  } finally {
    limit.clear();
  }
}

function asFinal({ endsWork }: Tool, outcome: ToolResult | OpenQuestion): ToolResult | OpenQuestion {
  if (endsWork === undefined || !("output" in outcome) || outcome.isError) return outcome;
  return { ...outcome, isFinal: true };
}

function parseArguments(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text === "" ? "{}" : text) };
  } catch {
    return undefined;
  }
}

function failed(output: string): ToolResult {
  return { output, isError: true };
}
