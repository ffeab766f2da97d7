import { agentPatch } from "#domain/agents/agent.ts";
import type { AgentPatch } from "#domain/agents/agent.ts";
import { AppError, notFound } from "#domain/errors.ts";
import type { GoldenRunCreate } from "#domain/golden/golden-run.ts";
import { issuesOf } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { readRestorable } from "#db/queries/agents/agent-versions.ts";
import { checkAgent } from "../agents/check-agent.ts";
import type { CheckedAgent } from "../agents/check-agent.ts";
import type { Workspace } from "../workspace.ts";

/**
 * The candidate as changes of the agent: those that a stored version needs, then another model, then given ones.
 * @throws AppError `not_found` for the version; `conflict` when its fields are no longer valid
 */
export async function candidateOf(
  workspace: Workspace,
  agentId: string,
  { version, model, changes }: GoldenRunCreate,
): Promise<CheckedAgent<AgentPatch>> {
  const stored = version === undefined ? {} : await fieldsOf(workspace, { id: agentId, version });
  // The provider follows from the model, unless it is given as well.
  const { provider: _, ...others } = stored;
  const base = model === undefined && changes?.model === undefined ? stored : others;
  return checkAgent(workspace, { ...base, ...(model !== undefined && { model }), ...changes });
}

async function fieldsOf(
  workspace: Workspace,
  ref: { readonly id: string; readonly version: number },
): Promise<AgentPatch> {
  const fields = await readRestorable(workspace, ref);
  if (fields === undefined) throw notFound("Version");
  const patch = agentPatch.safeParse(fields, { error: plainMessage });
  if (patch.success) return patch.data;
  throw new AppError("conflict", `Version ${ref.version} does not satisfy today's rules and cannot be used.`, {
    details: issuesOf(patch.error),
  });
}
