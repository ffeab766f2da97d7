import type { Answer } from "#domain/tasks/answer.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import { describeIssue } from "#domain/errors.ts";
import { delegationMetadata } from "#domain/tools/delegation-depth.ts";
import { issuesOf } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { serviceIn } from "#domain/access/role.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import { callAfterCheck } from "#lib/safe-fetch/pause-guard.ts";
import { parseExactly } from "#lib/text/exact-json.ts";
import { searchKnowledge } from "#operations/knowledge/search-knowledge.ts";
import type { Tool, ToolContext } from "#tools/define-tool.ts";
import { traceparentOf } from "#domain/traces/trace-context.ts";
import { readApprover } from "#db/queries/mcp-servers/mcp-accounts.ts";
import { idempotencyKeyOf } from "../run/call-ids.ts";
import { billingTargetOf } from "../budgets/billing-target.ts";
import { ensureOwner } from "../queue/lease.ts";
import { toOutcome } from "../run/ask-person.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { findApproval } from "./find-approval.ts";
import { READ_RESULT, createReadResult } from "../tools/read-result.ts";
import { storeLongResult } from "../tools/store-long-result.ts";
import { storeToolFile } from "../tools/store-tool-file.ts";
import { ownTools } from "../tools/tool-registry.ts";
import { ToolRejection } from "../tools/tool-rejection.ts";
import { errorResult } from "../run/tool-result.ts";
import type { ToolResult } from "../run/tool-result.ts";

/** A tool call of the model, with the approval and the answers that it has so far. */
export interface ToolExecution {
  readonly call: ToolCall;
  readonly approval?: "granted";
  readonly answers?: readonly Answer[];
}

/**
 * Checks a call and executes it. Any error that the model can read and correct becomes the result; a call that needs an
 * approval returns the request for it.
 */
export async function executeTool(
  engine: EngineServices,
  run: Run,
  { call, approval, answers = [] }: ToolExecution,
): Promise<ToolResult | OpenQuestion> {
  const given = run.tools.find(({ name }) => name === call.name);
  const offered = given === undefined ? await ownTools(engine, run) : [];
  const reader = call.name === READ_RESULT ? createReadResult(engine, run) : undefined;
  const tool = given ?? offered.find(({ name }) => name === call.name) ?? reader;
  if (tool === undefined) {
    const names = [...run.tools, ...offered].map((known) => known.name);
    return errorResult(`There is no tool "${call.name}". Available: ${names.join(", ") || "none"}.`);
  }
  const checked = await checkArguments(tool, call.arguments);
  if ("problem" in checked) return errorResult(checked.problem);
  if (approval === undefined) {
    const asked = await findApproval(engine, run, { call, tool, isGiven: given !== undefined });
    if (asked !== undefined) return asked;
  }
  // A tool of a team's mode begins in order, without waiting, and asks within its own steps.
  const execution = { call, tool, isGiven: given !== undefined, input: checked.input, answers };
  if (given !== undefined) return runTool(engine, run, execution);
  return callAfterCheck(
    () => ensureOwner(engine, run.key),
    () => runTool(engine, run, execution),
  );
}

/** A tool call that may be executed: its tool, checked input and, after an approval, the answers given so far. */
interface CheckedCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** Whether it is a tool of a team's mode: it has its own limits, and its errors end the run. */
  readonly isGiven: boolean;
  readonly input: unknown;
  readonly answers: readonly Answer[];
}

/** Parses a call's arguments by its tool's schema; `problem` says to the model what is wrong with them. */
async function checkArguments(
  { input, passesArguments }: Tool,
  text: string,
): Promise<{ readonly input: unknown } | { readonly problem: string }> {
  const json = text === "" ? "{}" : text;
  const parsed = parseJson(json);
  if (parsed === undefined) return { problem: "The arguments are not valid JSON." };
  const checked = await input.safeParseAsync(parsed.value, { error: plainMessage });
  if (checked.success) return { input: passesArguments === true ? parseExactly(json) : checked.data };
  const issues = issuesOf(checked.error).map(({ path, message }) =>
    describeIssue({ path: path || "the value", message }),
  );
  return { problem: `The arguments do not fit the tool's schema. ${issues.join("; ")}` };
}

/** Executes a tool within its time limit; an error that the model can correct becomes the result. */
async function runTool(engine: EngineServices, run: Run, checked: CheckedCall): Promise<ToolResult | OpenQuestion> {
  const { call, tool, isGiven, input, answers } = checked;
  // A tool of a team's mode has its own limits: a delegation is the complete work of another agent.
  const timeoutMs = isGiven ? Infinity : (tool.timeoutMs ?? engine.limits.toolTimeoutMs);
  const limit = startTimeLimit(timeoutMs, run.signal);
  try {
    const output = await tool.execute(input, toolContext(engine, run, checked, limit.signal));
    const outcome = asFinal(tool, toOutcome(call, output, answers.length));
    if (isGiven || "question" in outcome || outcome.isFinal) return outcome;
    return await storeLongResult(engine, run, { call, result: outcome });
  } catch (error) {
    run.signal.throwIfAborted();
    if (isGiven && !(error instanceof ToolRejection)) throw error;
    if (limit.isOver()) return errorResult(`The tool took longer than ${timeoutMs / 1000} s.`);
    return errorResult(error instanceof Error ? error.message : String(error));
  } finally {
    limit.clear();
  }
}

function toolContext(
  engine: EngineServices,
  run: Run,
  { call, tool, answers }: CheckedCall,
  signal: AbortSignal,
): ToolContext {
  const { workspaceId, agent, conversation, attempt, trace } = run.job;
  const { subjectId } = run.key;
  const idempotencyKey = idempotencyKeyOf(run, call);
  const stepKey = [run.turnKey, `tool:${call.id}`].filter((part) => part !== undefined).join("/");
  let files = 0;
  return {
    workspaceId,
    subjectId,
    callId: call.id,
    idempotencyKey,
    delegationMetadata: delegationMetadata(conversation),
    traceparent: traceparentOf(trace, { logId: subjectId, attempt }, stepKey),
    storeFile: (file) => storeToolFile(engine, run, { name: `${idempotencyKey}:file:${(files += 1)}`, file }),
    fetch: engine.fetch,
    fetchAnywhere: engine.fetchAnywhere,
    settings: engine.toolSettings[tool.name] ?? {},
    signal,
    progress: (delta) =>
      run.emit({ type: "CUSTOM", name: "TOOL_CALL_PROGRESS", value: { toolCallId: call.id, delta } }),
    answers,
    approver: () =>
      readApprover(engine.db, {
        runId: subjectId,
        attempt,
        prefix: run.turnKey === undefined ? "" : `${run.turnKey}/`,
        callId: call.id,
      }),
    searchKnowledge: (question, limit) =>
      searchKnowledge(engine, serviceIn(workspaceId), {
        question,
        payer: billingTargetOf(run, `tool:${call.id}`),
        knowledgeBaseIds: agent.knowledge_base_ids ?? [],
        tags: [],
        limit,
        signal,
      }),
  };
}

function asFinal({ endsWork }: Tool, outcome: ToolResult | OpenQuestion): ToolResult | OpenQuestion {
  if (endsWork === undefined || !("output" in outcome) || outcome.isError) return outcome;
  return { ...outcome, isFinal: true };
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
