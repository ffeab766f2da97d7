import type { GivenPart } from "#domain/teams/run-fork.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const OUTPUTS = statement({
  name: "read-step-outputs",
  narrows: ["step"],
  text: `
    select m.step_idx as step, coalesce(a.name, 'Deleted agent') as name, m.content as text
    from team_messages m left join agents a on a.id = m.sender_agent_id
    where m.run_id = $1 and m.attempt = $2 and m.step_idx < $3 and m.key like 'step:%:handoff:%'
    order by m.step_idx, length(m.key), m.key`,
});

/** The steps of a run's attempt before a given one. */
export interface StepsBefore {
  readonly id: string;
  readonly attempt: number;
  readonly before: number;
}

/** The messages of a step. */
export type OutputPart = GivenPart & { readonly step: number };

/** Reads the outputs of a pipeline's steps before a given one, in order; deleted agents get a placeholder name. */
export function readOutputs(tx: Transaction, { id, attempt, before }: StepsBefore): Promise<OutputPart[]> {
  return tx.query<Pick<OutputPart, "step" | "name" | "text">>(OUTPUTS, [id, attempt, before]);
}

const CONTRIBUTIONS = statement({
  name: "read-contributions",
  narrows: ["step"],
  text: `
    select m.step_idx as step, m.content as text, m.sender_agent_id as agent_id, m.tokens_used,
      case when m.metadata->>'by' = 'person' then '' else coalesce(a.name, 'Deleted agent') end as name,
      m.key like 'moderate:%' as moderates
    from team_messages m left join agents a on a.id = m.sender_agent_id
    where m.run_id = $1 and m.attempt = $2 and m.step_idx < $3 and m.message_type = 'discussion'
    order by m.step_idx, moderates desc`,
});

/** Reads a discussion before a given turn, in order; in each turn the facilitator first. */
export function readContributions(tx: Transaction, { id, attempt, before }: StepsBefore): Promise<OutputPart[]> {
  return tx.query<OutputPart>(CONTRIBUTIONS, [id, attempt, before]);
}

const STEPS_WITH_MESSAGES = statement({
  name: "count-steps-with-messages",
  text: `
    select count(distinct m.step_idx)::integer as count from team_messages m
    where m.run_id = $1 and m.attempt = $2 and m.step_idx < $3 and m.key like $4`,
});
/** The beginning of the messages that every step writes, even a skipped one. */
const STEP_KEYS = { pipeline: "step:%", collaboration: "turn:%" } as const;

/** The number of pipeline steps, or discussion turns, before a given one that have messages. */
export async function countReported(
  tx: Transaction,
  { id, attempt, before }: StepsBefore,
  mode: keyof typeof STEP_KEYS,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(STEPS_WITH_MESSAGES, [id, attempt, before, STEP_KEYS[mode]]);
  return row?.count ?? 0;
}

const WORKERS = statement({
  name: "read-workers-of-run",
  text: `
    select distinct m.receiver_agent_id as id from team_messages m
    where m.run_id = $1 and m.attempt = $2 and m.step_idx < $3 and m.message_type = 'delegation'`,
});

/** Reads the agents that a brain delegated to before an iteration; null for a deleted agent. */
export async function readWorkers(tx: Transaction, { id, attempt, before }: StepsBefore): Promise<(string | null)[]> {
  const rows = await tx.query<{ id: string | null }>(WORKERS, [id, attempt, before]);
  return rows.map((row) => row.id);
}

const COPY_MESSAGES = statement({
  name: "copy-messages-to-fork",
  text: `
    insert into team_messages (id, workspace_id, run_id, attempt, key, sender_agent_id, receiver_agent_id,
      message_type, content, metadata, step_idx, tokens_used, created_at)
    select gen_random_uuid(), r.workspace_id, r.id, r.attempt, m.key, m.sender_agent_id, m.receiver_agent_id,
      m.message_type, m.content, m.metadata, m.step_idx, m.tokens_used, m.created_at
    from runs r join team_messages m
      on m.run_id = $2 and m.attempt = $3 and m.step_idx < (r.fork->>'from_step')::integer and m.key <> 'result'
    where r.id = $1`,
});

/** Copies the messages of reused steps from the attempt that wrote them; does nothing for other runs. */
export async function copyMessages(
  tx: Transaction,
  forkId: string,
  from: { readonly id: string; readonly attempt: number },
): Promise<void> {
  await tx.query(COPY_MESSAGES, [forkId, from.id, from.attempt]);
}
