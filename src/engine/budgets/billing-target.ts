import type { BillingTarget } from "#domain/models/billing-target.ts";
import type { Run } from "../run/run-context.ts";

/** Bills embeddings to an agent's run. @param step names the call in the run or turn */
export function billingTargetOf({ job, key, turnKey, chargedTo }: Run, step: string): BillingTarget {
  const { id: agent_id, version: agent_version = null } = job.agent;
  return {
    workspaceId: job.workspaceId,
    runId: key.subjectId,
    attempt: key.attempt,
    step: `${turnKey ?? ""}/${step}`,
    chargedTo: { ...chargedTo, agent_id, agent_version, turn: turnKey ?? null },
  };
}
