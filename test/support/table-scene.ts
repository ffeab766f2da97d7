import { newId } from "#lib/ids.ts";
import { useSharedService } from "./shared-service.ts";
import type { SharedService } from "./shared-service.ts";
import { rawTable, tableClient, tableRefusal } from "./table-api.ts";
import type { TableClient } from "./table-api.ts";
import { addWorkspace, sql } from "./workspace.ts";

/** The name of the second agent, which must be quoted in a list. */
export const BETA = 'Beta, the "second"';

type Row = Readonly<Record<string, unknown>>;
type Refusal = ReturnType<typeof tableRefusal>;

/** A workspace with a few rows in every table, beside another one with the same agents and tasks. */
export interface TableScene {
  readonly service: SharedService;
  readonly db: TableClient;
  readonly raw: ReturnType<typeof rawTable>;
  /** The agents Alpha, {@link BETA} and gamma, of which the first two have a task and its usage. */
  readonly alphaId: string;
  readonly betaId: string;
  readonly gammaId: string;
  readonly teamId: string;
  readonly runId: string;
  /** Reads rows, or the rejection. */
  rows(path: string): Promise<{ readonly data?: readonly Row[]; readonly error?: Refusal }>;
  /** The names of the agents that a query gives, in its order, or the rejection. */
  names(query: string): Promise<unknown>;
}

/** Opens the scene in the shared service. */
export async function openTableScene(): Promise<TableScene> {
  const service = await useSharedService();
  const { databaseUrl, workspaceId } = service;
  const [alphaId, betaId, gammaId, teamId, runId] = [newId(), newId(), newId(), newId(), newId()];
  await addAgents(databaseUrl, workspaceId, [alphaId, betaId, gammaId]);
  const other = await addWorkspace(databaseUrl);
  await addAgents(databaseUrl, other.workspaceId, [newId(), newId(), newId()]);
  await addRun(databaseUrl, { workspaceId, agentId: alphaId, teamId, runId });

  const raw = rawTable(service);
  const rows: TableScene["rows"] = async (path) => {
    const answer = await raw("GET", path);
    if (answer.status >= 300) return { error: tableRefusal(answer) };
    const data: Row[] = JSON.parse(answer.text);
    return { data };
  };
  const names: TableScene["names"] = async (query) => {
    const { data, error } = await rows(`/agents?select=name&${query}`);
    return error ?? data?.map(({ name }) => name);
  };
  return { service, db: tableClient(service), raw, alphaId, betaId, gammaId, teamId, runId, rows, names };
}

/** Three agents, of which the first two have tasks and usage. */
async function addAgents(
  databaseUrl: string,
  workspaceId: string,
  [alpha, beta, gamma]: readonly [string, string, string],
): Promise<void> {
  await sql(
    databaseUrl,
    `insert into agents (id, workspace_id, name, description, model, provider, tags, max_tokens, is_marketplace, config, created_at)
     values ($1, $4, 'Alpha', 'writes the news', 'demo', 'demo', '{news,daily}', 100, true,
             '{"tier":"gold","limits":{"runs":[3,5]}}', '2026-01-01T10:00:00Z'),
            ($2, $4, 'Beta, the "second"', '', 'demo', 'demo', '{daily}', null, false, '{"tier":"tin"}', '2026-01-02T10:00:00Z'),
            ($3, $4, 'gamma', 'rests', 'demo', 'demo', '{}', 200, false, '{}', '2026-01-03T10:00:00Z')`,
    [alpha, beta, gamma, workspaceId],
  );
  await sql(
    databaseUrl,
    `with made as (
       insert into tasks (id, workspace_id, title, priority, status, assigned_agent_id, completed_at, created_at)
       select gen_random_uuid(), $3, t.title, t.priority, t.status, t.agent, t.done, t.made
       from (values
         ('one', 'high', 'completed', $1::uuid, timestamptz '2026-02-01T10:00:00Z', timestamptz '2026-02-01T09:00:00Z'),
         ('two', 'low', 'failed', $2::uuid, timestamptz '2026-02-02T10:00:00Z', timestamptz '2026-02-02T09:00:00Z'),
         ('three', 'low', 'pending', null, null, timestamptz '2026-02-03T09:00:00Z')) t (title, priority, status, agent, done, made)
       returning id, workspace_id, assigned_agent_id, created_at)
     insert into usage_records (id, workspace_id, task_id, agent_id, attempt, step, provider, model, prompt_tokens,
       completion_tokens, estimated_cost_usd, billing_model, created_at)
     select gen_random_uuid(), workspace_id, id, assigned_agent_id, 1, 0, 'demo', 'demo', 10, 5, 0.25, 'per-token', created_at
     from made where assigned_agent_id is not null`,
    [alpha, beta, workspaceId],
  );
}

/** A team with a run, and one row of each table that is left. */
async function addRun(
  databaseUrl: string,
  of: { readonly workspaceId: string; readonly agentId: string; readonly teamId: string; readonly runId: string },
): Promise<void> {
  await sql(
    databaseUrl,
    `with team as (insert into teams (id, workspace_id, name, mode, config)
         values ($1, $3, 'Crew', 'pipeline', '{"steps":[]}') returning id),
       member as (insert into team_members (id, workspace_id, team_id, agent_id, role, position)
         select gen_random_uuid(), $3, id, $4, 'worker', 0 from team),
       run as (insert into team_runs (id, workspace_id, team_id, status, input_task)
         select $2, $3, id, 'completed', 'Go' from team),
       message as (insert into team_messages (id, workspace_id, run_id, message_type, content)
         select gen_random_uuid(), $3, $2, 'system', 'Done' from team),
       delegation as (insert into team_delegations (id, workspace_id, run_id, attempt, key, version, agent_id,
           instruction, status)
         select gen_random_uuid(), $3, $2, 1, 'd1', 1, $4, 'Work', 'accepted' from team),
       hook as (insert into webhook_subscriptions (id, workspace_id, target_url, event, secret_ciphertext)
         select gen_random_uuid(), $3, 'https://example.com/hook', 'task_completed', 'sealed' from team),
       voice as (insert into voice_profiles (id, workspace_id, name, tone)
         select gen_random_uuid(), $3, 'Plain', 'Casual' from team)
     insert into output_templates (id, workspace_id, name, type, body)
       select gen_random_uuid(), $3, 'Page', 'Markdown', '{{task_result}}' from team`,
    [of.teamId, of.runId, of.workspaceId, of.agentId],
  );
}
