import { afterAll, beforeAll, expect } from "vitest";
import { NO_LIMIT } from "#domain/access/plan.ts";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/database.ts";
import { createRateLimits } from "#operations/access/rate-limits.ts";
import type { Principal } from "#domain/access/principal.ts";
import { newId } from "#lib/ids.ts";
import { apiOf, refusal, send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

const USUAL = {
  RATE_LIMIT_FREE: "",
  RATE_LIMIT_PRO: "",
  RATE_LIMIT_TEAM: "",
  RATE_LIMIT_ENTERPRISE: "",
};
const PLANS = [
  { verifies: "limits.per-minute.free", plan: "free", limit: 30 },
  { verifies: "limits.per-minute.pro", plan: "pro", limit: 120 },
  { verifies: "limits.per-minute.team", plan: "team", limit: 300 },
  { verifies: "limits.per-minute.enterprise", plan: "enterprise", limit: 600 },
] as const;
const keys = createKeys();

let database: TestDatabase;
let db: Database;
let one: TestService;
let other: TestService;

beforeAll(async () => {
  database = await createDatabase();
  one = await startService({ databaseUrl: database.url, keys, env: USUAL });
  other = await startPeer({ databaseUrl: database.url, keys, env: USUAL });
  db = openDatabase({ url: database.url, poolSize: 4, onIdleError: () => undefined });
});
afterAll(async () => {
  await db.close();
  await Promise.all([one.stop(), other.stop()]);
  await database.drop();
});

async function workspaceOn(plan: string): Promise<TestWorkspace> {
  const workspace = await addWorkspace(database.url);
  await sql(database.url, "update workspaces set plan = $2 where id = $1", [workspace.workspaceId, plan]);
  return workspace;
}

/** The window of an answer: its end in Unix seconds. */
function windowOf({ headers }: Answer): number {
  return Number(headers.get("x-ratelimit-reset"));
}

function remainingOf({ headers }: Answer): number {
  return Number(headers.get("x-ratelimit-remaining"));
}

/** Sends requests by several callers concurrently until all are rejected in the same window; returns all answers. */
async function untilRefused(callers: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  async function refusalOf(call: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await call();
      answers.push(answer);
      if (answer.status === 429) return answer;
    }
  }
  for (;;) {
    const refusals = await Promise.all(callers.map(refusalOf));
    if (new Set(refusals.map(windowOf)).size === 1) return answers;
  }
}

/** How many passed in each window. */
function passedIn(answers: readonly Answer[]): ReadonlyMap<number, number> {
  const passed = new Map<number, number>();
  for (const answer of answers.filter(({ status }) => status !== 429)) {
    passed.set(windowOf(answer), (passed.get(windowOf(answer)) ?? 0) + 1);
  }
  return passed;
}

for (const row of PLANS) {
  verifies(
    row.verifies,
    `${row.plan}: ${row.limit} requests a minute pass, whichever of two processes they reach, and no more`,
    async () => {
      const { key } = await workspaceOn(row.plan);
      const callers = Array.from({ length: 8 }, (_, i) => apiOf(i % 2 === 0 ? one : other, key));
      const answers = await untilRefused(callers.map((api) => () => api.get("/api-nothing")));
      const passed = passedIn(answers);
      for (const count of passed.values()) expect(count).toBeLessThanOrEqual(row.limit);
      // All were rejected in the end: the last window is full.
      expect(passed.get(Math.max(...passed.keys()))).toBe(row.limit);

      expect(answers.every(({ headers }) => headers.get("x-ratelimit-limit") === String(row.limit))).toBe(true);
    },
    { tags: "slow" },
  );
}

