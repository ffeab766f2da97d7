import { AppError, notFound } from "#domain/errors.ts";
import { MAX_CASES } from "#domain/golden/golden-case.ts";
import type { GoldenSet, KeptSet } from "#domain/golden/golden-case.ts";
import { agentsAmong } from "#db/queries/agents/agents.ts";
import { findRuns } from "#db/queries/runs/list-runs.ts";
import { assertSchemas, keepOne } from "./golden-cases.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Keeps all runs of an agent that match a filter, oldest first; those that cannot be kept are skipped, with the reason.
 * @throws AppError `not_found`; `bad_request` for checks that cannot be made; `conflict` when there are too many.
 */
export async function keepGoldenSet(
  workspace: Workspace,
  { agentId, filter, checks }: GoldenSet & { readonly agentId: string },
): Promise<KeptSet> {
  await assertSchemas(workspace, checks);
  return workspace.transaction(async (tx) => {
    if (!(await agentsAmong(tx, [agentId])).has(agentId)) throw notFound("Agent");
    const selection = { filter: { ...filter, agent_id: [agentId] } };
    const found = await findRuns(tx, workspace.who, selection, MAX_CASES + 1);
    if (found.length > MAX_CASES) {
      throw new AppError(
        "conflict",
        `More than ${MAX_CASES} runs match, more than the cases of an agent: narrow the filter.`,
      );
    }
    const kept: string[] = [];
    const skipped: { run_id: string; message: string }[] = [];
    for (const { id } of found) {
      try {
        kept.push(await keepOne(tx, workspace, { runId: id, ...(checks && { checks }) }));
      } catch (error) {
        // Nothing was written of it, so the transaction goes on.
        if (!(error instanceof AppError) || error.code !== "conflict") throw error;
        skipped.push({ run_id: id, message: error.message });
      }
    }
    return { kept, skipped };
  });
}
