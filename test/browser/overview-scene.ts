import { z } from "zod";
import { consoleOf } from "../support/api.ts";
import { countUsageSince } from "../support/database/backdated-usage.ts";
import { sql } from "../support/workspace.ts";
import type { Scene } from "./scene.ts";

const DAYS = 13;
const USED = `
  insert into usage_records (id, workspace_id, agent_id, attempt, step, provider, model, prompt_tokens, completion_tokens,
    estimated_cost_usd, billing_model, created_at)
  select gen_random_uuid(), w.id, a.id, 1, 0, m.provider, m.model, 4000 + 700 * (n % 5), 900 + 150 * (n % 3),
    0.4 + 0.13 * ((n * m.share) % 7), 'per-token', now() - n * interval '1 day'
  from workspaces w cross join agents a cross join generate_series(1, $1::integer) n
  cross join (values ('openai', 'gpt-4o', 3), ('anthropic', 'claude-sonnet-4-5', 5)) as m (provider, model, share)
  where a.workspace_id = w.id`;
const ENDED = `
  insert into run_ends (run_id, attempt, workspace_id, agent_id, hour, status, error_code, duration_bucket)
  select gen_random_uuid(), 1, a.workspace_id, a.id, date_trunc('hour', now() - n * interval '1 day', 'UTC'),
    case when i % 9 = 0 then 'failed' when i % 13 = 0 then 'cancelled' else 'completed' end,
    case when i % 9 = 0 then 'MODEL_ERROR' else '' end, 40 + i % 8
  from agents a cross join generate_series(1, $1::integer) n cross join lateral generate_series(1, 14 + (n * 5) % 17) i`;
const FAILING_ROUTE = `
  insert into output_routes (id, workspace_id, name, type, events, is_active, config, host, retry_delays, failures_in_row,
    last_failure_at)
  select gen_random_uuid(), id, 'Order system', 'http', '{task.completed}', true, '{"url":"https://localhost/"}',
    'localhost', '{5}', 23, now() from workspaces`;

const record = z.object({ id: z.string() });

/** Two weeks of work, budgets, a schedule, a destination that fails, and an invitation. */
export async function fillOverview({ service, api }: Scene): Promise<void> {
  const [agent] = z.array(record).parse((await api.get("/api-agents")).body);
  const agentId = agent?.id;
  const desk = consoleOf(service, service.keys.api);
  await sql(service.databaseUrl, USED, [DAYS]);
  await countUsageSince(service.databaseUrl, new Date(Date.now() - (DAYS + 1) * 86_400_000).toISOString());
  await sql(service.databaseUrl, ENDED, [DAYS]);
  await sql(service.databaseUrl, FAILING_ROUTE);
  const daily = { name: "Morning report", cron: "0 7 * * 1-5", time_zone: "Europe/Berlin", assigned_agent_id: agentId };
  record.parse((await desk.post("/schedules", { ...daily, title: "Report" })).body);
  record.parse((await desk.post("/budgets", { scope: "workspace", period: "month", max_usd: 60 })).body);
  record.parse((await desk.post("/budgets", { scope: "agent", target_id: agentId, period: "day", max_usd: 5 })).body);
  record.parse((await desk.post("/invitations", { email: "grace@example.org", role: "viewer" })).body);
}
