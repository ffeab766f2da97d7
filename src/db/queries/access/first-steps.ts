import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const READ = statement({
  name: "read-first-steps",
  text: `
    select
      exists (select from agents where workspace_id = current_workspace_id()) as agent,
      exists (
        select from runs
        where workspace_id = current_workspace_id() and kind in ('task', 'team_run') and parent_id is null
      ) as run,
      exists (select from output_routes where workspace_id = current_workspace_id()) as destination,
      exists (
        select from members m
        where workspace_id = current_workspace_id() and not exists (select from service_accounts s where s.id = m.user_id)
        offset 1
      )
        or exists (select from invitations where workspace_id = current_workspace_id()) as person`,
});

/** What a workspace has of what a newcomer makes first. */
export interface MadeFirst {
  readonly agent: boolean;
  readonly run: boolean;
  readonly destination: boolean;
  /** There is a second member, or an invitation. */
  readonly person: boolean;
}

/** Reads what the workspace has of what a newcomer makes first. */
export async function readMadeFirst(tx: Transaction): Promise<MadeFirst> {
  const [row] = await tx.query<MadeFirst>(READ, []);
  if (row === undefined) throw new Error("A query without a condition gives one row.");
  return row;
}
