import { z } from "zod";
import { requireRole } from "#domain/access/role.ts";
import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import { DEFAULT_CHECKS } from "#domain/golden/golden-check.ts";
import type { GoldenCheck } from "#domain/golden/golden-check.ts";
import { MAX_CASES, MAX_CASE_BYTES } from "#domain/golden/golden-case.ts";
import type { GoldenCasePatch, GoldenKeep } from "#domain/golden/golden-case.ts";
import type { RecordedTool } from "#domain/golden/recorded-tools.ts";
import type { FeedbackRecord } from "#domain/runs/feedback.ts";
import { invalid } from "#domain/invalid.ts";
import { isTerminal } from "#domain/tasks/task-status.ts";
import type { Transaction } from "#db/database.ts";
import { agentsAmong } from "#db/queries/agents/agents.ts";
import { readFeedback } from "#db/queries/runs/feedback.ts";
import * as rows from "#db/queries/golden/golden-cases.ts";
import type { KeepableRun, NewGoldenCase } from "#db/queries/golden/golden-cases.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { isStartStored } from "../runs/attempts.ts";
import { assertUsableSchema } from "../tools/custom-tools/check-schema.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Golden case");

/** A run to keep. */
export interface KeptRun extends GoldenKeep {
  readonly runId: string;
}

/**
 * Keeps the newest attempt of a task as a case of its agent: its input, the results of its tools, its result and what
 * people said of it.
 * @throws AppError `not_found`; `bad_request` for checks that cannot be made; `conflict` for a run that is no ended task
 * of an agent, has neither a result nor a correction, has lost its steps, is kept already, or exceeds the maximum.
 */
export async function keepGolden(workspace: Workspace, kept: KeptRun): Promise<JsonText> {
  await assertSchemas(workspace, kept.checks);
  return workspace.transaction(async (tx) => {
    const id = await keepOne(tx, workspace, kept);
    return found(await rows.readCase(tx, id));
  });
}

/** Keeps a run within an open transaction, whose checks are known to be usable. Returns the id of its case. */
export async function keepOne(tx: Transaction, workspace: Workspace, kept: KeptRun): Promise<string> {
  const { runId, name, expected, checks = DEFAULT_CHECKS } = kept;
  const run = await readKeepable(tx, runId);
  await requireJudges(tx, checks);
  await requireRoom(tx, run.agentId);
  const feedback = (await readFeedback(tx, runId)).filter(({ attempt }) => attempt === run.attempt);
  const should = expected ?? correctionIn(feedback) ?? run.result;
  if (should === null || should === "") throw new AppError("conflict", NO_RESULT);
  const { title, description, conversation, clientTools, files } = run;
  const golden: NewGoldenCase = {
    ...run,
    id: newId(),
    workspaceId: workspace.who.workspaceId,
    createdBy: workspace.who.userId,
    name: name ?? title,
    runId,
    input: { title, description, conversation, clientTools, files },
    tools: toolsIn(await rows.readToolEvents(tx, { runId, attempt: run.attempt })),
    expected: should,
    feedback,
    checks,
  };
  requireSize(golden);
  if (!(await rows.insertGoldenCase(tx, golden))) throw new AppError("conflict", "This run is kept as golden already.");
  return golden.id;
}

const NO_RESULT = "This run has no result and nobody has corrected it: set expected, or correct it first.";

async function readKeepable(tx: Transaction, runId: string): Promise<KeepableRun & { readonly agentId: string }> {
  const run = await rows.readKeepable(tx, runId);
  if (run === undefined) throw notFound("Run");
  const { agentId, status, attempt } = run;
  if (run.kind !== "task")
    throw new AppError("conflict", "Only a task of an agent can be kept as golden, not a team's.");
  if (agentId === null || run.agent === null) {
    throw new AppError("conflict", "This task has no agent any more, so it cannot be kept as golden.");
  }
  if (!isTerminal(status)) {
    throw new AppError("conflict", `Only a task that has ended can be kept as golden; this one is ${status}.`);
  }
  if (!(await isStartStored(tx, { id: runId, kind: "task", attempt }))) {
    throw new AppError("conflict", "The steps of this run are no longer stored, so it cannot be kept as golden.");
  }
  return { ...run, agentId };
}

async function requireRoom(tx: Transaction, agentId: string): Promise<void> {
  const cases = await rows.lockGoldenSet(tx, agentId);
  if (cases === undefined) throw notFound("Agent");
  if (cases < MAX_CASES) return;
  throw new AppError("conflict", `An agent has at most ${MAX_CASES} golden cases; delete one first.`);
}

