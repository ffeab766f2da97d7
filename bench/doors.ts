/**
 * Run by itself (`node bench/doors.ts 6 400`: rounds, and runs in each): what a blocking call costs that runs an agent, through each protocol, next to
 * the same run posted as a task and read once when it has ended. The rounds take turns, so that a busy machine slows
 * all of them alike.
 */
import { treeCpuMs } from "./lib/cpu.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";
import { watchEnds } from "./lib/watch-ends.ts";

const ROUNDS = Number(process.argv[2] ?? 6);
const RUNS = Number(process.argv[3] ?? 400);
const AT_ONCE = 16;

const ENDED = {
  name: "ended",
  text: `select id, completed_at::text from tasks
    where assigned_agent_id = $1 and completed_at > $2::timestamptz - interval '1 s' order by completed_at limit 2000`,
};

/** CPU time of a run, in milliseconds. */
interface Cost {
  readonly service: number;
  readonly database: number;
}

/** Runs the agent on a message, and returns when the run has ended. */
type Door = (message: string) => Promise<unknown>;

const stage = await openStage();
try {
  await measure(stage);
} finally {
  await stage.close();
}

async function measure(on: Stage): Promise<void> {
  const agent = { name: "Bench", model: "gpt-4o", system_prompt: "Bench.", is_mcp_published: true };
  const { id } = await on.call("POST", "/functions/v1/api-agents", agent);
  const posted = await postedTask(on, id);
  const doors = { "posted and read once": posted.door, ...blockingDoors(on, id) };
  const costs = new Map<string, Cost[]>(Object.keys(doors).map((name) => [name, []]));
  for (const door of Object.values(doors)) await run(door, RUNS / 4);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, door] of Object.entries(doors)) {
      costs.get(name)?.push(await costOf(on, door, posted.watcherMs));
    }
  }
  await posted.close();
  print(costs);
}

async function costOf({ servicePid, postgresPid }: Stage, door: Door, watcherMs: () => number): Promise<Cost> {
  const cpu = () => ({ service: treeCpuMs(servicePid), database: treeCpuMs(postgresPid) - watcherMs() });
  const before = cpu();
  await run(door, RUNS);
  const after = cpu();
  return { service: (after.service - before.service) / RUNS, database: (after.database - before.database) / RUNS };
}

async function run(door: Door, runs: number): Promise<void> {
  let begun = 0;
  const one = async () => {
    while (begun++ < runs) await door(`bench-${Math.random().toString(36).slice(2, 10)} 1x0`);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

async function postedTask({ url, apiKey, call, databaseUrl }: Stage, agentId: string) {
  const ended = await watchEnds(databaseUrl, { ...ENDED, of: agentId }, 5);
  return {
    watcherMs: ended.cpuMs,
    close: ended.close,
    async door(description: string) {
      const body = { title: "Bench", description, assigned_agent_id: agentId };
      const { id } = await call("POST", "/functions/v1/api-tasks", body);
      await ended.wait(id);
      const headers = { "X-API-Key": apiKey };
      const answer = await fetch(`${url}/functions/v1/api-tasks?id=${id}`, { headers });
      if (!(await answer.text()).includes('"completed"')) throw new Error("The task has not ended.");
    },
  };
}

function blockingDoors({ url, apiKey, aguiKey, mcpKey }: Stage, agentId: string): Readonly<Record<string, Door>> {
  const post = async (path: string, key: string, body: object) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status !== 200 || text.includes('"error"')) throw new Error(`${path}: ${answer.status} ${text}`);
  };
  const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
  return {
    "A2A message/send": (text) =>
      post(`/a2a/${agentId}`, aguiKey, rpc("message/send", { message: { role: "user", parts: [{ text }] } })),
    "MCP tools/call": (message) => post("/mcp", mcpKey, rpc("tools/call", { name: "bench", arguments: { message } })),
    "OpenAI chat completion": (content) =>
      post("/v1/chat/completions", apiKey, { model: agentId, messages: [{ role: "user", content }] }),
  };
}

function print(costs: ReadonlyMap<string, readonly Cost[]>): void {
  const median = (rounds: readonly Cost[], of: (cost: Cost) => number) => percentile(rounds.map(of), 50);
  const total = ({ service, database }: Cost) => service + database;
  const [base = []] = costs.values();
  console.log("| through | service CPU ms | database CPU ms | times the posted task |");
  console.log("|--|--:|--:|--:|");
  for (const [name, rounds] of costs) {
    const ratios = rounds.map((cost, round) => total(cost) / total(base[round] ?? cost));
    const cells = [
      median(rounds, ({ service }) => service).toFixed(2),
      median(rounds, ({ database }) => database).toFixed(2),
      `${percentile(ratios, 50).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    ];
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
}
