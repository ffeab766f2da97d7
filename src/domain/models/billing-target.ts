import { newId } from "#lib/ids.ts";

/** The subject in a usage record; null: none. */
export interface ChargedTo {
  readonly task_id: string | null;
  readonly team_run_id: string | null;
  readonly team_id: string | null;
  readonly agent_id: string | null;
  readonly agent_version: number | null;
  /** The turn in a team run. */
  readonly turn: string | null;
}

/** The run and step that embedding costs are charged to. */
export interface BillingTarget {
  readonly workspaceId: string;
  /**
   * The run that the texts belong to: a task or a team run, a document's ingest, or a person's query, which is a run of
   * its own. Budgets of the period `run` count it by this id and attempt.
   */
  readonly runId: string;
  readonly attempt: number;
  /** The key of the call in that run; the same when the call is repeated. */
  readonly step: string;
  readonly chargedTo: ChargedTo;
}

/** Charged to the workspace only. */
export const WORKSPACE_ONLY: ChargedTo = {
  task_id: null,
  team_run_id: null,
  team_id: null,
  agent_id: null,
  agent_version: null,
  turn: null,
};

/** Returns the target for a person's query in a workspace. */
export function askingPerson(workspaceId: string): BillingTarget {
  return { workspaceId, runId: newId(), attempt: 1, step: "question", chargedTo: WORKSPACE_ONLY };
}
