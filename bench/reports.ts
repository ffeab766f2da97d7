/**
 * The reports and lists of a workspace with 500,000 runs of 50 agents in 90 days: the time of each request, one at a
 * time. Run it by itself: `node bench/reports.ts`; it takes some minutes to fill the database.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const RUNS = 500_000;
const AGENTS = 50;
const DAYS = 90;
const REQUESTS = 15;
const DAY_MS = 86_400_000;
/** `AGENT`, `FIGURES`, `FROM` and `MONTH` stand for an agent, all agents, and the first days. */
const PATHS = {
  "home, 90 days": "overview?bucket=day&from=FROM",
  "home, 31 days by the hour": "overview?bucket=hour&from=MONTH",
  "home, 24 hours": "overview",
  "an agent, 90 days": "agents/AGENT/stats?bucket=day&from=FROM",
  "figures of 50 agents": "agents/stats?FIGURES",
  "usage by day": "usage?group_by=day&from=FROM",
  "usage by agent": "usage?group_by=agent&from=FROM",
  "usage by model": "usage?group_by=model&from=FROM",
  "usage by day, agent and model": "usage?group_by=day,agent,model&from=FROM",
  "runs, newest": "runs",
  "runs, q=inv (in most)": "runs?q=inv",
  "runs, q=archi (in old ones)": "runs?q=archi",
  "runs, q=uni (rare)": "runs?q=uni",
  "runs, q=un inv": "runs?q=uni%20inv",
  "runs, q=xyz (in none)": "runs?q=xyz",
  "runs, q=inv, failed": "runs?q=inv&status=failed",
  "runs, min_cost=0.9 (one in ten)": "runs?min_cost=0.9",
  "runs, min_cost=5 (few)": "runs?min_cost=5",
  "runs, min_cost=50 (none)": "runs?min_cost=50",
  "runs, min_cost=5 of an agent": "runs?min_cost=5&agent_id=AGENT",
  "runs, by cost": "runs?sort=cost",
  "runs, by cost, an agent": "runs?sort=cost&agent_id=AGENT",
  "runs, by cost, failed": "runs?sort=cost&status=failed",
  "runs, by cost, cancelled (few)": "runs?sort=cost&status=cancelled",
  "runs, q=archi, failed": "runs?q=archi&status=failed",
  "runs, q=archi, by cost": "runs?q=archi&sort=cost",
  "runs, by duration, an agent": "runs?sort=duration&agent_id=AGENT",
  "runs, by duration, cancelled (few)": "runs?sort=duration&status=cancelled",
} as const;

/** Run n of 500,000, from the oldest to the newest, with its end and its calls. */
const RUN = `
  select ('0' || right(lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0'), 11) || '7000'
      || lpad(to_hex((x'8000'::bigint << 48) + n), 16, '0'))::uuid as id,
    w.id as workspace_id, n, t.at, a.ids[1 + (n / 7) % ${AGENTS}] as agent_id,
    case when n % 10 = 0 then 'failed' when n % 5003 = 0 then 'cancelled' else 'completed' end as status,
    case when n % 10 = 0 then (array['MODEL_ERROR', 'TIMEOUT', 'TOOL_LOOP', 'BUDGET'])[1 + (n / 10) % 4] end as error_code,
    -- Agents differ by a factor of 50, failed runs cost a tenth, and a few cost much.
    case when n % 25000 = 7 then 6 else ((n::bigint * 7919) % 10000) / 10000.0 * (1 + (n / 7) % ${AGENTS}) / ${AGENTS}
      * case when n % 10 = 0 then 0.1 else 1 end end as cost,
    (((n::bigint * 104729) % 1000) * 0.3 + 0.2) * interval '1 second' as lasted
  from generate_series(1, $1::integer) n
  cross join (select id from workspaces limit 1) w
  cross join (select array_agg(id order by id) as ids from agents) a
  cross join lateral (
    select now() - interval '1 hour' - ($1 - n) * (interval '${DAYS} days' / $1) as at) t`;

