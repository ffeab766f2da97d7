/** A list of 50 agents, against a bare Hono route that answers with the same bytes: CPU per request. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { treeCpuMs } from "./lib/cpu.ts";
import { load } from "./lib/load.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const AGENTS = 50;
const REQUESTS = 4_000;
const PATH = "/functions/v1/api-agents?limit=50";

/** What the comparison measured, in milliseconds of CPU per request. */
export interface ListRound {
  readonly bytes: number;
  readonly bare: number;
  readonly service: number;
  readonly database: number;
}

/** Fills a page and measures both sides in turn. */
export async function measureLists(stage: Stage): Promise<ListRound> {
  for (let i = 0; i < AGENTS; i++) {
    await stage.call("POST", "/functions/v1/api-agents", {
      name: `Agent ${i}`,
      model: "gpt-4o",
      system_prompt: "You answer questions about our products, briefly and politely.",
      tags: ["support", "en"],
      tools: ["current_time"],
    });
  }
  const headers = { "X-API-Key": stage.apiKey };
  const page = await (await fetch(stage.url + PATH, { headers })).text();
  const bareProcess = fork(join(import.meta.dirname, "lib/bare-process.ts"));
  bareProcess.send(page);
  const [{ port }] = await once(bareProcess, "message");
  const bareUrl = `http://127.0.0.1:${port}${PATH}`;

  await load({ url: bareUrl, headers }, REQUESTS / 2);
  await load({ url: stage.url + PATH, headers }, REQUESTS / 2);
  const before = cpu(stage, bareProcess.pid ?? 0);
  await load({ url: bareUrl, headers }, REQUESTS);
  await load({ url: stage.url + PATH, headers }, REQUESTS);
  const after = cpu(stage, bareProcess.pid ?? 0);
  bareProcess.disconnect();
  return {
    bytes: Buffer.byteLength(page),
    bare: (after.bare - before.bare) / REQUESTS,
    service: (after.service - before.service) / REQUESTS,
    database: (after.database - before.database) / REQUESTS,
  };
}

function cpu(stage: Stage, bare: number) {
  return { bare: treeCpuMs(bare), service: treeCpuMs(stage.servicePid), database: treeCpuMs(stage.postgresPid) };
}

if (import.meta.filename === process.argv[1]) {
  const stage = await openStage();
  try {
    console.log(await measureLists(stage));
  } finally {
    await stage.close();
  }
}
