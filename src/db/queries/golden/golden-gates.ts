import type { GoldenRequired } from "#domain/golden/golden-run.ts";
import type { Queries, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const READ = statement({
  name: "read-golden-gate",
  text: `
    select g.required, (select count(*)::integer from golden_cases c where c.agent_id = a.id) as cases,
      golden_gate_fault(a) as fault
    from agents a left join golden_gates g on g.agent_id = a.id where a.id = $1`,
});

/** An agent's gate. */
export interface GateRow {
  /** `all`, a number or `none`; null when it was never set. */
  readonly required: string | null;
  /** The number of the agent's cases. */
  readonly cases: number;
  /** Why the agent as it is does not meet it; null if it does. */
  readonly fault: string | null;
}

/** Reads an agent's gate; undefined when the workspace has no such agent. */
export async function readGate(db: Queries, agentId: string): Promise<GateRow | undefined> {
  const [row] = await db.query<GateRow>(READ, [agentId]);
  return row;
}

const SET = statement({
  name: "set-golden-gate",
  text: `
    insert into golden_gates (agent_id, workspace_id, required) select id, workspace_id, $2 from agents where id = $1
    on conflict (agent_id) do update set required = excluded.required, updated_at = clock_timestamp()`,
});

/** Sets what a change of the agent must pass. */
export async function writeGate(tx: Transaction, agentId: string, required: GoldenRequired): Promise<void> {
  await tx.query(SET, [agentId, String(required)]);
}

const OVERRIDE = statement({
  name: "override-golden-gate",
  text: `select set_config('muster.golden_override', $1, true) as reason`,
});

/** Lets this transaction change an agent that does not meet its gate; the audit log records the reason. */
export async function overrideGate(tx: Transaction, reason: string): Promise<void> {
  await tx.query(OVERRIDE, [reason]);
}
