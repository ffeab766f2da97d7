import { agentPatch } from "#domain/agents/agent.ts";
import type { AgentPatch } from "#domain/agents/agent.ts";
import { AppError, notFound } from "#domain/errors.ts";
import type { GoldenRunCreate } from "#domain/golden/golden-run.ts";
import { invalid, issuesOf } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { readRestorable } from "#db/queries/agents/agent-versions.ts";
import { readCandidate } from "#db/queries/golden/golden-runs.ts";
import { checkAgent } from "../agents/check-agent.ts";
import type { CheckedAgent } from "../agents/check-agent.ts";
import type { Workspace } from "../workspace.ts";

/**
 * The candidate as changes of the agent: those that a stored version or what a golden run has tried needs, then another
 * model, then given ones.
 * @throws AppError `not_found` for the version or the golden run, `bad_request` for both; `conflict` when its fields are
 * no longer valid
 */
export async function candidateOf(
  workspace: Workspace,
  agentId: string,
  { version, golden_run_id: goldenRunId, model, changes }: GoldenRunCreate,
): Promise<CheckedAgent<AgentPatch>> {
  if (version !== undefined && goldenRunId !== undefined) throw invalid("body", [BOTH]);
  const stored =
    goldenRunId !== undefined
      ? await triedIn(workspace, agentId, goldenRunId)
      : version === undefined
        ? {}
        : await fieldsOf(workspace, { id: agentId, version });
  // The provider follows from the model, unless it is given as well.
  const { provider: _, ...others } = stored;
  const base = model === undefined && changes?.model === undefined ? stored : others;
  return checkAgent(workspace, { ...base, ...(model !== undefined && { model }), ...changes });
}

const BOTH = { path: "golden_run_id", message: "names a candidate, and so does version: give one of them" };

async function triedIn(workspace: Workspace, agentId: string, id: string): Promise<AgentPatch> {
  const fields = await readCandidate(workspace, { id, agentId });
  if (fields === undefined) throw notFound("Golden run");
  return patchIn(fields, "What this golden run has tried");
}

async function fieldsOf(
  workspace: Workspace,
  ref: { readonly id: string; readonly version: number },
): Promise<AgentPatch> {
  const fields = await readRestorable(workspace, ref);
  if (fields === undefined) throw notFound("Version");
  return patchIn(fields, `Version ${ref.version}`);
}

function patchIn(fields: unknown, subject: string): AgentPatch {
  const patch = agentPatch.safeParse(fields, { error: plainMessage });
  if (patch.success) return patch.data;
  throw new AppError("conflict", `${subject} does not satisfy today's rules and cannot be used.`, {
    details: issuesOf(patch.error),
  });
}
