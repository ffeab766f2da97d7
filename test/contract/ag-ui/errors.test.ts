import { beforeAll, expect, test } from "vitest";
import { apiOf, send } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask } from "../../support/work.ts";
import { addKey, addWorkspace } from "../../support/workspace.ts";

const NOBODY = "01940000-0000-7000-8000-000000000000";
const UNAUTHORIZED = { error: "Unauthorized — provide Bearer token" };
const UNKNOWN_AGENT = { error: "Agent not found in workspace" };
const UNKNOWN_TASK = { error: "Task not found for this agent" };
const NO_THREAD = { error: "threadId is required (maps to task ID)" };

let service: SharedService;
let agentId: string;
let taskId: string;

beforeAll(async () => {
  service = await useSharedService();
  const api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
  taskId = (await createTask(api, { assigned_agent_id: agentId, description: QUICK })).id;
});

verifies(
  ["ag-ui.sse.unauthorized", "ag-ui.sse.error-body", "auth.ag-ui.wrong-kind-401"],
  "without a bearer token of the right kind it is 401 with the agreed text",
  async () => {
    const { mcp, table, anon, agui } = service.keys;
    const wrong = [mcp, table, anon, "mst_agui_unknown0000000000", ""].map((key) => `Bearer ${key}`);
    for (const authorization of [undefined, ...wrong, agui, `Basic ${agui}`]) {
      const answer = await open(agentId, { threadId: taskId }, { authorization });
      expect([authorization, answer.status, answer.body]).toEqual([authorization, 401, UNAUTHORIZED]);
    }
  },
);

verifies(["auth.ag-ui.agui-key", "auth.ag-ui.a2a-key"], "keys labelled ag-ui and a2a are accepted", async () => {
  for (const key of [service.keys.agui, service.keys.a2a]) {
    const answer = await open(agentId, { threadId: taskId }, { authorization: `Bearer ${key}` });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("RUN_FINISHED");
  }
});

verifies(["auth.ag-ui.read-scope-403", "ag-ui.sse.error-body"], "a key that may only write reads nothing", async () => {
  const owner = await addWorkspace(service.databaseUrl);
  const key = await addKey(service.databaseUrl, { ...owner, kind: "ag-ui", scopes: ["write"] });
  const answer = await open(agentId, { threadId: taskId }, { authorization: `Bearer ${key}` });
  expect([answer.status, answer.body]).toEqual([403, { error: "This key has no read scope." }]);
});

verifies(
  ["ag-ui.sse.unknown-agent", "ag-ui.sse.error-body"],
  "an agent that is unknown, malformed or of another workspace is 404, whatever the task",
  async () => {
    const foreign = await createAgent(apiOf(service, (await addWorkspace(service.databaseUrl)).key));
    for (const agent of [NOBODY, "nobody", foreign.id]) {
      const answer = await open(agent, { threadId: taskId });
      expect([agent, answer.status, answer.body]).toEqual([agent, 404, UNKNOWN_AGENT]);
    }
  },
);

verifies(
  ["ag-ui.sse.unknown-task", "ag-ui.sse.error-body"],
  "a task that is unknown, malformed, of another agent, of none or of another workspace is 404",
  async () => {
    const api = apiOf(service, service.keys.api);
    const stranger = apiOf(service, (await addWorkspace(service.databaseUrl)).key);
    const sibling = await createAgent(api);
    const tasks = [
      await createTask(api, { assigned_agent_id: sibling.id, description: QUICK }),
      await createTask(api),
      await createTask(stranger, { assigned_agent_id: (await createAgent(stranger)).id, description: QUICK }),
    ];
    for (const threadId of [NOBODY, "nothing", ...tasks.map(({ id }) => id)]) {
      const answer = await open(agentId, { threadId });
      expect([threadId, answer.status, answer.body]).toEqual([threadId, 404, UNKNOWN_TASK]);
    }
  },
);

test("for a team's task, the error names the stream of its run", async () => {
  const api = apiOf(service, service.keys.api);
  const team = await createTeam(api);
  const task = await createTask(api, { assigned_team_id: team.id, description: QUICK });
  const answer = await open(agentId, { threadId: task.id });
  const hint = `It is assigned to a team; stream its run: POST /ag-ui/runs/${String(task["team_run_id"])}/sse`;
  expect([answer.status, answer.body]).toEqual([404, { error: `${UNKNOWN_TASK.error}. ${hint}` }]);
  const stream = await send("POST", `${service.url}/ag-ui/runs/${String(task["team_run_id"])}/sse`, {
    headers: { authorization: `Bearer ${service.keys.agui}` },
  });
  expect(stream.status).toBe(200);
});

test("a pending task can be read as soon as it is assigned to the agent", async () => {
  const api = apiOf(service, service.keys.api);
  const { id } = await createTask(api, { description: QUICK });
  expect((await open(agentId, { threadId: id })).body).toEqual(UNKNOWN_TASK);
  await api.patch(`/api-tasks?id=${id}`, { assigned_agent_id: agentId });
  expect((await open(agentId, { threadId: id })).text).toContain("RUN_FINISHED");
});

verifies(
  ["ag-ui.sse.thread-id-required", "ag-ui.sse.error-body"],
  "a body without a threadId is 400 with the agreed text",
  async () => {
    for (const body of ["", {}, { threadId: "" }, { threadId: null }, { threadId: 5 }, { runId: "my-run" }]) {
      const answer = await open(agentId, body);
      expect([body, answer.status, answer.body]).toEqual([body, 400, NO_THREAD]);
    }
  },
);

verifies(
  ["ag-ui.sse.malformed-body", "ag-ui.sse.error-body"],
  "a body that is no JSON object, or of the wrong types, is 400 with a text",
  async () => {
    for (const body of ["{", "[]", "null", '"text"', JSON.stringify({ threadId: taskId, runId: 5 })]) {
      const answer = await open(agentId, body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(answer.body).toEqual({ error: expect.stringMatching(/./) });
    }
  },
);

test("a Last-Event-ID that is no event id is 400", async () => {
  for (const id of ["abc", "-1", "1.5", "1.0", "1.55", "0x1", "1e0", "1,2", "99999999999999"]) {
    const answer = await open(agentId, { threadId: taskId }, { "last-event-id": id });
    expect([id, answer.status]).toEqual([id, 400]);
    expect(answer.body).toEqual({ error: expect.stringContaining("Last-Event-ID") });
  }
});

test("any other method is 405 and lists the allowed ones", async () => {
  const answer = await send("GET", `${service.url}/ag-ui/${agentId}/sse`);
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toContain("POST");
  expect(answer.body).toEqual({ error: expect.any(String) });
});

/** Asks for a stream and reads the answer to its end; a header that is undefined is left out. */
function open(agent: string, body: unknown, headers: Readonly<Record<string, string | undefined>> = {}) {
  const all = { authorization: `Bearer ${service.keys.agui}`, ...headers };
  const given = Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return send("POST", `${service.url}/ag-ui/${agent}/sse`, { body, headers: given });
}
