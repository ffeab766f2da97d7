import type { BillingModel } from "#domain/models/model-call.ts";
import type { ChargedTo } from "#domain/models/billing-target.ts";
import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

// Embedding calls are not counted as model calls, so they have no step.
const RECORD = statement({
  name: "record-embedding-usage",
  text: `
    with used as (
      insert into usage_records (id, workspace_id, task_id, team_run_id, team_id, agent_id, agent_version, attempt,
        turn, provider, model, prompt_tokens, completion_tokens, estimated_cost_usd, billing_model)
      select u.id, w.id, u.task_id, u.team_run_id, u.team_id, u.agent_id, u.agent_version, u.attempt,
        u.turn, u.provider, u.model, u.prompt_tokens, 0, u.estimated_cost_usd, u.billing_model
      from json_populate_record(null::usage_records, $1) u join workspaces w on w.id = u.workspace_id
      on conflict (id) do nothing
      returning id, prompt_tokens, estimated_cost_usd
    )
    select charge_reservations(coalesce(json_agg(
      json_build_object('id', id, 'usd', estimated_cost_usd, 'tokens', prompt_tokens)), '[]')) from used`,
});

/** The usage of one embedding call; the cost is in US dollars. */
export interface EmbeddingUsage extends ChargedTo {
  /** Also the id of the budget reservation that it charges, if any. */
  readonly id: string;
  readonly workspace_id: string;
  readonly attempt: number;
  readonly provider: string;
  readonly model: string;
  readonly prompt_tokens: number;
  readonly estimated_cost_usd: number;
  readonly billing_model: BillingModel;
}

/** Records a call's usage and charges its reservation in one statement; safe to repeat. */
export async function recordEmbeddingUsage(db: Database, usage: EmbeddingUsage): Promise<void> {
  await db.query(RECORD, [JSON.stringify(usage)]);
}
