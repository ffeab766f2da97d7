import { Client } from "pg";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { generateKey } from "#domain/access/api-key.ts";
import { newId } from "#lib/ids.ts";
import { ADA_ENV, bearer, postAuth, signIn } from "../../support/accounts.ts";
import { apiOf, consoleOf, fieldsOf, send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { hasEnded, readStream } from "../../support/sse-client.ts";
import type { StreamReader } from "../../support/sse-client.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent, stopTask, taskInState } from "../../support/work.ts";
import { addKey, addMember, addWorkspace, sql } from "../../support/workspace.ts";

const STREAMS_PER_KEY = 6;
const FREE_LIMIT = 3;
/** A second by the clock of a service that runs other tests concurrently, on a machine that may be busy. */
const WITHIN_A_SECOND = 10_000;
const NEEDED = "an AG-UI key (mst_agui_) or an A2A key (mst_a2a_) or an envelope key (mst_)";
const UNAUTHORIZED = { error: "Unauthorized — provide Bearer token" };

const keys = createKeys();
let database: TestDatabase;
let service: TestService;
let other: TestService;
let agentId: string;
let endless: string;

beforeAll(async () => {
  database = await createDatabase();
  const limits = { STREAMS_PER_KEY: String(STREAMS_PER_KEY), RATE_LIMIT_FREE: String(FREE_LIMIT) };
  const options = { databaseUrl: database.url, keys, env: { ...ADA_ENV, ...limits } };
  service = await startService(options);
  other = await startPeer(options);
  const api = apiOf(service, keys.api);
  agentId = (await createAgent(api)).id;
  endless = (await taskInState(api, { agentId, status: "running", description: ENDLESS })).id;
});
afterAll(async () => {
  await stopTask(apiOf(service, keys.api), endless);
  await Promise.all([service.stop(), other.stop()]);
  await database.drop();
});

/** Opens the stream of the task that does not end, and waits for its first event. */
async function openEndless(token: string, { url } = service): Promise<StreamReader> {
  const reader = await readStream({ url, keys: { agui: token } }, { agentId, taskId: endless });
  await reader.until((events) => events.length > 0);
  return reader;
}

function ask(token: string | undefined, body: object, agent = agentId): Promise<Answer> {
  const headers = token === undefined ? {} : bearer(token);
  return send("POST", `${service.url}/ag-ui/${agent}/sse`, { headers, body });
}

async function firstWorkspace() {
  const [row] = await sql<{ workspaceId: string; ownerId: string }>(
    database.url,
    `select workspace_id as "workspaceId", user_id as "ownerId" from members
     where workspace_id = (select id from workspaces order by created_at limit 1)`,
  );
  if (row === undefined) throw new Error("There is no workspace.");
  return row;
}

/** What takes a stream's credential away, and the credential. */
interface Withdrawal {
  readonly name: string;
  readonly prepare: () => Promise<{ readonly token: string; readonly withdraw: () => Promise<unknown> }>;
}

const consoleApi = () => consoleOf(service, keys.api);
const withdrawals: readonly Withdrawal[] = [
  {
    name: "its key is revoked",
    async prepare() {
      const { id, key } = fieldsOf(await consoleApi().post("/keys", { label: "Stream", kind: "ag-ui" }));
      return { token: String(key), withdraw: () => consoleApi().delete(`/keys/${String(id)}`) };
    },
  },
  {
    name: "its key is rotated without an overlap",
    async prepare() {
      const { id, key } = fieldsOf(await consoleApi().post("/keys", { label: "Stream", kind: "envelope" }));
      return {
        token: String(key),
        withdraw: () => consoleApi().post(`/keys/${String(id)}/rotate`, { overlap_seconds: 0 }),
      };
    },
  },
  {
    name: "the member who made its key is removed",
    async prepare() {
      const { workspaceId } = await firstWorkspace();
      const { userId } = await addMember(database.url, workspaceId, "member");
      const token = await addKey(database.url, { workspaceId, ownerId: userId, kind: "a2a" });
      return { token, withdraw: () => consoleApi().delete(`/members/${userId}`) };
    },
  },
  {
    name: "its person signs out",
    async prepare() {
      const { access_token: token, cookie } = await signIn(service);
      return { token, withdraw: () => postAuth(service, "sign-out", {}, { cookie }) };
    },
  },
];

for (const { name, prepare } of withdrawals) {
  verifies(
    "ag-ui.sse.ends-with-credential",
    `open streams end within a second when ${name}, on every process`,
    async () => {
      const { token, withdraw } = await prepare();
      const streams = [await openEndless(token), await openEndless(token, other)];
      const spared = await openEndless(keys.agui);
      const since = performance.now();
      await withdraw();
      expect(await Promise.all(streams.map(({ over }) => over))).toEqual(["closed", "closed"]);
      expect(performance.now() - since).toBeLessThan(WITHIN_A_SECOND);
      for (const { events } of streams) expect(hasEnded(events)).toBe(false);
      const refused = await ask(token, { threadId: endless });
      expect([refused.status, refused.body]).toEqual([401, UNAUTHORIZED]);
      const stillOpen = Symbol("open");
      expect(await Promise.race([spared.over, Promise.resolve(stillOpen)])).toBe(stillOpen);
      await spared.cut();
    },
  );
}

verifies("ag-ui.sse.ends-with-credential", "an open stream ends when its key expires", async () => {
  const expiresAt = new Date(Date.now() + 6_000);
  const token = await addKey(database.url, { ...(await firstWorkspace()), kind: "ag-ui", expiresAt });
  const reader = await openEndless(token);
  expect(await reader.over).toBe("closed");
  expect(Date.now() - expiresAt.getTime()).toBeLessThan(WITHIN_A_SECOND);
});

verifies("ag-ui.sse.streams-per-key", "one stream more than a key's limit is 429 until one ends", async () => {
  const owner = await firstWorkspace();
  const [token, another] = [
    await addKey(database.url, { ...owner, kind: "ag-ui" }),
    await addKey(database.url, { ...owner, kind: "ag-ui" }),
  ];
  const open = [];
  for (let count = 0; count < STREAMS_PER_KEY; count++) open.push(await openEndless(token));
  const refused = await ask(token, { threadId: endless });
  expect([refused.status, refused.body, refused.headers.get("retry-after")]).toEqual([
    429,
    { error: `This key has ${STREAMS_PER_KEY} open streams, as many as STREAMS_PER_KEY allows. Close one first.` },
    "5",
  ]);
  await (await openEndless(another)).cut();
  await open.pop()?.cut();
  const next = await eventually("there is room again", () => openEndless(token).catch(() => undefined));
  for (const reader of [next, ...open]) await reader.cut();
  const unknown = async () => (await ask(token, { threadId: "x" })).status;
  await eventually("the service has noticed", async () => (await unknown()) === 404);
  for (let count = 0; count < 2 * STREAMS_PER_KEY; count++) expect(await unknown()).toBe(404);
});

verifies("ag-ui.sse.starts-count", "messages count against the plan's limit, and so does reading", async () => {
  const owner = await addWorkspace(database.url);
  const key = await addKey(database.url, { ...owner, kind: "ag-ui" });
  await sql(database.url, "update workspaces set plan = 'pro' where id = $1", [owner.workspaceId]);
  const { id: agent } = await createAgent(apiOf(service, owner.key));
  await sql(database.url, "update workspaces set plan = 'free' where id = $1", [owner.workspaceId]);
  const start = (threadId: string) =>
    ask(key, { threadId, messages: [{ id: newId(), role: "user", content: QUICK }] }, agent);
  const last = await eventually("the limit is reached", async () => {
    const answer = await start(newId());
    return answer.status === 429 && answer;
  });
  const used = `The workspace has used all ${FREE_LIMIT} requests outside the envelope API for this minute. Try again in `;
  expect(last.body).toEqual({ error: expect.stringContaining(used) });
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(last.headers.get("x-ratelimit-limit")).toBe(String(FREE_LIMIT));
  await eventually("reading is limited too", async () => (await ask(key, { threadId: newId() }, agent)).status === 429);
});

describe("only the allowed credentials open a stream", () => {
  verifies(
    ["auth.ag-ui.access-token", "auth.ag-ui.envelope-key"],
    "a person's token and an envelope key start, read and answer",
    async () => {
      const { access_token: token } = await signIn(service);
      for (const credential of [token, keys.api]) {
        const answer = await ask(credential, {
          threadId: newId(),
          messages: [{ id: newId(), role: "user", content: QUICK }],
        });
        expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("RUN_FINISHED")]);
      }
    },
  );

  verifies("auth.ag-ui.envelope-key", "an envelope key without a scope is 403 where it is needed", async () => {
    const owner = await firstWorkspace();
    const reads = await addKey(database.url, { ...owner, scopes: ["read"] });
    const writes = await addKey(database.url, { ...owner, scopes: ["write"] });
    const message = { threadId: newId(), messages: [{ id: newId(), role: "user", content: QUICK }] };
    expect((await ask(reads, message)).status).toBe(403);
    expect((await ask(writes, { threadId: endless })).status).toBe(403);
    await (await openEndless(reads)).cut();
  });

  verifies(["auth.ag-ui.www-authenticate", "auth.wrong-kind.named"], "a 401 says how to authenticate", async () => {
    const rejected = (why: string) => `Bearer error="invalid_token", error_description="${why}"`;
    const challenges = [
      [undefined, "Bearer"],
      ["mst_agui_unknown0000000000", rejected("Invalid API key.")],
      ["a.b.c", rejected("Invalid or expired access token.")],
      [generateKey("mcp"), rejected(`This is an MCP key; ${NEEDED} is needed here.`)],
    ] as const;
    for (const [token, challenge] of challenges) {
      const answer = await ask(token, { threadId: endless });
      expect([answer.status, answer.body, answer.headers.get("www-authenticate")]).toEqual([
        401,
        UNAUTHORIZED,
        challenge,
      ]);
    }
  });
});

verifies("ag-ui.sse.fair-reads", "many readers of logs leave connections to other requests", async () => {
  const blocker = new Client({ connectionString: database.url });
  await blocker.connect();
  await blocker.query("begin");
  await blocker.query("lock table task_events in access exclusive mode");
  const owner = await firstWorkspace();
  const tokens = await Promise.all([1, 2, 3].map(() => addKey(database.url, { ...owner, kind: "ag-ui" })));
  const readers = await Promise.all(
    tokens.flatMap((agui) =>
      Array.from({ length: STREAMS_PER_KEY }, () =>
        readStream({ url: service.url, keys: { agui } }, { agentId, taskId: endless }),
      ),
    ),
  );
  try {
    expect((await apiOf(service, keys.api).get("/api-agents")).status).toBe(200);
  } finally {
    await blocker.query("rollback");
    await blocker.end();
  }
  for (const reader of readers) {
    await reader.until((events) => events.length > 0);
    await reader.cut();
  }
});
