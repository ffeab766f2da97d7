import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import { openAccountScene } from "../../support/mcp/account-scene.ts";
import type { AccountScene } from "../../support/mcp/account-scene.ts";
import { startOAuthMcpServer } from "../../support/mcp/oauth-server.ts";
import { createTeam } from "../../support/teams.ts";
import { eventually } from "../../support/eventually.ts";
import { orderOf } from "../../support/tool-calls.ts";
import { stopTask, taskIn } from "../../support/work.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

/** The calls of two people; `ACCOUNT_CALLS=10000` makes that many. */
const CALLS = Number(process.env["ACCOUNT_CALLS"] ?? 24);
/** The runs at a time. */
const AT_ONCE = 8;

let scene: AccountScene;

beforeAll(async () => {
  scene = await openAccountScene();
});
afterAll(() => scene.close());
beforeEach(() => {
  Object.assign(scene.server, {
    account: "nobody",
    tokenSeconds: 600,
    mood: "well",
    echoes: "nothing",
    needs: undefined,
  });
});

const stateOf = async (id: string) => {
  const { account_status: status, account_error: error } = fieldsOf(await scene.ada.get(`/mcp-servers/${id}`));
  return { status, error };
};

verifies(
  ["mcp.account.workspace", "mcp.account.secret"],
  "a workspace signs in to a server once, and all runs use its account",
  async () => {
    const { ada, ben, server, service, api } = scene;
    const found = await ada.post("/mcp-servers/discover", { url: server.url });
    expect(found.body).toMatchObject({ needs_sign_in: true, tools: [] });
    const { id, name } = await scene.register({ account: "workspace" });
    expect(await stateOf(id)).toEqual({ status: "missing", error: null });
    expect((await ben.post(`/mcp-servers/${id}/connect`)).status).toBe(403);
    server.account = "acme";
    const landed = await scene.connect(ada, id);
    expect(landed.location).toContain(`/protocols?tab=mcp&id=${id}`);
    const record = fieldsOf(await ada.get(`/mcp-servers/${id}`));
    expect(record).toMatchObject({ account_status: "connected", server_name: "personal", tool_count: 1 });
    const listed = listOf(await ada.get(`/mcp-servers/${id}/accounts`));
    expect(listed).toMatchObject([{ person: null, status: "connected", scope: "read write" }]);
    const agentId = await scene.agentOf(name);
    for (const caller of [ada, ben, api]) {
      const task = await scene.start(caller, agentId, { name, text: "hello" });
      expect(await scene.resultOf(agentId, task)).toBe("acme: hello");
    }
    const [row] = await sql<{ tokens_ciphertext: string }>(
      service.databaseUrl,
      "select tokens_ciphertext from mcp_accounts where server_id = $1",
      [id],
    );
    expect(row?.tokens_ciphertext).toMatch(/^[\w+/=.]{100,}$/);
    const log = await ada.get("/audit?kind=mcp_account");
    expect(log.body).toMatchObject({ items: [{ action: "mcp_account.created" }] });
    expect(log.text).toContain(name);
    expect(log.text).not.toMatch(/tokens?"/);
  },
);

verifies(
  ["mcp.account.person", "mcp.account.crossed"],
  "the account of a person is used only in runs that he started: no token crosses",
  async () => {
    const { ada, ben, server } = scene;
    const { id, name } = await scene.register({ account: "person" });
    for (const [account, person] of [
      ["ada", ada],
      ["ben", ben],
    ] as const) {
      server.account = account;
      expect((await scene.connect(person, id)).status).toBe(303);
    }
    const agentId = await scene.agentOf(name);
    const from = server.calls.length;
    const call = async (n: number) => {
      const [account, person] = n % 2 === 0 ? (["ada", ada] as const) : (["ben", ben] as const);
      const text = `${account}-${n}`;
      const task = await scene.start(person, agentId, { name, text });
      expect(await scene.resultOf(agentId, task)).toBe(`${account}: ${text}`);
    };
    for (let n = 0; n < CALLS; n += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, CALLS - n) }, (_, place) => call(n + place)));
    const made = server.calls.slice(from);
    expect(made).toHaveLength(CALLS);
    expect(made.filter(({ account, text }) => !text.startsWith(`${account}-`))).toEqual([]);
  },
  { timeout: 30_000 + CALLS * 200 },
);

verifies(
  ["mcp.account.approver", "mcp.account.waits"],
  "a run that nobody started himself waits, and uses the account of who approves the call",
  async () => {
    const { ada, ben, server, api } = scene;
    const { id, name } = await scene.register({ account: "person" });
    server.account = "ben";
    await scene.connect(ben, id);
    const agentId = await scene.agentOf(name);
    const task = await scene.start(api, agentId, { name, text: "by a key" });
    const question = await scene.questionOf(task);
    expect(question.text).toContain(`Connect an account at ${name}`);
    expect(question.text).toContain(`"text": "by a key"`);
    expect(server.calls.filter(({ text }) => text === "by a key")).toEqual([]);
    const byKey = await api.call("POST", `/../../console/api/tasks/${task}/answer`, {
      body: { interactionId: question.id, approved: true },
    });
    expect(byKey.status).toBe(403);
    expect((await ben.post(`/tasks/${task}/answer`, { interactionId: question.id, approved: true })).status).toBe(200);
    expect(await scene.resultOf(agentId, task)).toBe("ben: by a key");

    const other = await scene.start(ada, agentId, { name, text: "without" });
    const asked = await scene.questionOf(other);
    await ada.post(`/tasks/${other}/answer`, { interactionId: asked.id, approved: true });
    expect(await scene.resultOf(agentId, other)).toContain("has connected an account");
    expect(server.calls.filter(({ text }) => text === "without")).toEqual([]);
  },
);

