/**
 * Lists and reads in a workspace of 1, 100,000 and 1,000,000 tasks, over the envelope API and the table API: CPU per
 * request should not grow with the rows. Run it by itself: `node bench/rows.ts`.
 */
import { Client } from "pg";
import { stageCpuMs } from "./lib/cpu.ts";
import { load } from "./lib/load.ts";
import type { LoadRequest } from "./lib/load.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const SIZES = [1, 100_000, 1_000_000];
const REQUESTS = 1_000;

const FILL = `
  insert into tasks (id, workspace_id, title, status, created_at)
  select gen_random_uuid(), w.id, 'Task ' || n, case when n % 100 = 0 then 'failed' else 'completed' end,
    now() - n * interval '1 second'
  from workspaces w, generate_series((select count(*) from tasks) + 1, $1::integer) n`;

const stage = await openStage();
const client = new Client({ connectionString: stage.databaseUrl });
try {
  await client.connect();
  console.log("| request | rows | service CPU, ms | database CPU, ms |\n| --- | --: | --: | --: |");
  for (const size of SIZES) {
    await client.query(FILL, [size]);
    await client.query("vacuum analyze tasks");
    const { rows } = await client.query<{ id: string }>("select id from tasks order by created_at limit 1");
    for (const [name, request] of requests(stage, rows[0]?.id ?? "")) {
      await load(request, REQUESTS / 4);
      const before = stageCpuMs(stage);
      await load(request, REQUESTS);
      const after = stageCpuMs(stage);
      const [service, database] = [after.service - before.service, after.database - before.database];
      console.log(`| ${name} | ${size} | ${perRequest(service)} | ${perRequest(database)} |`);
    }
  }
} finally {
  await client.end();
  await stage.close();
}

function requests({ url, apiKey, tableKey, anonKey }: Stage, id: string): [string, LoadRequest][] {
  const envelope = { "X-API-Key": apiKey };
  const table = { apikey: anonKey, authorization: `Bearer ${tableKey}` };
  return [
    ["envelope: page of 50", { url: `${url}/functions/v1/api-tasks?limit=50`, headers: envelope }],
    [
      "envelope: page of failed ones",
      { url: `${url}/functions/v1/api-tasks?limit=50&status=failed`, headers: envelope },
    ],
    ["envelope: read one", { url: `${url}/functions/v1/api-tasks?id=${id}`, headers: envelope }],
    ["table: page of 50", { url: `${url}/rest/v1/tasks?select=*&order=created_at.desc&limit=50`, headers: table }],
    [
      "table: page of failed ones",
      { url: `${url}/rest/v1/tasks?status=eq.failed&order=created_at.desc&limit=50`, headers: table },
    ],
    ["table: read one", { url: `${url}/rest/v1/tasks?id=eq.${id}`, headers: table }],
  ];
}

function perRequest(ms: number): string {
  return (ms / REQUESTS).toFixed(2);
}
