import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, refusal, V2 } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, taskIn } from "../../support/work.ts";
import { addKey, addMember, addWorkspace, sql } from "../../support/workspace.ts";

/** Each POST of the envelope API: a body that makes something, and where what it made can be counted. */
const POSTS: readonly {
  readonly path: string;
  readonly body: (name: string) => object | Promise<object>;
  readonly counted: string;
}[] = [
  {
    path: "/api-agents",
    body: (name) => ({ name, model: "demo" }),
    counted: "select from agents where name = $1",
  },
  { path: "/api-tasks", body: (title) => ({ title }), counted: "select from tasks where title = $1" },
  {
    path: "/api-teams",
    body: (name) => ({ name, mode: "pipeline" }),
    counted: "select from teams where name = $1",
  },
  {
    path: "/api-runs",
    body: async (input_task) => {
      const team = await api.post("/api-teams", await oneStep());
      return { team_id: fieldsOf(team)["id"], input_task };
    },
    counted: "select from team_runs where input_task = $1",
  },
  {
    path: "/api-hooks",
    body: (name) => ({ target_url: `https://example.com/${name}`, event: "task_completed" }),
    counted: "select from webhook_subscriptions where target_url = 'https://example.com/' || $1",
  },
];
const keys = createKeys();

let database: TestDatabase;
let one: TestService;
let other: TestService;
let api: Api;

beforeAll(async () => {
  database = await createDatabase();
  one = await startService({ databaseUrl: database.url, keys });
  other = await startPeer({ databaseUrl: database.url, keys });
  api = apiOf(one, keys.api);
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await database.drop();
});

let keyNumber = 0;
/** A header with a key that no test has used. */
function freshKey() {
  keyNumber += 1;
  return { "idempotency-key": `key ${keyNumber}` };
}

function replayed({ headers }: Answer): boolean {
  return headers.get("idempotent-replayed") === "true";
}

/** A team whose run ends at once. */
async function oneStep() {
  const agent = await createAgent(api);
  return { name: "Team", mode: "pipeline", config: { steps: [{ agent_id: agent.id, step_name: "Only" }] } };
}

async function tasksCalled(title: string): Promise<number> {
  return (await sql(database.url, "select from tasks where title = $1", [title])).length;
}

verifies("envelope.idempotency.every-post", "the list of POSTs above is that of the API", async () => {
  const document = fieldsOf(await apiOf({ url: one.url }, keys.api).call("GET", "/../../openapi.json"));
  const paths = Object.entries(Object(document["paths"]))
    .filter(([path, methods]) => path.startsWith("/functions/v1/") && "post" in Object(methods))
    .map(([path]) => path.replace("/functions/v1", ""));
  expect(paths.toSorted()).toEqual(POSTS.map(({ path }) => path).toSorted());
});

for (const { path, body, counted } of POSTS) {
  const made = async (name: string) => (await sql(database.url, counted, [name])).length;

  verifies(
    ["envelope.idempotency.every-post", "envelope.idempotency.replay", "envelope.idempotency.replay-header"],
    `${path}: a repeated request gets the first one's answer, byte by byte, from both processes`,
    async () => {
      const sent = await body("repeated");
      for (const version of [{}, V2]) {
        const headers = { ...freshKey(), ...version };
        const first = await api.post(path, sent, headers);
        expect([first.status, replayed(first)]).toEqual([201, false]);
        for (const again of [api, apiOf(other, keys.api)]) {
          const repeated = await again.post(path, sent, headers);
          expect([repeated.status, replayed(repeated), repeated.text]).toEqual([201, true, first.text]);
          for (const name of ["content-type", "x-request-id"]) {
            expect(repeated.headers.get(name)).toBe(first.headers.get(name));
          }
          expect(Number(repeated.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
        }
      }
      expect(await made("repeated")).toBe(2);
    },
  );

  verifies(
    ["envelope.idempotency.every-post", "envelope.idempotency.other-body-409"],
    `${path}: the same key with another body, version or path is a conflict, and does nothing`,
    async () => {
      const headers = freshKey();
      const sent = await body("another");
      await api.post(path, sent, headers);
      const otherPath = path === "/api-tasks" ? "/api-agents" : "/api-tasks";
      for (const answer of [
        await api.post(path, { ...sent, description: "another" }, headers),
        await api.post(path, `${JSON.stringify(sent)} `, headers),
        await api.post(path, sent, { ...headers, ...V2 }),
        await api.post(otherPath, { title: "Other path" }, headers),
      ]) {
        expect(refusal(answer)).toMatchObject({ status: 409, code: "conflict" });
      }
      expect(replayed(await api.post(path, sent, headers))).toBe(true);
      expect(await made("another")).toBe(1);
    },
  );

  verifies(
    ["envelope.idempotency.replay", "envelope.idempotency.across-processes"],
    `${path}: of many at the same time at two processes one is executed, and all get its answer`,
    async () => {
      const headers = freshKey();
      const sent = await body("all-at-once");
      const apis = [api, apiOf(other, keys.api)];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (apis[i % 2] ?? api).post(path, sent, headers)),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers.filter((answer) => !replayed(answer))).toHaveLength(1);
      expect(await made("all-at-once")).toBe(1);
    },
  );
}