verifies("mcp.account.person", "a team's agents use the account of who started the team", async () => {
  const { ada, ben, server, api } = scene;
  const { id, name } = await scene.register({ account: "person" });
  server.account = "ada";
  await scene.connect(ada, id);
  const call = (text: string) => orderOf(`${name}--whoami`, { text });
  const steps = [{ agent_id: await scene.agentOf(name), instructions: call(`of a team ${name}`) }];
  const { id: team } = await createTeam(api, { config: { steps } });
  const startBy = async (person: typeof ada) => {
    const made = await person.startTask({ title: "Work", assigned_team_id: team });
    return String(fieldsOf(made)["id"]);
  };
  await taskIn(api, await startBy(ada), "completed");
  const bens = await startBy(ben);
  await eventually("it asks", async () => (await ada.get("/questions?state=open")).text.includes(`account at ${name}`));
  await stopTask(api, bens);
  expect(server.calls.filter(({ text }) => text === `of a team ${name}`)).toMatchObject([{ account: "ada" }]);
});

verifies(
  "mcp.account.approver",
  "a protected call of a run by a key uses the account of the person who approved it",
  async () => {
    const { ada, ben, server, api } = scene;
    const { id, name } = await scene.register({ account: "person" });
    for (const [account, person] of [
      ["ada", ada],
      ["ben", ben],
    ] as const) {
      server.account = account;
      await scene.connect(person, id);
    }
    const made = await ada.post("/keys", { label: "CLI", kind: "envelope" });
    const desk = consoleOf(scene.service, String(fieldsOf(made)["key"]));
    const tested = await desk.post(`/mcp-servers/${id}/test`, { tool: "whoami", arguments: {} });
    expect(tested.body).toMatchObject({ status: "failed", error: expect.stringContaining("A key does not use") });
    const agentId = await scene.agentOf(name, { config: { requires_approval: [`mcp:${name}/whoami`] } });
    for (const [account, person] of [
      ["ada", ada],
      ["ben", ben],
    ] as const) {
      const task = await scene.start(api, agentId, { name, text: account });
      const { id: interactionId } = await scene.questionOf(task);
      await person.post(`/tasks/${task}/answer`, { interactionId, approved: true });
      expect(await scene.resultOf(agentId, task)).toBe(`${account}: ${account}`);
    }
  },
);

verifies(
  ["mcp.account.lost", "mcp.account.waits"],
  "a lost account is shown with the reason, and a run waits until it is connected again",
  async () => {
    const { ada, server } = scene;
    const { id, name } = await scene.register({ account: "workspace" });
    server.account = "acme";
    await scene.connect(ada, id);
    const agentId = await scene.agentOf(name);
    server.revokeAll();
    const task = await scene.start(ada, agentId, { name, text: "again" });
    const question = await scene.questionOf(task);
    expect(question.text).toContain("no longer works");
    expect(question.text).toContain(`/w/${ada.session.workspace_id}/protocols?tab=mcp&id=${id} `);
    expect(await stateOf(id)).toEqual({ status: "lost", error: expect.stringContaining("invalid_grant") });
    const tested = await ada.post(`/mcp-servers/${id}/test`, { tool: "whoami", arguments: {} });
    expect(tested.body).toMatchObject({ status: "failed", error: expect.stringContaining("Connect it again") });
    const refreshed = fieldsOf(await ada.post(`/mcp-servers/${id}/refresh`));
    expect(refreshed).toMatchObject({ account_status: "lost", last_error: null, tool_count: 1 });
    expect((await scene.connect(ada, id)).status).toBe(303);
    await ada.post(`/tasks/${task}/answer`, { interactionId: question.id, approved: true });
    expect(await scene.resultOf(agentId, task)).toBe("acme: again");
    const log = await ada.get("/audit?kind=mcp_account&limit=4");
    expect(log.text).toContain('"mcp_account.changed"');
  },
);

verifies("mcp.account.scope", "a server that asks for more is given more when it is connected again", async () => {
  const { ada, server } = scene;
  const { id, name } = await scene.register({ account: "workspace", scope: "read" });
  server.account = "acme";
  await scene.connect(ada, id);
  server.needs = "write";
  const agentId = await scene.agentOf(name);
  const task = await scene.start(ada, agentId, { name, text: "more" });
  expect((await scene.questionOf(task)).text).toContain("asks for more than was granted: write");
  await ada.patch(`/mcp-servers/${id}`, { oauth: { account: "workspace", scope: "read write" } });
  await scene.connect(ada, id);
  const { id: interactionId } = await scene.questionOf(task);
  await ada.post(`/tasks/${task}/answer`, { interactionId, approved: true });
  expect(await scene.resultOf(agentId, task)).toBe("acme: more");
});

