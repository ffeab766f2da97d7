/** A list of 50 agents, against a bare Hono route that answers with the same bytes: CPU per request. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { treeCpuMs } from "./lib/cpu.ts";
import { load } from "./lib/load.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const AGENTS = 50;
const PATH = "/functions/v1/api-agents?limit=50";
const WARM_UP = 3_000;
/** Both sides by turns, in rounds so short that the machine is the same for both. */
const ROUNDS = 16;
const REQUESTS = 1_000;

/** Medians of the rounds, in milliseconds of CPU per request. */
export interface ListRound {
  readonly bytes: number;
  readonly bare: number;
  readonly service: number;
  readonly database: number;
  /** How many times the CPU of the bare route the service needs: median of the rounds, and the quarters around it. */
  readonly ratio: readonly [low: number, median: number, high: number];
}

/** Fills a page and measures both sides by turns, with so many requests at once. */
export async function measureLists(stage: Stage, atOnce = 10): Promise<ListRound> {
  await fillPage(stage);
  const headers = { "X-API-Key": stage.apiKey };
  const page = await (await fetch(stage.url + PATH, { headers })).text();
  const bareProcess = fork(join(import.meta.dirname, "lib/bare-process.ts"));
  bareProcess.send(page);
  const [{ port }] = await once(bareProcess, "message");
  const sides = [`http://127.0.0.1:${port}${PATH}`, stage.url + PATH];
  const ask = async (url: string, requests: number) => load({ url, headers, atOnce }, requests);
  const spent = () => [bareProcess.pid ?? 0, stage.servicePid, stage.postgresPid].map(treeCpuMs);

  for (const url of sides) await ask(url, WARM_UP);
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = spent();
    for (const url of sides) await ask(url, REQUESTS);
    rounds.push(spent().map((ms, index) => (ms - (before[index] ?? 0)) / REQUESTS));
  }
  bareProcess.disconnect();
  const column = (index: number) => rounds.map((round) => round[index] ?? 0);
  const ratios = rounds.map(([bare = 0, service = 0]) => service / bare);
  return {
    bytes: Buffer.byteLength(page),
    bare: percentile(column(0), 50),
    service: percentile(column(1), 50),
    database: percentile(column(2), 50),
    ratio: [percentile(ratios, 25), percentile(ratios, 50), percentile(ratios, 75)],
  };
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
    console.log(await measureLists(stage));
    console.log("one at a time", await measureLists(stage, 1));
  } finally {
    await stage.close();
  }
}
