import type { UsagePlace } from "#domain/agents/usage-place.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const READ = statement({
  name: "read-used-by",
  text: `
    with named as (
      select 'team' as kind, t.id, t.name, string_agg(distinct m.role, ', ') as detail, null::boolean as is_active,
        t.created_at
      from team_members m join teams t on t.id = m.team_id
      where m.workspace_id = current_workspace_id() and m.agent_id = $1
      group by t.id
      union all
      select 'schedule', id, name, cron, is_active, created_at from schedules
      where workspace_id = current_workspace_id() and (assigned_agent_id = $1 or assigned_team_id = $1)
      union all
      select 'trigger', id, name, null, is_active, created_at from triggers
      where workspace_id = current_workspace_id() and (assigned_agent_id = $1 or assigned_team_id = $1)
      union all
      select 'trello_channel', id, name, null, is_active, created_at from trello_channels
      where workspace_id = current_workspace_id() and (assigned_agent_id = $1 or assigned_team_id = $1)
      union all
      select 'webhook', id, target_url, event, is_active, created_at from webhook_subscriptions
      where workspace_id = current_workspace_id() and (agent_id = $1 or team_id = $1)
      union all
      select 'budget', id, period, null, null, created_at from budgets
      where workspace_id = current_workspace_id() and target_id = $1
      union all
      select 'alert', id, name, kind, is_enabled, created_at from alerts
      where workspace_id = current_workspace_id() and (agent_id = $1 or team_id = $1)
      union all
      select 'route', o.id, o.name, o.type, o.is_active, o.created_at
      from (
        select output_route_ids as ids, 'task.' as event from agents where id = $1
        union all
        select output_route_ids, 'team_run.' from teams where id = $1
      ) chosen
      join output_routes o on o.workspace_id = current_workspace_id()
        and case when chosen.ids is null then o.is_active else o.id = any(chosen.ids) end
        and exists (select from unnest(o.events) sent where starts_with(sent, chosen.event))
      union all
      select 'route', id, name, type, is_active, created_at from output_routes
      where workspace_id = current_workspace_id() and agent_id = $1
    ),
    ranked as (
      select *, count(*) over of_kind as total, row_number() over (of_kind order by created_at desc, id) as n
      from named window of_kind as (partition by kind)
    )
    select r.kind, r.id, r.name, r.detail, t.mode as team_mode, r.is_active, r.total::integer
    from ranked r left join teams t on t.id = r.id and r.kind = 'team'
    where r.n <= $2 order by r.kind, r.n`,
});

/** A record that names an agent or a team, and the number of such records of its kind. */
export interface UsagePlaceRow extends UsagePlace {
  readonly total: number;
}

/** Reads the records that name an agent or a team: the newest `limit` of each kind. */
export function readUsedBy(tx: Transaction, subjectId: string, limit: number): Promise<UsagePlaceRow[]> {
  return tx.query<UsagePlaceRow>(READ, [subjectId, limit]);
}

const FACTS = statement({
  name: "read-used-by-facts",
  text: `
    select false as is_team, a.is_marketplace, a.install_count, a.is_mcp_published, a.is_a2a_published, (
        select count(*) from runs r
        where r.workspace_id = current_workspace_id() and r.agent_id = a.id
          and r.status in ('pending', 'dispatched', 'running', 'waiting_for_input'))::integer as open_runs
    from agents a where a.id = $1
    union all
    select true, e.is_marketplace, 0, false, false, (
        select count(*) from runs r
        where r.workspace_id = current_workspace_id() and r.parent_id is null and r.team_id = e.id
          and r.status in ('pending', 'dispatched', 'running', 'waiting_for_input'))::integer
    from teams e where e.id = $1`,
});

/** Where an agent or a team is published, and its work that has not ended. */
export interface UsedByFacts {
  readonly is_team: boolean;
  readonly is_marketplace: boolean;
  readonly install_count: number;
  readonly is_mcp_published: boolean;
  readonly is_a2a_published: boolean;
  readonly open_runs: number;
}

/** Reads the facts about an agent or a team; undefined when the workspace has neither of this id. */
export async function readUsedByFacts(tx: Transaction, subjectId: string): Promise<UsedByFacts | undefined> {
  const [row] = await tx.query<UsedByFacts>(FACTS, [subjectId]);
  return row;
}