verifies("envelope.idempotency.replay", "a task that is sent with a key runs, and runs once", async () => {
  const agent = await createAgent(api);
  const body = { title: "Runs once", assigned_agent_id: agent.id, description: QUICK };
  const headers = freshKey();
  const { id } = fieldsOf(await api.post("/api-tasks", body, headers));
  await taskIn(api, String(id), "completed");
  const again = await api.post("/api-tasks", body, headers);
  expect([again.status, fieldsOf(again)["status"]]).toEqual([201, "dispatched"]);
  expect(await taskIn(api, String(id), "completed")).toMatchObject({ attempt: 1 });
});

verifies(
  "envelope.idempotency.refusals-not-stored",
  "a rejected request leaves its key free and stores nothing",
  async () => {
    const headers = freshKey();
    const unknown = "01940000-0000-7000-8000-000000000000";
    const refused = [
      await api.post("/api-tasks", { title: 5 }, headers),
      await api.post("/api-tasks", "{", headers),
      await api.post("/api-tasks", { title: "Freed", assigned_agent_id: unknown }, headers),
      await api.post("/api-nothing", {}, headers),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 404, 404]);
    await sql(database.url, "alter table task_streams rename to hidden_streams");
    const broken = await api.post("/api-tasks", { title: "Freed" }, headers);
    await sql(database.url, "alter table hidden_streams rename to task_streams");
    expect(broken.status).toBe(500);
    expect(await tasksCalled("Freed")).toBe(0);
    const made = await api.post("/api-tasks", { title: "Freed" }, headers);
    expect([made.status, replayed(made)]).toEqual([201, false]);
  },
);

verifies(
  "envelope.idempotency.workspace",
  "keys belong to the workspace, whichever API key comes with them",
  async () => {
    const headers = freshKey();
    const first = await addWorkspace(database.url);
    const second = await addWorkspace(database.url);
    const body = { title: "Mine" };
    const made = await apiOf(one, first.key).post("/api-tasks", body, headers);
    const foreign = await apiOf(one, second.key).post("/api-tasks", body, headers);
    expect([foreign.status, replayed(foreign)]).toEqual([201, false]);
    const colleague = apiOf(other, await addKey(database.url, first));
    expect((await colleague.post("/api-tasks", body, headers)).text).toBe(made.text);
    const reader = apiOf(one, await addKey(database.url, { ...first, scopes: ["read"] }));
    expect((await reader.post("/api-tasks", body, headers)).status).toBe(403);
  },
);

verifies(
  "envelope.idempotency.person",
  "an admin who repeats an owner's request gets neither the owner's key nor the owner's invitation",
  async () => {
    const workspace = await addWorkspace(database.url);
    const owner = consoleOf(one, workspace.key);
    const admin = consoleOf(other, (await addMember(database.url, workspace.workspaceId, "admin")).key);
    for (const [path, body] of [
      ["/keys", { label: "CI", kind: "envelope" }],
      ["/invitations", { email: "next@example.org", role: "owner" }],
    ] as const) {
      const headers = freshKey();
      const made = await owner.post(path, body, headers);
      expect(made.status).toBe(201);
      expect(refusal(await admin.post(path, body, headers))).toMatchObject({ status: 409, code: "conflict" });
      expect((await owner.post(path, body, headers)).text).toBe(made.text);
    }
  },
);

verifies("envelope.idempotency.key-form", "a key is 1 to 255 printable characters", async () => {
  for (const key of ["", "x".repeat(256), "tab\there"]) {
    const answer = await api.post("/api-tasks", { title: "x" }, { "idempotency-key": key });
    expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request" });
  }
  const longest = { "idempotency-key": "x".repeat(255) };
  expect((await api.post("/api-tasks", { title: "x" }, longest)).status).toBe(201);
});

verifies("envelope.idempotency.replay", "after 24 hours a key is free again", async () => {
  const headers = freshKey();
  const body = { title: "Aged" };
  await api.post("/api-tasks", body, headers);
  const age = (time: string) =>
    sql(database.url, "update idempotent_answers set created_at = now() - $2::interval where key = $1", [
      headers["idempotency-key"],
      time,
    ]);
  await age("23:59");
  expect(replayed(await api.post("/api-tasks", body, headers))).toBe(true);
  await age("24:01");
  expect(replayed(await api.post("/api-tasks", body, headers))).toBe(false);
  expect(replayed(await api.post("/api-tasks", body, headers))).toBe(true);
});

verifies("envelope.idempotency.sealed", "stored answers cannot be read in the database", async () => {
  await api.post("/api-tasks", { title: "A secret title" }, freshKey());
  const rows = await sql<{ row: string }>(database.url, "select a::text as row from idempotent_answers a");
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) expect(row).not.toContain("secret title");
});
