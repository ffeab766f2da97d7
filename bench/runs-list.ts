/** The list of all work of a workspace with 100,000 tasks: the time of each filter and order at the server. */
import { Client } from "pg";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const TASKS = 100_000;
const REQUESTS = 30;

const QUERIES: Readonly<Record<string, string>> = {
  "first page": "",
  "status=failed": "status=failed",
  "one agent": "agent_id=AGENT",
  "source=schedule (rare)": "source=schedule",
  "error_code (rare)": "error_code=TOOL_LOOP",
  tag: "tag=rare",
  "q, common word": "q=invoice",
  "q, rare word": "q=unicorn",
  "q, two words and status": "q=invoice%20num&status=failed",
  "beginning of an id": "q=01940000-0000",
  since: "since=2026-11-01T00:00:00Z",
  "min_cost (rare)": "min_cost=0.9",
  "sort=cost": "sort=cost",
  "sort=cost, status=failed": "sort=cost&status=failed",
  "sort=duration": "sort=duration",
  "sort=duration, rare source": "sort=duration&source=schedule",
};

const FILL = `
  insert into tasks (id, workspace_id, title, description, status, assigned_agent_id, source_kind, error_code, cost_usd,
    created_at, dispatched_at, started_at, completed_at)
  select ('01940000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, w.id,
    case when n % 5000 = 0 then 'A unicorn' else 'Invoice number ' || n end, repeat('x', 300),
    case when n % 10 = 0 then 'failed' when n % 997 = 0 then 'pending' else 'completed' end,
    a.ids[1 + (n % 20)], case when n % 4000 = 0 then 'schedule' else 'api' end,
    case when n % 5000 = 0 then 'TOOL_LOOP' when n % 10 = 0 then 'MODEL_ERROR' end,
    case when n % 3 = 0 then 0 else ((n * 7919) % 10000) / 10000.0 end,
    t.at, t.at, t.at + interval '1 second', case when n % 997 <> 0 or n % 10 = 0 then t.at + (n % 600) * interval '1 second' end
  from generate_series(1, $1::integer) n
  cross join (select id from workspaces limit 1) w
  cross join (select array_agg(id) as ids from agents) a
  cross join lateral (select timestamptz '2026-11-20' - n * interval '20 seconds' as at) t`;

/** Gives the workspace 20 agents and 100,000 tasks. @returns the ids of the agents */
export async function fillTasks(stage: Stage): Promise<readonly string[]> {
  const agents: string[] = [];
  for (let n = 0; n < 20; n++) {
    const body = { name: `Agent ${n}`, model: "demo", tags: n === 7 ? ["rare"] : [] };
    const made = await stage.call("POST", "/functions/v1/api-agents", body);
    agents.push(JSON.stringify(made).match(/"id":"([^"]+)"/)?.[1] ?? "");
  }
  const client = new Client({ connectionString: stage.databaseUrl });
  await client.connect();
  await client.query(FILL, [TASKS]);
  await client.query("vacuum analyze tasks");
  await client.end();
  return agents;
}

/** Fills a workspace and measures each query; milliseconds by its name. */
async function measureRunsList(stage: Stage): Promise<Readonly<Record<string, number[]>>> {
  const agents = await fillTasks(stage);
  const times: Record<string, number[]> = {};
  for (const [name, query] of Object.entries(QUERIES)) {
    times[name] = await timesOf(stage, query.replace("AGENT", agents[3] ?? ""));
  }
  return times;
}

async function timesOf(stage: Stage, query: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const begun = performance.now();
    const response = await fetch(`${stage.url}/console/api/runs?${query}`, { headers: { "X-API-Key": stage.apiKey } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${query}: ${response.status}`);
    times.push(performance.now() - begun);
  }
  return times;
}

if (import.meta.filename === process.argv[1]) {
  const stage = await openStage();
  try {
    console.log("| Query | p50 ms | worst ms |\n| --- | --: | --: |");
    for (const [name, times] of Object.entries(await measureRunsList(stage))) {
      console.log(`| ${name} | ${percentile(times, 50).toFixed(1)} | ${Math.max(...times).toFixed(1)} |`);
    }
  } finally {
    await stage.close();
  }
}