const FILL = [
  `insert into tasks (id, workspace_id, title, description, status, assigned_agent_id, error_code, cost_usd, created_at,
    dispatched_at, started_at, completed_at)
  select id, workspace_id, case when n % 5000 = 0 then 'A unicorn' when n < 20000 then 'Archive ' || n
    else 'Invoice number ' || n end, repeat('x', 300), status, agent_id, error_code, cost, at, at, at, at + lasted
  from (${RUN}) r`,
  `insert into run_ends (run_id, attempt, workspace_id, agent_id, hour, status, error_code, duration_bucket)
  select id, 1, workspace_id, agent_id, date_trunc('hour', at + lasted, 'UTC'), status, coalesce(error_code, ''),
    duration_bucket(lasted) from (${RUN}) r`,
  `insert into usage_records (id, workspace_id, task_id, agent_id, attempt, step, provider, model, prompt_tokens,
    completion_tokens, estimated_cost_usd, billing_model, created_at)
  select gen_random_uuid(), workspace_id, id, agent_id, 1, 0, 'openai', 'model-' || (n / 7) % ${AGENTS} % 4, 1000 + n % 700, n % 300,
    cost, 'per-token', at from (${RUN}) r`,
];

/** Gives the workspace its agents and runs, and waits until the service has counted them. */
export async function fillReports(stage: Pick<Stage, "call" | "databaseUrl">): Promise<void> {
  for (let n = 0; n < AGENTS; n++)
    await stage.call("POST", "/functions/v1/api-agents", { name: `Agent ${n}`, model: "demo" });
  const client = new Client({ connectionString: stage.databaseUrl });
  await client.connect();
  for (const text of FILL) await client.query(text, [RUNS]);
  await client.query(`update usage_sums set until = date_trunc('day', now() - interval '${DAYS + 1} days', 'UTC')`);
  const counted = `select not exists (select from run_ends) and until > now() - interval '3 hours' as counted from usage_sums`;
  while ((await client.query<{ counted: boolean }>(counted)).rows[0]?.counted !== true) await sleep(1_000);
  await client.query("vacuum analyze");
  await client.end();
}

/** Measures each request; milliseconds by its name. */
export async function measureReports(
  stage: Pick<Stage, "apiKey" | "databaseUrl" | "url">,
): Promise<Readonly<Record<string, number[]>>> {
  const agents = await readAgents(stage.databaseUrl);
  const before = (days: number) => new Date(Date.now() - (days - 1) * DAY_MS).toISOString();
  const times: Record<string, number[]> = {};
  for (const [name, path] of Object.entries(PATHS)) {
    const asked = path
      .replace("AGENT", agents[3] ?? "")
      .replace("FIGURES", agents.map((id) => `id=${id}`).join("&"))
      .replace("FROM", path.startsWith("usage") ? before(DAYS).slice(0, 10) : before(DAYS))
      .replace("MONTH", before(31));
    times[name] = await timesOf(stage, asked);
  }
  return times;
}

async function readAgents(databaseUrl: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>("select id from agents order by id");
  await client.end();
  return rows.map(({ id }) => id);
}

async function timesOf({ url, apiKey }: Pick<Stage, "apiKey" | "url">, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const begun = performance.now();
    const response = await fetch(`${url}/console/api/${path}`, { headers: { "X-API-Key": apiKey } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    times.push(performance.now() - begun);
  }
  return times;
}

/** Prints the table of {@link measureReports}. */
export function printReports(measured: Readonly<Record<string, number[]>>): void {
  console.log("| request | best ms | p50 ms |\n| :-- | --: | --: |");
  for (const [name, times] of Object.entries(measured)) {
    console.log(`| ${name} | ${Math.min(...times).toFixed(1)} | ${percentile(times, 50).toFixed(1)} |`);
  }
}

if (import.meta.filename === process.argv[1]) {
  const stage = await openStage();
  try {
    await fillReports(stage);
    printReports(await measureReports(stage));
  } finally {
    await stage.close();
  }
}