/** Every judge is an agent of the workspace. @throws AppError `bad_request` */
export async function requireJudges(tx: Transaction, checks: readonly GoldenCheck[]): Promise<void> {
  const named = checks.flatMap((check, place) => (check.type === "judge" ? [{ id: check.agent_id, place }] : []));
  if (named.length === 0) return;
  const known = await agentsAmong(
    tx,
    named.map(({ id }) => id),
  );
  const issues = named
    .filter(({ id }) => !known.has(id))
    .map(({ place }) => ({ path: `checks.${place}.agent_id`, message: "the workspace has no such agent" }));
  if (issues.length > 0) throw invalid("body", issues);
}

/** Checks the JSON Schemas of checks, outside of transactions. @throws AppError `bad_request` for an unusable one. */
export async function assertSchemas(workspace: Workspace, checks: readonly GoldenCheck[] | undefined): Promise<void> {
  for (const [place, check] of (checks ?? []).entries()) {
    if (check.type !== "json_schema") continue;
    const path = `checks.${place}.schema`;
    await assertUsableSchema(workspace, workspace.who.workspaceId, { path, schema: check.schema });
  }
}

function requireSize({ input, tools, result, feedback }: NewGoldenCase): void {
  if (Buffer.byteLength(JSON.stringify([input, tools, result, feedback])) <= MAX_CASE_BYTES) return;
  const message = `A golden case holds at most ${MAX_CASE_BYTES / 1_000_000} MB of input and tool results; this run has more.`;
  throw new AppError("conflict", message);
}

/** The newest correction: of the run as a whole, or of one of its messages. */
function correctionIn(feedback: readonly FeedbackRecord[]): string | undefined {
  return feedback.findLast(({ correction }) => correction !== "")?.correction;
}

const toolEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("TOOL_CALL_START"), toolCallId: z.string(), toolCallName: z.string() }),
  z.looseObject({ type: z.literal("TOOL_CALL_ARGS"), toolCallId: z.string(), delta: z.string() }),
  z.looseObject({
    type: z.literal("TOOL_CALL_END"),
    toolCallId: z.string(),
    result: z.string().optional(),
    isError: z.boolean().optional(),
  }),
]);

/** The calls that came to a result, in the order in which they started. */
function toolsIn(events: readonly unknown[]): RecordedTool[] {
  const calls = new Map<
    string,
    { name: string; arguments: string; result?: Pick<RecordedTool, "output" | "isError"> }
  >();
  for (const text of events) {
    const event = toolEvent.parse(text);
    const call = calls.get(event.toolCallId);
    if (event.type === "TOOL_CALL_START") calls.set(event.toolCallId, { name: event.toolCallName, arguments: "" });
    else if (call === undefined) continue;
    else if (event.type === "TOOL_CALL_ARGS") call.arguments += event.delta;
    else if (event.result !== undefined) call.result = { output: event.result, isError: event.isError === true };
  }
  return [...calls.values()].flatMap(({ result, ...call }) => (result === undefined ? [] : [{ ...call, ...result }]));
}

/** Lists an agent's cases, newest first. @throws AppError `not_found`. */
export async function listGoldenCases(workspace: Workspace, agentId: string): Promise<JsonText> {
  return orNotFound("Agent")(await rows.listCases(workspace, agentId));
}

/** Reads a case with its input and recorded tools. @throws AppError `not_found`. */
export async function getGoldenCase(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await rows.readCase(workspace, id));
}

/**
 * Changes what a case expects, or how it is checked. Golden runs before do not count for the gate any more.
 * @throws AppError `not_found`; `bad_request` for checks that cannot be made.
 */
export async function updateGoldenCase(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: GoldenCasePatch },
): Promise<JsonText> {
  await assertSchemas(workspace, patch.checks);
  return workspace.transaction(async (tx) => {
    await requireJudges(tx, patch.checks ?? []);
    found(await rows.updateCase(tx, id, patch));
    return found(await rows.readCase(tx, id));
  });
}

/** Deletes a case; the results of golden runs stay. @throws AppError `not_found`. */
export async function deleteGoldenCase(workspace: Workspace, id: string): Promise<void> {
  requireRole(workspace.who, "member");
  await workspace.transaction(async (tx) => {
    if (!(await rows.deleteCase(tx, id))) throw notFound("Golden case");
  });
}