verifies(
  ["limits.headers.present", "limits.headers.on-errors", "limits.headers.reset-unix-seconds", "limits.window"],
  "every response has the window, and the remaining count falls by one with each, also rejections",
  async () => {
    const { workspaceId, ownerId, key } = await workspaceOn("team");
    const api = apiOf(one, key);
    const readOnly = apiOf(one, await addKey(database.url, { workspaceId, ownerId, scopes: ["read"] }));
    const answers = [
      await api.get("/api-me"),
      await api.post("/api-agents", { name: "A", model: "demo" }),
      await api.post("/api-agents", "{"),
      await api.get("/api-agents?id=01940000-0000-7000-8000-000000000000"),
      await api.get("/api-nothing"),
      await api.call("PUT", "/api-agents", { body: {} }),
      await api.get("/api-me", { "x-api-version": "7" }),
      await api.call("HEAD", "/api-me"),
      await readOnly.post("/api-tasks", { title: "x" }),
      // The service closes a connection whose body it has not read.
      await api.post("/api-tasks", { title: "x".repeat(1024 * 1024) }, { connection: "close" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 400, 404, 404, 405, 400, 200, 403, 413]);
    for (const [index, answer] of answers.entries()) {
      const before = answers[index - 1];
      if (before !== undefined && windowOf(before) === windowOf(answer)) {
        expect([index, remainingOf(answer)]).toEqual([index, remainingOf(before) - 1]);
      } else expect([index, remainingOf(answer)]).toEqual([index, 299]);
      expect(windowOf(answer) % 60).toBe(0);
    }
    const [now] = await sql<{ now: number }>(database.url, "select extract(epoch from now())::float8 as now");
    const ahead = windowOf(await apiOf(other, key).get("/api-me")) - (now?.now ?? 0);
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThanOrEqual(120);
    const unknown = await send("GET", `${one.url}/functions/v1/api-me`);
    expect([unknown.status, unknown.headers.get("x-ratelimit-limit")]).toEqual([401, null]);
  },
);

verifies(
  ["limits.per-workspace", "errors.rate-limit-exceeded", "limits.across-processes"],
  "the keys of a workspace share one count; another workspace is not affected",
  async () => {
    const { workspaceId, ownerId, key } = await workspaceOn("free");
    const second = apiOf(other, await addKey(database.url, { workspaceId, ownerId }));
    const answers = await untilRefused([() => apiOf(one, key).get("/api-me")]);
    const refused = answers.at(-1) ?? (await second.get("/api-me"));
    expect(refusal(refused)).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    const elsewhere = await second.get("/api-me");
    if (windowOf(elsewhere) === windowOf(refused)) expect(elsewhere.status).toBe(429);
    expect((await apiOf(one, (await addWorkspace(database.url)).key).get("/api-me")).status).toBe(200);
    const preflight = await send("OPTIONS", `${one.url}/functions/v1/api-me`);
    expect(preflight.status).toBe(204);
  },
);

verifies("limits.per-workspace", "a new plan applies immediately", async () => {
  const { workspaceId, key } = await workspaceOn("free");
  const api = apiOf(one, key);
  await untilRefused([() => api.get("/api-me")]);
  await sql(database.url, "update workspaces set plan = 'pro' where id = $1", [workspaceId]);
  await eventually("the limit of the new plan", async () => {
    const answer = await api.get("/api-me");
    return answer.status === 200 && answer.headers.get("x-ratelimit-limit") === "120";
  });
});

verifies("limits.never-fails-open", "requests are rejected only while the count is unavailable", async () => {
  const { key } = await workspaceOn("enterprise");
  const api = apiOf(one, key);
  await sql(database.url, "alter table request_counts rename to hidden_counts");
  const made = await api.post("/api-agents", { name: "A", model: "demo" });
  await sql(database.url, "alter table hidden_counts rename to request_counts");
  expect(refusal(made)).toMatchObject({ status: 500, code: "internal_error" });
  const after = await api.get("/api-agents");
  expect([after.status, after.body]).toEqual([200, []]);
});

function tableKey({ workspaceId, ownerId }: TestWorkspace): Principal {
  return { workspaceId, userId: ownerId, keyId: newId(), scopes: ["read", "write"], role: "member" };
}

function limitsOf(tableMinute: number, tableMonth: number) {
  const plan = { free: 1, pro: 1, team: 1, enterprise: NO_LIMIT };
  return createRateLimits(db, { plan, personMinute: NO_LIMIT, tableMinute, tableMonth });
}

verifies("limits.across-processes", "a process returns its unused permits when it stops", async () => {
  const who = tableKey(await addWorkspace(database.url));
  const first = limitsOf(NO_LIMIT, 50_000);
  for (let i = 0; i < 5; i++) await first.takeTable(who);
  await first.close();
  const next = await limitsOf(NO_LIMIT, 50_000).takeTable(who);
  expect(next).toMatchObject({ passes: true, allowed: 50_000, remaining: 49_994 });
  expect(new Date(next.resetAt * 1_000).toISOString()).toMatch(/-01T00:00:00\.000Z$/);
});

verifies("limits.across-processes", "two processes together allow a key exactly its limit of requests", async () => {
  const who = tableKey(await addWorkspace(database.url));
  const processes = [limitsOf(NO_LIMIT, 500), limitsOf(NO_LIMIT, 500)];
  const verdicts = await Promise.all(Array.from({ length: 1_200 }, async (_, i) => processes[i % 2]?.takeTable(who)));
  expect(verdicts.filter((verdict) => verdict?.passes === true)).toHaveLength(500);
  const another = await processes[0]?.takeTable({ ...who, keyId: newId() });
  expect(another?.passes).toBe(true);
});

const PROCESSES = 30;
const SPREADS = [
  { name: "one request each in turn", holderOf: (request: number) => request % PROCESSES },
  {
    name: "all of each at once",
    holderOf: (request: number, limit: number) => Math.floor((request * PROCESSES) / limit),
  },
];
for (const { name, holderOf } of SPREADS) {
  verifies(
    "limits.blocks.nearly-all",
    `${PROCESSES} processes, ${name}, let at least 98 % of a limit through, and no more than it`,
    async () => {
      const limit = 6_000;
      const plans = { free: limit, pro: limit, team: limit, enterprise: limit };
      await eventually(
        "all requests fall into one minute",
        async () => {
          // Each try has its own workspace: one that crossed a minute has used part of the next.
          const { workspaceId } = await workspaceOn("enterprise");
          const who = { workspaceId, userId: newId(), role: "owner" } as const;
          const holders = Array.from({ length: PROCESSES }, () =>
            createRateLimits(db, { plan: plans, personMinute: limit, tableMinute: limit, tableMonth: limit }),
          );
          const windows = new Set<number>();
          let passed = 0;
          for (let request = 0; request < limit; request++) {
            const verdict = await holders[holderOf(request, limit)]?.takeEnvelope(who);
            windows.add(verdict?.resetAt ?? 0);
            passed += verdict?.passes === true ? 1 : 0;
          }
          if (windows.size > 1) return false;
          expect(passed).toBeGreaterThanOrEqual(limit * 0.98);
          expect(passed).toBeLessThanOrEqual(limit);
          const again = await Promise.all(
            holders.flatMap((one) => Array.from({ length: 8 }, async () => one.takeEnvelope(who))),
          );
          expect(passed + again.filter(({ passes }) => passes).length).toBeLessThanOrEqual(limit);
          return true;
        },
        90_000,
      );
    },
    120_000,
  );
}
