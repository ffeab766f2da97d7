import { Client } from "pg";
import { measureTasks, taskRow } from "./tasks.ts";
import { openStage } from "./lib/stage.ts";
const stage = await openStage(JSON.parse(process.env.EXTRA ?? "{}"));
try {
  await measureTasks(stage, 8, 200);
  const c = new Client({ connectionString: stage.databaseUrl });
  await c.connect();
  await c.query("create extension if not exists pg_stat_statements");
  await c.query("select pg_stat_statements_reset()");
  const N = Number(process.env.N ?? 1000);
  const r = await measureTasks(stage, Number(process.env.C ?? 16), N);
  console.log(taskRow(r));
  const { rows } = await c.query(
    `select calls, round((total_exec_time/$1)::numeric,3) as exec_run, round((total_plan_time/$1)::numeric,3) as plan_run, plans, round((total_exec_time/calls)::numeric,3) mean, wal_records/calls walrec, left(regexp_replace(query,'\\s+',' ','g'),110) q from pg_stat_statements where calls > 5 order by total_exec_time+total_plan_time desc limit 40`,
    [N],
  );
  for (const x of rows) console.log([x.calls, x.exec_run, x.plan_run, x.plans, x.mean, x.q].join(" | "));
  const t = await c.query(
    "select sum(total_exec_time)/$1 e, sum(total_plan_time)/$1 p, sum(calls)::float/$1 c from pg_stat_statements",
    [N],
  );
  console.log(t.rows);
  await c.end();
} finally {
  await stage.close();
}
