import { beforeAll, expect } from "vitest";
import { STREAM_TOKEN_PURPOSE, STREAM_TOKEN_SECONDS, signStreamToken } from "#domain/access/stream-token.ts";
import { createSecretBox } from "#lib/security/secret-box.ts";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { servedRoutes } from "../../support/checks/served-routes.ts";
import { eventually } from "../../support/eventually.ts";
import { questionOf, respond } from "../../support/interactions.ts";
import { createKey } from "../../support/keys.ts";
import { ENCRYPTION_KEY } from "../../support/service.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { eventsIn, hasEnded, readStream, readToEnd } from "../../support/sse-client.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent, createTask, stopTask, taskInState } from "../../support/work.ts";
import { addKey, addMember, sql } from "../../support/workspace.ts";

const ASK = '[[tool:request_choice {"title":"What?","choices":[{"id":"tea","label":"Tea"}]}]]';
/** What needs no credential, or would count against the limits of sign-ins. */
const UNTRIED = /^\w+ \/(?:auth\/|hooks\/|$)/;

let service: SharedService;
let api: Api;
let desk: Api;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  desk = consoleOf(service, service.keys.api);
  agentId = (await createAgent(api, { tools: ["request_choice", "wait"] })).id;
});

async function tokenFor(path: string, body?: object, by = desk): Promise<Record<string, unknown>> {
  const made = await by.post(`${path}/stream-token`, body);
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return fieldsOf(made);
}

function say(token: unknown, threadId: unknown, content: string, agent = agentId): Promise<Answer> {
  const messages = [{ id: newId(), role: "user", content }];
  return send("POST", `${service.url}/ag-ui/${agent}/sse`, {
    headers: { authorization: `Bearer ${String(token)}` },
    body: { threadId, runId: newId(), state: {}, messages, tools: [], context: [], forwardedProps: {} },
  });
}

/** The service as a page with a token sees it. */
const asPage = (token: unknown) => ({ url: service.url, keys: { agui: String(token) } });