verifies("mcp.account.secret", "no text that a server makes of a token shows it", async () => {
  const { ada, server } = scene;
  const { id, name } = await scene.register({ account: "workspace" });
  server.account = "acme";
  await scene.connect(ada, id);
  const agentId = await scene.agentOf(name);
  server.echoes = "in results";
  const calls = [() => undefined, () => server.revokeAccess()];
  for (const before of calls) {
    before();
    const task = await scene.start(ada, agentId, { name, text: "my token" });
    expect(await scene.resultOf(agentId, task)).toBe("••••: my token");
  }
  server.echoes = "in errors";
  const task = await scene.start(ada, agentId, { name, text: "failed" });
  const shown = [
    await scene.resultOf(agentId, task),
    (await ada.post(`/mcp-servers/${id}/test`, { tool: "whoami", arguments: {} })).text,
    (await ada.post(`/mcp-servers/${id}/refresh`)).text,
    (await ada.get(`/runs/${task}/steps`)).text,
  ];
  expect(shown[2]).toContain("no, ••••");
  for (const text of shown) for (const token of server.seen) expect(text).not.toContain(token);
});

verifies("mcp.account.url", "tokens count for one URL: after a change accounts must be connected again", async () => {
  const { ada, server } = scene;
  const { id } = await scene.register({ account: "workspace" });
  server.account = "acme";
  await scene.connect(ada, id);
  const record = fieldsOf(await ada.get(`/mcp-servers/${id}`));
  expect((await ada.patch(`/mcp-servers/${id}`, { oauth: record["oauth"], timeout_ms: 5_000 })).status).toBe(200);
  expect(await stateOf(id)).toMatchObject({ status: "connected" });
  const moved = await ada.patch(`/mcp-servers/${id}`, { url: `${server.url}?other` });
  expect(moved.body).toMatchObject({ account_status: "missing" });
  expect(listOf(await ada.get(`/mcp-servers/${id}/accounts`))).toEqual([]);
});

verifies("mcp.account.disconnect", "people disconnect their own account, and admins any", async () => {
  const { ada, ben, server, service } = scene;
  const { id } = await scene.register({ account: "person" });
  const connect = async () => {
    for (const [account, person] of [
      ["ada", ada],
      ["ben", ben],
    ] as const) {
      server.account = account;
      await scene.connect(person, id);
    }
    const rows = listOf(await ben.get(`/mcp-servers/${id}/accounts`));
    return rows.map((row) => String(row["id"]));
  };
  const [adas, bens] = await connect();
  expect((await ben.delete(`/mcp-servers/${id}/accounts/${adas}`)).status).toBe(403);
  expect((await ben.delete(`/mcp-servers/${id}/accounts/${bens}`)).status).toBe(204);
  expect((await ada.delete(`/mcp-servers/${id}/accounts/${adas}`)).status).toBe(204);
  expect((await ada.delete(`/mcp-servers/${id}/accounts/${adas}`)).status).toBe(404);
  await connect();
  await ada.delete(`/members/${ben.session.user.id}`);
  const left = await sql(service.databaseUrl, "select from mcp_accounts where server_id = $1", [id]);
  expect(left).toHaveLength(1);
});

verifies("mcp.account.client", "a given client is used, and none is registered", async () => {
  const { ada, server } = scene;
  const before = server.registered;
  const without = await ada.post("/mcp-servers", {
    name: "no-id",
    url: server.url,
    oauth: { account: "person", client_secret: "x" },
  });
  expect(refusal(without)).toMatchObject({ status: 400, paths: ["oauth.client_id"] });
  const { id } = await scene.register({ account: "workspace", client_id: "given", client_secret: "a secret of 4711" });
  const page = new URL(await scene.begin(ada, id));
  expect(page.searchParams.get("client_id")).toBe("given");
  expect(server.registered).toBe(before);
  expect((await ada.get(`/mcp-servers/${id}`)).text).not.toContain("4711");
  const stored = async () => {
    const text = "select client_ciphertext from mcp_servers where id = $1";
    return (await sql<{ client_ciphertext: string }>(scene.service.databaseUrl, text, [id]))[0]?.client_ciphertext;
  };
  const secret = await stored();
  await ada.patch(`/mcp-servers/${id}`, { oauth: { account: "workspace", client_id: "given", scope: "read" } });
  expect(await stored()).toBe(secret);
  const other = await startOAuthMcpServer();
  await ada.patch(`/mcp-servers/${id}`, { url: other.url });
  const refused = refusal(await ada.post(`/mcp-servers/${id}/connect`));
  const message = expect.stringContaining(`The client is registered at ${server.issuer}, but`);
  expect(refused).toMatchObject({ status: 400, message });
  await other.close();
});
