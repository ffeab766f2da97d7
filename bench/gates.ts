/**
 * Run by itself (`node bench/gates.ts [window|bucket] [processes]`, about four minutes): 200 runs of four workspaces
 * that share a key with 60 requests a minute. How many calls the provider rejects, and how long each workspace waits.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { z } from "zod";
import { displayPrefix, generateKey, hashKey } from "#domain/access/api-key.ts";
import { newId } from "#lib/ids.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";

const A_MINUTE = 60;
const MINUTE_MS = 60_000;
/** The runs of each workspace; those of the largest are created first. */
const RUNS = [120, 50, 20, 10];
const AT_ONCE = 16;

const request = z.looseObject({ messages: z.array(z.looseObject({ content: z.string().nullish() })) });
const idOnly = z.object({ id: z.string() });

/** A provider's limit: how many calls it still takes, and in how many milliseconds the limit is full again. */
interface Limit {
  take(): { readonly isTaken: boolean; readonly left: number; readonly fullInMs: number };
}

/** Counts begin anew each minute. */
function windowLimit(): Limit {
  let until = 0;
  let left = 0;
  return {
    take() {
      const now = performance.now();
      if (now >= until) {
        left = A_MINUTE;
        until = now + MINUTE_MS;
      }
      const isTaken = left > 0;
      if (isTaken) left -= 1;
      return { isTaken, left, fullInMs: until - now };
    },
  };
}

/** Fills up evenly, as OpenAI describes its own. */
function bucketLimit(): Limit {
  let tokens = A_MINUTE;
  let at = performance.now();
  return {
    take() {
      const now = performance.now();
      tokens = Math.min(A_MINUTE, tokens + ((now - at) / MINUTE_MS) * A_MINUTE);
      at = now;
      const isTaken = tokens >= 1;
      if (isTaken) tokens -= 1;
      return { isTaken, left: Math.floor(tokens), fullInMs: ((A_MINUTE - tokens) / A_MINUTE) * MINUTE_MS };
    },
  };
}

const seen = { taken: new Map<string, number>(), rejected: 0, first: 0 };
const limit = process.argv[2] === "bucket" ? bucketLimit() : windowLimit();
const provider = createServer(async (incoming, response) => {
  const { messages } = request.parse(await json(incoming));
  const [, name = ""] = /run (\d+\/\d+)/.exec(messages.map(({ content }) => content ?? "").join("\n")) ?? [];
  const { isTaken, left, fullInMs } = limit.take();
  const headers = {
    "x-ratelimit-limit-requests": String(A_MINUTE),
    "x-ratelimit-remaining-requests": String(left),
    "x-ratelimit-reset-requests": `${(fullInMs / 1_000).toFixed(3)}s`,
  };
  if (isTaken) {
    seen.taken.set(name, performance.now());
    return answer(response, headers);
  }
  seen.rejected += 1;
  response.writeHead(429, {
    ...headers,
    "content-type": "application/json",
    "retry-after": String(Math.ceil(fullInMs / 1_000)),
  });
  response.end(
    JSON.stringify({
      error: { message: "Rate limit reached for requests", type: "requests", code: "rate_limit_exceeded" },
    }),
  );
}).listen(0, "127.0.0.1");
await once(provider, "listening");
const address = provider.address();
const port = typeof address === "object" && address !== null ? address.port : 0;

function answer(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response.writeHead(200, { ...headers, "content-type": "text/event-stream" });
  const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "gpt-4o" };
  const send = (data: object) => response.write(`data: ${JSON.stringify({ ...head, ...data })}\n\n`);
  send({ choices: [{ index: 0, delta: { role: "assistant", content: "Done." }, finish_reason: null }] });
  send({
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    usage: { prompt_tokens: 11, completion_tokens: 1, total_tokens: 12 },
  });
  response.end("data: [DONE]\n\n");
}

const env = { OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`, LOG_LEVEL: "warn" };
const stage = await openStage(env);
const database = new Client({ connectionString: stage.databaseUrl });
await database.connect();
try {
  for (let added = 1; added < Number(process.argv[3] ?? 1); added++) await stage.addService(env);
  await measure();
} finally {
  await database.end();
  await stage.close();
  provider.closeAllConnections();
  provider.close();
}

async function measure(): Promise<void> {
  const posted = new Map<string, number>();
  for (const [index, runs] of RUNS.entries()) {
    const key = index === 0 ? stage.apiKey : await addWorkspace(index);
    const agent = await post(key, "/functions/v1/api-agents", { name: "A", model: "m", provider: "openai-compatible" });
    let next = 1;
    const work = async () => {
      while (next <= runs) {
        const name = `${index}/${next++}`;
        posted.set(name, performance.now());
        await post(key, "/functions/v1/api-tasks", { title: `run ${name}`, assigned_agent_id: agent });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  const total = RUNS.reduce((sum, runs) => sum + runs, 0);
  const began = performance.now();
  for (let ended = 0; ended < total; await sleep(1_000)) {
    const { rows } = await database.query<{ n: string }>(
      "select count(*) as n from tasks where status in ('completed', 'failed', 'cancelled')",
    );
    ended = Number(rows[0]?.n);
  }
  const { rows } = await database.query<{ n: string }>("select count(*) as n from tasks where status <> 'completed'");
  const { rows: executions } = await database.query<{ n: string }>("select count(*) as n from run_executions");
  console.log(`${total} runs in ${((performance.now() - began) / 1_000).toFixed(0)} s, ${rows[0]?.n} not completed`);
  const share = (seen.rejected / (seen.rejected + seen.taken.size)) * 100;
  console.log(`429: ${seen.rejected} of ${seen.rejected + seen.taken.size} calls (${share.toFixed(1)} %)`);
  console.log(`executions: ${executions[0]?.n}`);
  for (const [index, runs] of RUNS.entries()) {
    const waits = [...posted].flatMap(([name, at]) =>
      name.startsWith(`${index}/`) ? [((seen.taken.get(name) ?? Infinity) - at) / 1_000] : [],
    );
    const fair = fairWait(Math.ceil(runs * 0.95));
    const p95 = percentile(waits, 95);
    console.log(
      `${runs} runs: wait p50 ${percentile(waits, 50).toFixed(1)} s, p95 ${p95.toFixed(1)} s; fair ${fair.toFixed(1)} s, ${(p95 / fair).toFixed(2)} ×`,
    );
  }
}

/** When the nth run of a workspace is due if all that have runs left take turns, in seconds. */
function fairWait(n: number): number {
  return (RUNS.reduce((sum, runs) => sum + Math.min(runs, n), 0) / A_MINUTE) * 60;
}

async function addWorkspace(index: number): Promise<string> {
  const key = generateKey("envelope");
  const id = newId();
  const owner = newId();
  await database.query(
    `with workspace as (insert into workspaces (id, name, plan) values ($1, $2, 'enterprise') returning id),
      owner as (insert into users (id, email, name) values ($3, $4, 'Owner') returning id)
     insert into members (workspace_id, user_id, role) select workspace.id, owner.id, 'owner' from workspace, owner`,
    [id, `Workspace ${index}`, owner, `${owner}@localhost.localdomain`],
  );
  await database.query(
    `insert into api_keys (id, workspace_id, created_by, kind, label, key_hash, prefix, scopes)
     values ($1, $2, $3, 'envelope', 'Key', $4, $5, $6)`,
    [newId(), id, owner, hashKey(key), displayPrefix(key), ["read", "write"]],
  );
  return key;
}

async function post(key: string, path: string, body: object): Promise<string> {
  const response = await fetch(stage.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return idOnly.parse(await response.json()).id;
}
