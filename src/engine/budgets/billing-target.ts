import type { BillingTarget } from "#domain/models/billing-target.ts";
import type { Run } from "../run/run-context.ts";

/** An agent's run as the payer of what is embedded in it. @param step names the call in the run, or in the turn */
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
