/**
 * Runs beside runs of another workspace whose models flood: latency of the innocent runs with and without the floods,
 * and the memory of the service. `node bench/floods.ts`
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { addWorkspace } from "../test/support/workspace.ts";
import { residentMib, stageCpuMs } from "./lib/cpu.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";
import { watchEnds } from "./lib/watch-ends.ts";

const FLOODS = 4;
const AT_ONCE = 4;
const RUNS = 400;
const AGENT = { name: "Bench", model: "gpt-4o", system_prompt: "Bench." };
const POLL_MS = 100;
const ENDED = {
  name: "ended",
  text: `select id, completed_at::text from tasks
    where assigned_agent_id = $1 and completed_at > $2::timestamptz - interval '1 s' order by completed_at limit 2000`,
};

const record = z.object({ id: z.string(), status: z.string() });

type Call = (method: string, path: string, body?: object) => Promise<z.output<typeof record>>;

const stage = await openStage({ RUNS_PER_PROCESS: "100" });
try {
  const { id: agentId } = await stage.call("POST", "/functions/v1/api-agents", AGENT);
  const { key } = await addWorkspace(stage.databaseUrl, "enterprise");
  const flooding = callsWith(stage, key);
  const floodAgent = await flooding("POST", "/functions/v1/api-agents", AGENT);
  for (const work of ["1x0", "5x20"]) {
    await measure(agentId, work, 100);
    const quiet = await measure(agentId, work, RUNS);
    const stop = startFloods(flooding, floodAgent.id);
    await measure(agentId, work, 50);
    const flooded = await measure(agentId, work, RUNS);
    const ended = await stop();
    console.log(`| ${work} | ${quiet} | ${flooded} | ${ended} floods ended`);
  }
} finally {
  await stage.close();
}
process.exit(0);

/** Returns p50, p99, the highest memory of the service, and its and the database's share of a core. */
async function measure(agentId: string, work: string, runs: number): Promise<string> {
  const ended = await watchEnds(stage.databaseUrl, { ...ENDED, of: agentId }, 2);
  const latencies: number[] = [];
  let resident = 0;
  const watch = setInterval(() => (resident = Math.max(resident, residentMib(stage.servicePid))), POLL_MS);
  const cpu = stageCpuMs(stage);
  const begun = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next++ < runs) {
        const posted = performance.now();
        const task = { title: "Bench", description: `bench-x ${work}`, assigned_agent_id: agentId };
        const { id } = await stage.call("POST", "/functions/v1/api-tasks", task);
        await ended.wait(id);
        latencies.push(performance.now() - posted);
      }
    }),
  );
  const ms = performance.now() - begun;
  const after = stageCpuMs(stage);
  clearInterval(watch);
  await ended.close();
  const share = (from: number, to: number) => ((100 * (to - from)) / ms).toFixed(0);
  const cells = [
    percentile(latencies, 50).toFixed(1),
    percentile(latencies, 99).toFixed(1),
    resident.toFixed(0),
    share(cpu.service, after.service),
    share(cpu.database, after.database),
  ];
  return cells.join(" / ");
}

/** Keeps that many floods running: each ends when its log is full. */
function startFloods(call: Call, agentId: string): () => Promise<number> {
  let isOver = false;
  let ended = 0;
  const done = Array.from({ length: FLOODS }, async () => {
    while (!isOver) {
      const task = { title: "Flood", description: "bench-f 1x0 floods", assigned_agent_id: agentId };
      const { id } = await call("POST", "/functions/v1/api-tasks", task);
      const path = `/functions/v1/api-tasks?id=${id}`;
      while (!isOver && (await call("GET", path)).status !== "failed") await sleep(POLL_MS);
      if (isOver) await call("PATCH", path, { status: "cancelled" }).catch(() => undefined);
      else ended += 1;
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(done);
    return ended;
  };
}

function callsWith({ url }: Stage, key: string): Call {
  return async (method, path, body) => {
    const headers = { "X-API-Key": key, "Content-Type": "application/json" };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return record.parse(await response.json());
  };
}
