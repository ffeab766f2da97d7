import { isDeepStrictEqual } from "node:util";
import { AppError } from "#domain/errors.ts";
import { MAX_CASE_BYTES } from "#domain/golden/golden-case.ts";
import type { DescribedCase, GoldenSet } from "#domain/golden/golden-set.ts";
import { readGate, writeGate } from "#db/queries/golden/golden-gates.ts";
import * as rows from "#db/queries/golden/golden-cases.ts";
import type { SetCase } from "#db/queries/golden/golden-cases.ts";
import type { Transaction } from "#db/database.ts";
import { newId } from "#lib/ids.ts";
import type { Workspace } from "../workspace.ts";
import { requireJudges } from "./golden-cases.ts";
import { setGate } from "./golden-gate.ts";

/** What of a case its run has recorded, and nobody changes. */
const RECORDED = ["title", "description", "conversation", "client_tools", "tools", "result"] as const;

/**
 * Makes the cases of an agent without files those of a set, and sets its gate. A case that has recorded the same stays
 * the same case, with another name, expectation or checks if need be.
 * @throws AppError `not_found`; `bad_request` for a judge who is no agent; `conflict` for a gate with too few cases
 */
export async function replaceGoldenSet(workspace: Workspace, set: GoldenSet): Promise<void> {
  await workspace.transaction(async (tx) => {
    await rows.lockGoldenSet(tx, set.agent_id);
    const left = await rows.readSetCases(tx, workspace.who.workspaceId, set.agent_id);
    const added: DescribedCase[] = [];
    for (const wanted of set.cases) {
      const at = placeOf(left, wanted);
      const [known] = at === -1 ? [] : left.splice(at, 1);
      if (known === undefined) added.push(wanted);
      else if (!isDeepStrictEqual(known.golden, wanted)) await rows.updateCase(tx, known.id, wanted);
    }
    for (const { id } of left) await rows.deleteCase(tx, id);
    for (const wanted of added) await insertCase(tx, workspace, { agentId: set.agent_id, wanted });
    await requireJudges(
      tx,
      set.cases.flatMap(({ checks }) => checks),
    );
    const gate = await readGate(tx, set.agent_id);
    if (String(set.required) !== (gate?.required ?? "none"))
      await setGate(workspace, { agentId: set.agent_id, required: set.required });
  });
}

/** Deletes the cases of an agent that files describe, and its gate. */
export async function clearGoldenSet(workspace: Workspace, agentId: string): Promise<void> {
  await workspace.transaction((tx) => writeGate(tx, agentId, "none"));
  await replaceGoldenSet(workspace, { agent_id: agentId, required: "none", cases: [] });
}

/** The place of the case that is a wanted one: as it is, or at least as it was recorded. */
function placeOf(cases: readonly SetCase[], wanted: DescribedCase): number {
  const same = cases.findIndex(({ golden }) => isDeepStrictEqual(golden, wanted));
  if (same !== -1) return same;
  return cases.findIndex(({ golden }) => RECORDED.every((field) => isDeepStrictEqual(golden[field], wanted[field])));
}

async function insertCase(
  tx: Transaction,
  { who }: Workspace,
  { agentId, wanted }: { readonly agentId: string; readonly wanted: DescribedCase },
): Promise<void> {
  const { title, description, conversation, client_tools: clientTools, tools, result } = wanted;
  if (
    Buffer.byteLength(JSON.stringify([title, description, conversation, clientTools, tools, result])) > MAX_CASE_BYTES
  ) {
    throw new AppError(
      "conflict",
      `A golden case holds at most ${MAX_CASE_BYTES / 1_000_000} MB; "${wanted.name}" has more.`,
    );
  }
  await rows.insertGoldenCase(tx, {
    id: newId(),
    workspaceId: who.workspaceId,
    agentId,
    name: wanted.name,
    // The run that was kept is not here.
    runId: newId(),
    attempt: 1,
    input: { title, description, conversation, clientTools, files: 0 },
    tools,
    result,
    expected: wanted.expected,
    feedback: [],
    checks: wanted.checks,
    agentVersion: null,
    cost: wanted.cost_usd,
    tokens: wanted.tokens,
    durationMs: wanted.duration_ms,
    createdBy: who.userId,
  });
}