verifies("streams.token.conversation", "a page with a token talks with one agent in one thread", async () => {
  const { token, thread_id: threadId, path } = await tokenFor(`/agents/${agentId}`, {});
  expect(path).toBe(`/ag-ui/${agentId}/sse`);
  const answered = await say(token, threadId, QUICK);
  expect(eventsIn(answered).at(-1)).toMatchObject({ type: "RUN_FINISHED", threadId });
  const all = await readToEnd(asPage(token), { agentId, taskId: String(threadId) });
  const rest = await readToEnd(asPage(token), { agentId, taskId: String(threadId), lastEventId: all.at(-2)?.id });
  expect(rest).toEqual(all.slice(-1));

  const asked = await say(token, threadId, ASK);
  expect(eventsIn(asked).at(-1)).toMatchObject({ outcome: { type: "interrupt" } });
  const renewed = await tokenFor(`/agents/${agentId}`, { thread_id: threadId });
  const { reader, interactionId } = await questionOf(asPage(renewed["token"]), { agentId, taskId: String(threadId) });
  const choice = { interactionId, selectedOptionId: "tea" };
  const done = await respond(asPage(renewed["token"]), { agentId, taskId: String(threadId) }, choice);
  expect([done.status, done.text]).toEqual([200, expect.any(String)]);
  await reader.over;

  const other = await createAgent(api);
  const refused = [
    await say(token, newId(), QUICK),
    await say(token, threadId, QUICK, other.id),
    await respond(asPage(token), { agentId, taskId: newId() }, { interactionId }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(refused[0]?.text).toContain(`is for the thread ${String(threadId)} of the agent ${agentId} only`);
});

verifies(
  "streams.token.run",
  "a token for a task or a team run follows and answers it, and sends nothing",
  async () => {
    const task = await createTask(api, { assigned_agent_id: agentId, description: QUICK });
    const { token } = await tokenFor(`/runs/${task.id}`);
    expect((await readToEnd(asPage(token), { agentId, taskId: task.id })).at(-1)?.event).toMatchObject({
      type: "RUN_FINISHED",
    });
    const said = await say(token, task.id, QUICK);
    expect([said.status, said.text]).toEqual([403, expect.stringContaining("only follows and answers the task")]);

    const config = { steps: [{ agent_id: agentId }] };
    const team = fieldsOf(await api.post("/api-teams", { name: "T", mode: "pipeline", config }));
    const run = fieldsOf(await api.post("/api-runs", { team_id: team["id"], input_task: QUICK }));
    const ofRun = await tokenFor(`/runs/${String(run["id"])}`);
    expect(ofRun).toMatchObject({ path: `/ag-ui/runs/${String(run["id"])}/sse`, thread_id: null });
    const follow = (id: unknown) =>
      send("POST", `${service.url}/ag-ui/runs/${String(id)}/sse`, {
        headers: { authorization: `Bearer ${String(ofRun["token"])}` },
        body: {},
      });
    expect(eventsIn(await follow(run["id"])).at(-1)).toMatchObject({ type: "RUN_FINISHED" });
    expect((await follow(newId())).status).toBe(403);
  },
);

verifies("streams.token.nothing-else", "no other route accepts a stream token", async () => {
  const { token } = await tokenFor(`/agents/${agentId}`, {});
  const reachable = new Set(["POST /ag-ui/{agentId}/sse", "POST /ag-ui/{agentId}/respond"]);
  const wrong: string[] = [];
  for (const route of servedRoutes().filter((one) => !reachable.has(one) && !UNTRIED.test(one))) {
    const [method = "", path = ""] = route.replace("ANY", "POST").split(" ");
    const url = service.url + path.replaceAll(/\{\w+\}/g, agentId);
    const body = ["GET", "HEAD", "DELETE"].includes(method) ? {} : { body: {} };
    const open = await send(method, url, body);
    const credentials: Record<string, string>[] = [
      { authorization: `Bearer ${String(token)}` },
      { "x-api-key": String(token) },
    ];
    for (const headers of credentials) {
      const { status } = await send(method, url, { ...body, headers });
      if (![401, 403, open.status].includes(status)) wrong.push(`${route}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
});

verifies(
  "streams.token.ends",
  "a token ends with its key, with the person of the key, and after 15 minutes",
  async () => {
    const key = await createKey(desk, { label: "Pages", kind: "envelope" });
    const [workspace] = await sql<{ id: string }>(
      service.databaseUrl,
      "select workspace_id as id from agents where id = $1",
      [agentId],
    );
    const workspaceId = workspace?.id ?? "";
    const member = await addMember(service.databaseUrl, workspaceId, "member");
    const personal = await addKey(service.databaseUrl, { workspaceId, ownerId: member.userId });
    const withdrawals = [
      { by: key.key, withdraw: () => desk.call("DELETE", `/keys/${key.id}`) },
      { by: personal, withdraw: () => desk.call("DELETE", `/members/${member.userId}`) },
    ];
    const endless = await taskInState(api, { agentId, status: "running", description: ENDLESS });
    for (const { by, withdraw } of withdrawals) {
      const { token } = await tokenFor(`/runs/${endless.id}`, undefined, consoleOf(service, by));
      const reader = await readStream(asPage(token), { agentId, taskId: endless.id });
      await reader.until((events) => events.length > 0);
      expect((await withdraw()).status).toBe(204);
      expect(await reader.over).toBe("closed");
      expect((await say(token, endless.id, "x")).status).toBe(401);
    }
    await stopTask(api, endless.id);

    const [own] = await sql<{ id: string }>(
      service.databaseUrl,
      "select id from api_keys where workspace_id = $1 and kind = 'envelope' limit 1",
      [workspaceId],
    );
    const signing = createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64")).derive(STREAM_TOKEN_PURPOSE);
    const last = await taskInState(api, { agentId, status: "running", description: ENDLESS });
    const reach = { agent_id: agentId, thread_id: last.id, sends: false };
    const tokenFrom = (secondsAgo: number) =>
      signStreamToken(own?.id ?? "", reach, { key: signing, now: Date.now() - secondsAgo * 1_000 });
    const expired = await say(tokenFrom(STREAM_TOKEN_SECONDS + 1), reach.thread_id, QUICK);
    expect([expired.status, expired.text]).toEqual([401, expect.stringContaining("has expired: get another")]);
    // On a busy machine it may have expired before it arrives.
    const { brief, reader } = await eventually("a stream is open", async () => {
      const token = tokenFrom(STREAM_TOKEN_SECONDS - 3);
      const opened = await readStream(asPage(token), { agentId, taskId: last.id }).catch(() => undefined);
      return opened && { brief: token, reader: opened };
    });
    await eventually("it has expired", async () => (await say(brief, last.id, "x")).status === 401);
    await stopTask(api, last.id);
    await reader.until(hasEnded);
  },
);

verifies("streams.token.refused", "a person, a reader and a wrong subject get no token", async () => {
  const reader = await createKey(desk, { label: "Reader", kind: "envelope", scopes: ["read"] });
  const team = fieldsOf(
    await api.post("/api-teams", { name: "T", mode: "pipeline", config: { steps: [{ agent_id: agentId }] } }),
  );
  const task = await createTask(api, { assigned_agent_id: null, assigned_team_id: team["id"], description: QUICK });
  const answers = [
    await consoleOf(service, reader.key).post(`/agents/${agentId}/stream-token`, {}),
    await desk.post(`/agents/${newId()}/stream-token`, {}),
    await desk.post(`/runs/${newId()}/stream-token`, undefined),
    await desk.post(`/runs/${task.id}/stream-token`, undefined),
    await desk.post(`/agents/${agentId}/stream-token`, { thread_id: "" }),
  ];
  expect(answers.map((answer) => refusal(answer).status)).toEqual([403, 404, 404, 400, 400]);
});
