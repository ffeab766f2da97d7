/** Run by itself (`node bench/waiting.ts 10000`): the cost of tasks that wait for a person (memory, CPU and disk), and how soon they continue after an answer. */
import { setTimeout as sleep } from "node:timers/promises";
import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { z } from "zod";
import { treeCpuMs } from "./lib/cpu.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const TASKS = Number(process.argv[2] ?? 10_000);
const AT_ONCE = 32;
const ANSWERS = 200;
const WATCH_SECONDS = 20;
const ASKS = '[[slow:0]][[tool:request_approval {"title":"Continue?","timeoutMs":86400000}]]';

const counted = z.array(z.looseObject({ n: z.coerce.number() }));
const waitingTask = z.looseObject({ interactionId: z.string(), taskId: z.string() });

const stage = await openStage({ LOG_LEVEL: "warn" });
const database = new Client({ connectionString: stage.databaseUrl });
try {
  await database.connect();
  await measure(stage);
} finally {
  await database.end();
  await stage.close();
}

async function measure({ call, servicePid, postgresPid }: Stage): Promise<void> {
  const agent = await call("POST", "/functions/v1/api-agents", {
    name: "A",
    model: "demo",
    tools: ["request_approval"],
  });
  // What a process takes for its first thousand tasks is not for their waiting.
  await startTasks(agent.id, 1_000);
  const before = await residentMiB(servicePid);
  const began = performance.now();
  await startTasks(agent.id, TASKS);
  const seconds = (performance.now() - began) / 1_000;
  await sleep(3_000);
  const after = await residentMiB(servicePid);
  console.log(`${TASKS} more tasks wait after ${seconds.toFixed(0)} s: RSS ${before} MiB before, ${after} MiB after`);

  const cpu = () => ({ service: treeCpuMs(servicePid), postgres: treeCpuMs(postgresPid) });
  const start = cpu();
  await sleep(WATCH_SECONDS * 1_000);
  const end = cpu();
  const share = (ms: number) => (ms / (WATCH_SECONDS * 10)).toFixed(1);
  console.log(
    `While they wait: service ${share(end.service - start.service)} %, ` +
      `database ${share(end.postgres - start.postgres)} % of a core`,
  );
  const size = await count("select pg_total_relation_size('task_questions') as n from generate_series(1, 1)");
  console.log(`A question takes ${Math.round(size / (TASKS + 1_000))} bytes`);
  await measureAnswers();
}

async function startTasks(agentId: string, tasks: number): Promise<void> {
  const already = await waiting();
  let left = tasks;
  async function work(): Promise<void> {
    while (left-- > 0) {
      const body = { title: "Ask", description: ASKS, assigned_agent_id: agentId };
      await stage.call("POST", "/functions/v1/api-tasks", body);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  while ((await waiting()) < already + tasks) await sleep(100);
}

/** From an answer's request to the run's first event after it, one after another. */
async function measureAnswers(): Promise<void> {
  const { rows } = await database.query(
    'select subject_id as "taskId", interaction_id as "interactionId" from task_questions limit $1',
    [ANSWERS],
  );
  const times: number[] = [];
  for (const { taskId, interactionId } of rows.map((row) => waitingTask.parse(row))) {
    const began = performance.now();
    const response = await fetch(`${stage.url}/console/api/tasks/${taskId}/answer`, {
      method: "POST",
      headers: { "X-API-Key": stage.apiKey, "Content-Type": "application/json" },
      body: JSON.stringify({ interactionId, approved: true }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const ended = `select count(*) as n from task_log where log_id = '${taskId}' and event->>'type' = 'TOOL_CALL_END'`;
    while ((await count(ended)) === 0) continue;
    times.push(performance.now() - began);
  }
  const at = (share: number) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]?.toFixed(1);
  console.log(`From the answer to the run that continues, ms, p50 / p99: ${at(0.5)} / ${at(0.99)}`);
}

function waiting(): Promise<number> {
  return count("select count(*) as n from task_questions");
}

async function count(text: string): Promise<number> {
  const [row] = counted.parse((await database.query(text)).rows);
  return row?.n ?? 0;
}

async function residentMiB(pid: number): Promise<number> {
  const [, kib = "0"] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kib) / 1024);
}
