import { newId } from "#lib/ids.ts";

/** What is in a usage record of who used something; null: nobody in particular. */
export interface ChargedTo {
  readonly task_id: string | null;
  readonly team_run_id: string | null;
  readonly team_id: string | null;
  readonly agent_id: string | null;
  readonly agent_version: number | null;
  /** The turn in a team's run. */
  readonly turn: string | null;
}

/** Who pays for the embedding of texts. */
export interface BillingTarget {
  readonly workspaceId: string;
  /**
   * What the texts are embedded in: a task or a team's run, the reading of a document, or a question of a person,
   * which is a run of its own. Budgets of the period `run` count it by this id and attempt.
   */
  readonly runId: string;
  readonly attempt: number;
  /** Names the call in there; the same when it is made again. */
  readonly step: string;
  readonly chargedTo: ChargedTo;
}

/** Only the workspace. */
export const NOBODY: ChargedTo = {
  task_id: null,
  team_run_id: null,
  team_id: null,
  agent_id: null,
  agent_version: null,
  turn: null,
};

/** A person who asks something in a workspace. */
export function askingPerson(workspaceId: string): BillingTarget {
  return { workspaceId, runId: newId(), attempt: 1, step: "question", chargedTo: NOBODY };
}
