import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const WAITING = statement({
  name: "read-waiting-agents",
  text: `
    select a.id from unnest($1::uuid[]) a (id)
    where not exists (select from runs t where t.agent_id = a.id and t.status in ('dispatched', 'running'))
      and not exists (select from team_members m join runs r on r.team_id = m.team_id
        where m.agent_id = a.id and r.status = 'running')
      and (exists (select from runs t where t.agent_id = a.id and t.status = 'waiting_for_input')
        or exists (select from team_members m join runs r on r.team_id = m.team_id
          where m.agent_id = a.id and r.status = 'waiting_for_input'))`,
});

/** Which of these agents have runs in progress, all of which wait for a person. */
export async function readWaitingAgents(tx: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ readonly id: string }>(WAITING, [ids]);
  return new Set(rows.map(({ id }) => id));
}
