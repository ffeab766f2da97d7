/**
 * Run by itself (`node bench/idle-readers.ts 2000 ag-ui`): the cost of readers with quiet streams. Each reads its own
 * task, which waits for a person, by AG-UI, `a2a` or `mcp` (calls that stay open while their tasks wait). A call by MCP
 * starts the run that it waits for: `posted` starts as many runs without readers, to tell the cost of the two apart.
 */
import { once } from "node:events";
import { request } from "node:http";
import type { ClientRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { collectGarbage } from "./lib/collect-garbage.ts";
import { residentMib, treeCpuMs } from "./lib/cpu.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const READERS = Number(process.argv[2] ?? 2_000);
const PROTOCOL = process.argv[3] ?? "ag-ui";
const AT_ONCE = 16;
const WATCH_SECONDS = 20;
const ASKS = '[[slow:0]][[tool:request_approval {"title":"Continue?","timeoutMs":86400000}]]';

const INSPECTOR_PORT = 9_477;

const stage = await openStage({
  LOG_LEVEL: "warn",
  STREAMS_PER_KEY: "100000",
  NODE_OPTIONS: `--inspect=127.0.0.1:${INSPECTOR_PORT}`,
});
try {
  await measure(stage);
} finally {
  await stage.close();
}

async function measure({ call, servicePid, postgresPid, ...rest }: Stage): Promise<void> {
  const agent = await call("POST", "/functions/v1/api-agents", {
    name: "A",
    model: "demo",
    tools: ["request_approval"],
    is_mcp_published: true,
  });
  const tasks = await inTurns(READERS, () => postTask(call, agent.id));
  await sleep(10_000);
  const heldBefore = await heldMib(servicePid);
  const before = residentMib(servicePid);
  const left = [...tasks];
  const readers: ClientRequest[] = [];
  await inTurns(READERS, async () => {
    if (PROTOCOL === "posted") await postTask(call, agent.id);
    else readers.push(await openReader(rest, agent.id, left.pop() ?? ""));
  });
  await sleep(5_000);
  const opened = residentMib(servicePid);
  const cpu = () => ({ service: treeCpuMs(servicePid), postgres: treeCpuMs(postgresPid) });
  const start = cpu();
  await sleep(WATCH_SECONDS * 1_000);
  const end = cpu();
  const share = (ms: number) => (ms / (WATCH_SECONDS * 10)).toFixed(1);
  console.log(
    `${READERS} quiet readers by ${PROTOCOL}: RSS ${before.toFixed(0)} MiB before, ${opened.toFixed(0)} with them, ` +
      `${residentMib(servicePid).toFixed(0)} after ${WATCH_SECONDS} s; CPU of the service ` +
      `${share(end.service - start.service)} %, of the database ${share(end.postgres - start.postgres)} % of a core`,
  );
  const held = await heldMib(servicePid);
  for (const reader of readers) reader.destroy();
  await sleep(5_000);
  console.log(
    `Without garbage: ${heldBefore.toFixed(0)} MiB before, ${held.toFixed(0)} with them, ` +
      `${(await heldMib(servicePid)).toFixed(0)} when closed`,
  );
}

/** Starts a run that waits for a person. @returns the task's id */
async function postTask(call: Stage["call"], agentId: string): Promise<string> {
  const body = { title: "Ask", description: ASKS, assigned_agent_id: agentId };
  return (await call("POST", "/functions/v1/api-tasks", body)).id;
}

/** The memory of the service after a collection. */
async function heldMib(servicePid: number): Promise<number> {
  await collectGarbage(INSPECTOR_PORT);
  await sleep(1_000);
  return residentMib(servicePid);
}

/** What opens a task's stream. */
function openingOf({ aguiKey, mcpKey }: Pick<Stage, "aguiKey" | "mcpKey">, agentId: string, taskId: string) {
  const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: taskId, method, params });
  switch (PROTOCOL) {
    case "a2a":
      return { path: `/a2a/${agentId}`, key: aguiKey, body: rpc("SubscribeToTask", { id: taskId }) };
    case "mcp": {
      const params = { name: "a", arguments: { message: ASKS }, _meta: { progressToken: taskId } };
      return { path: "/mcp", key: mcpKey, body: rpc("tools/call", params) };
    }
    default:
      return { path: `/ag-ui/${agentId}/sse`, key: aguiKey, body: { threadId: taskId } };
  }
}

async function openReader(
  { url, ...keys }: Pick<Stage, "url" | "aguiKey" | "mcpKey">,
  agentId: string,
  taskId: string,
): Promise<ClientRequest> {
  const { path, key, body } = openingOf(keys, agentId, taskId);
  const reader = request(url + path, {
    method: "POST",
    agent: false,
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
  });
  reader.on("error", () => {});
  reader.end(JSON.stringify(body));
  const [response] = await once(reader, "response");
  if (response.statusCode !== 200) throw new Error(`The stream was rejected with ${response.statusCode}.`);
  response.resume();
  response.on("error", () => {});
  return reader;
}

async function inTurns<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let begun = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (begun++ < count) results.push(await work());
    }),
  );
  return results;
}
