/**
 * Where the WAL of a one-step run of five words goes: bytes and records per run, by table, index and kind of record.
 * Images of full pages are counted separately, as they depend on the checkpoints. What the idle service writes is in it.
 * Usage: node bench/wal.ts [runs at once, 16 by default]
 */
import { Client } from "pg";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";
import { watchEnds } from "./lib/watch-ends.ts";

const RUNS = 400;

const PROFILE = `
  with record as (
    select r.start_lsn, r.resource_manager || ' ' || r.record_type as kind, r.record_length - r.fpi_length as bytes,
      r.fpi_length as image, b.relfilenode
    from pg_get_wal_records_info($1, $2) r
    left join pg_get_wal_block_info($1, $2, false) b on b.start_lsn = r.start_lsn and b.block_id = 0
  )
  select coalesce(c.relname, '-') as relation, coalesce(t.relname, '') as "table", kind, count(*)::float8 as records,
    sum(bytes)::float8 as bytes, sum(image)::float8 as images
  from record
  left join pg_class c on pg_relation_filenode(c.oid) = record.relfilenode
  left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
  group by 1, 2, 3 order by 5 desc`;

interface Share {
  readonly relation: string;
  readonly table: string;
  readonly kind: string;
  readonly records: number;
  readonly bytes: number;
  readonly images: number;
}

async function makeRuns(
  stage: Stage,
  agentId: string,
  wait: (id: string) => Promise<void>,
  runs: number,
  atOnce: number,
) {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next++ < runs) {
        const task = await stage.call("POST", "/functions/v1/api-tasks", {
          title: "Counted",
          description: "bench-counted 5x0",
          assigned_agent_id: agentId,
        });
        await wait(task.id);
      }
    }),
  );
}

async function position(client: Client): Promise<string> {
  const { rows } = await client.query<{ lsn: string }>("select pg_current_wal_insert_lsn()::text as lsn");
  return rows[0]?.lsn ?? "0/0";
}

function table(shares: readonly Share[]): string {
  const rows = shares.map(({ relation, table, kind, records, bytes, images }) => {
    const per = [records / RUNS, bytes / RUNS, images / RUNS].map((each) => each.toFixed(1));
    return `| ${table === "" ? relation : `${table}: ${relation}`} | ${kind} | ${per.join(" | ")} |`;
  });
  const total = (of: (share: Share) => number) => (shares.reduce((sum, share) => sum + of(share), 0) / RUNS).toFixed(1);
  return [
    "| table: index | record | records | bytes | full pages, bytes |",
    "| :-- | :-- | --: | --: | --: |",
    ...rows,
    `| all | | ${total(({ records }) => records)} | ${total(({ bytes }) => bytes)} | ${total(({ images }) => images)} |`,
  ].join("\n");
}

const atOnce = Number(process.argv[2] ?? 16);
const stage = await openStage();
const client = new Client({ connectionString: stage.databaseUrl });
try {
  await client.connect();
  await client.query("create extension if not exists pg_walinspect");
  const agent = await stage.call("POST", "/functions/v1/api-agents", { name: "Counted", model: "gpt-4o" });
  const text = `select id, completed_at::text from tasks
    where assigned_agent_id = $1 and completed_at > $2::timestamptz - interval '1 s' order by completed_at limit 2000`;
  const ended = await watchEnds(stage.databaseUrl, { name: "ended", text, of: agent.id }, 5);
  await makeRuns(stage, agent.id, ended.wait, RUNS / 2, atOnce);
  const begun = await position(client);
  await makeRuns(stage, agent.id, ended.wait, RUNS, atOnce);
  await ended.close();
  const { rows } = await client.query<Share>(PROFILE, [begun, await position(client)]);
  console.log(table(rows));
} finally {
  await client.end();
  await stage.close();
}
