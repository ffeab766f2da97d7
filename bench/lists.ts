/**
 * A list of 50 agents, against a bare Hono route that runs the same SELECT through `pg`, and one that answers with the
 * same bytes: time and CPU per request. Run it by itself: `node bench/lists.ts`.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { z } from "zod";
import { treeCpuMs } from "./lib/cpu.ts";
import { load } from "./lib/load.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const AGENTS = 50;
const PATH = "/functions/v1/api-agents?limit=50";
const WARM_UP = 1_000;
/** All sides by turns, in rounds so short that the machine is the same for all. */
const ROUNDS = 20;
const REQUESTS = 300;

/** What a request costs at one side, in milliseconds. */
interface Cost {
  /** The time from the request to the end of the answer, times the number of concurrent requests. */
  readonly time: number;
  readonly process: number;
  readonly database: number;
}

/** Fills a page and measures all sides alternately, with this many concurrent requests; returns the rows of a table. */
export async function measureLists(stage: Stage, atOnce = 10): Promise<string> {
  await fillPage(stage);
  const headers = { "X-API-Key": stage.apiKey };
  const page = await (await fetch(stage.url + PATH, { headers })).text();
  const bare = fork(join(import.meta.dirname, "lib/bare-process.ts"));
  bare.send({ page, databaseUrl: stage.databaseUrl, workspaceId: await workspaceOf(stage) });
  const [{ port }] = await once(bare, "message");
  const sides = [
    { name: "service", url: stage.url + PATH, pid: stage.servicePid },
    { name: "bare Hono, the same SELECT", url: `http://127.0.0.1:${port}/select`, pid: bare.pid ?? 0 },
    { name: "bare Hono, the same bytes", url: `http://127.0.0.1:${port}/constant`, pid: bare.pid ?? 0 },
  ];
  const costs = sides.map((): Cost[] => []);
  for (const { url } of sides) await load({ url, headers, atOnce }, WARM_UP);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { url, pid }] of sides.entries()) {
      const spent = () => [performance.now(), treeCpuMs(pid), treeCpuMs(stage.postgresPid)] as const;
      const [begun, process, database] = spent();
      await load({ url, headers, atOnce }, REQUESTS);
      const [ended, processAfter, databaseAfter] = spent();
      costs[index]?.push({
        time: ((ended - begun) * atOnce) / REQUESTS,
        process: (processAfter - process) / REQUESTS,
        database: (databaseAfter - database) / REQUESTS,
      });
    }
  }
  bare.disconnect();
  return sides.map(({ name }, index) => rowOf(name, atOnce, costs[index] ?? [], costs[0] ?? [])).join("\n");
}

/** Medians of the rounds; and how many times a side's cost the service's is, in the same round. */
function rowOf(name: string, atOnce: number, costs: readonly Cost[], service: readonly Cost[]): string {
  const median = (of: (cost: Cost) => number) =>
    percentile(
      costs.map((cost) => of(cost)),
      50,
    ).toFixed(2);
  const times = (of: (cost: Cost) => number) =>
    percentile(
      costs.map((cost, round) => of(service[round] ?? cost) / of(cost)),
      50,
    ).toFixed(1);
  const kinds = [
    ({ time }: Cost) => time,
    ({ process }: Cost) => process,
    ({ process, database }: Cost) => process + database,
  ];
  const cells = kinds.flatMap((kind) => [median(kind), times(kind)]);
  return `| ${name}, ${atOnce} at once | ${cells.join(" | ")} |`;
}

/** The head of the table whose rows are {@link listRow}s. */
export const LISTS_TABLE = `| list of ${AGENTS} agents | time, ms | service's is × | CPU of the process | service's is × | with the database | service's is × |
| :-- | --: | --: | --: | --: | --: | --: |`;

async function workspaceOf({ url, apiKey }: Stage): Promise<string> {
  const response = await fetch(`${url}/functions/v1/api-me`, { headers: { "X-API-Key": apiKey } });
  const me = z.looseObject({ workspace_id: z.string() });
  return z.union([me, z.looseObject({ data: me }).transform(({ data }) => data)]).parse(await response.json())
    .workspace_id;
}

/** Makes as many agents as a page has. */
async function fillPage(stage: Stage): Promise<void> {
  for (let i = 0; i < AGENTS; i++) {
    await stage.call("POST", "/functions/v1/api-agents", {
      name: `Agent ${i}`,
      model: "gpt-4o",
      system_prompt: "You answer questions about our products, briefly and politely.",
      tags: ["support", "en"],
      tools: ["current_time"],
    });
  }
}

if (import.meta.filename === process.argv[1]) {
  const stage = await openStage();
  try {
    console.log(LISTS_TABLE);
    for (const atOnce of [1, 10]) console.log(await measureLists(stage, atOnce));
  } finally {
    await stage.close();
  }
}
