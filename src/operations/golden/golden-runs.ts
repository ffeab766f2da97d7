import { requireRole } from "#domain/access/role.ts";
import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import { MAX_GOLDEN_RUNS } from "#domain/golden/golden-case.ts";
import type { GoldenRunCreate } from "#domain/golden/golden-run.ts";
import type { AgentPatch } from "#domain/agents/agent.ts";
import { lockAgent, requireReviewed } from "#db/queries/agents/agents.ts";
import type { NewFile } from "#db/queries/files/files.ts";
import * as rows from "#db/queries/golden/golden-runs.ts";
import type { TriedCase } from "#db/queries/golden/golden-runs.ts";
import { beginLog } from "#db/queries/streams/log-heads.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { resolveChanges } from "../agents/agents.ts";
import type { CheckedAgent } from "../agents/check-agent.ts";
import { copyInputs, insertCopies } from "../files/copy-files.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import type { Workspace } from "../workspace.ts";
import { candidateOf } from "./candidate.ts";

const found = orNotFound("Golden run");

/** A golden run whose candidate is known, and whose files are copied. */
export interface PreparedGoldenRun {
  readonly agentId: string;
  readonly candidate: CheckedAgent<AgentPatch>;
  readonly cases: readonly (TriedCase & { readonly copies: readonly NewFile[] })[];
}

/**
 * Prepares a golden run outside of transactions.
 * @throws AppError `not_found` for the agent or the version; `conflict` for an agent without cases, a version that
 * cannot be used, and a case whose files are gone.
 */
export async function prepareGoldenRun(
  workspace: Workspace,
  agentId: string,
  asked: GoldenRunCreate,
): Promise<PreparedGoldenRun> {
  const cases = await rows.readTried(workspace, agentId);
  if (cases === undefined) throw notFound("Agent");
  if (cases.length === 0) throw new AppError("conflict", "This agent has no golden cases: keep a run as golden first.");
  const candidate = await candidateOf(workspace, agentId, asked);
  const prepared: (TriedCase & { readonly copies: readonly NewFile[] })[] = [];
  for (const one of cases) prepared.push({ ...one, copies: await copiesFor(workspace, one) });
  return { agentId, candidate, cases: prepared };
}

async function copiesFor(workspace: Workspace, { name, runId, files }: TriedCase): Promise<readonly NewFile[]> {
  if (files === 0) return [];
  const copies = await copyInputs(workspace, runId);
  if (copies.length === files) return copies;
  throw new AppError("conflict", `The files of the golden case "${name}" were deleted with its run; delete the case.`);
}

/**
 * Starts a golden run: a task for each case, with the candidate's fields and the lowest priority. Its tools answer from
 * the record of the case, so nothing outside is called and nobody is asked.
 * @throws AppError as a change of the agent with the candidate's fields; `conflict` for an agent that waits for its review.
 */
export async function startGoldenRun(
  workspace: Workspace,
  { agentId, candidate, cases }: PreparedGoldenRun,
): Promise<JsonText> {
  const id = newId();
  const createdBy = workspace.who.userId;
  return workspace.change(async (tx) => {
    const current = await lockAgent(tx, agentId);
    if (current === undefined) throw notFound("Agent");
    await requireReviewed(tx, agentId);
    const { changes } = await resolveChanges(tx, workspace, { current, patch: candidate });
    await rows.insertGoldenRun(tx, { id, agentId, changes, createdBy });
    await rows.trimGoldenRuns(tx, agentId, MAX_GOLDEN_RUNS);
    const tasks = cases.map(({ id: caseId, copies }) => {
      const runId = newId();
      return { caseId, runId, copies, trace: tx.trace(runId) };
    });
    const created = await rows.insertGoldenTasks(tx, { id, tasks, createdBy });
    const started = tasks.filter(({ runId }) => created.has(runId));
    await allSettledOrThrow(
      started.flatMap(({ runId, copies }) => [
        beginLog(tx, runId),
        insertCopies(tx, copies, { taskId: runId }),
        tx.enqueue("task", runId),
      ]),
    );
    return found(await rows.readGolden(tx, id));
  });
}

/** Lists an agent's golden runs, newest first. @throws AppError `not_found`. */
export async function listGoldenRuns(workspace: Workspace, agentId: string): Promise<JsonText> {
  return orNotFound("Agent")(await rows.listGolden(workspace, agentId));
}

/** Reads a golden run with the result of each case. @throws AppError `not_found`. */
export async function getGoldenRun(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await rows.readGolden(workspace, id));
}

/** Cancels the tasks of a golden run that have not ended. @throws AppError `not_found`. */
export async function cancelGoldenRun(workspace: Workspace, id: string): Promise<JsonText> {
  requireRole(workspace.who, "member");
  return workspace.change(async (tx) => {
    const open = found(await rows.openTasks(tx, id));
    const logs = await allSettledOrThrow(open.map((runId) => cancelRun(tx, runId)));
    tx.publish(...open, ...logs.flat());
    return found(await rows.readGolden(tx, id));
  });
}
