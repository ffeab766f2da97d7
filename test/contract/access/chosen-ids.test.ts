import { afterAll, beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, fieldsOf, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { openLine } from "../../support/database/database-line.ts";
import type { DatabaseLine } from "../../support/database/database-line.ts";
import { createDatabase, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { rawTable } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskInState } from "../../support/work.ts";
import { addKey, addWorkspace } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

/** A statement that was sent for a request, by its name, or a query of the table API. */
const STATEMENT = /muster_(?:app|admin|viewer):([\w-]+)|(select id from public\.\w+)/g;
const PREFERENCES = [
  "return=representation",
  "return=representation, resolution=merge-duplicates",
  "return=representation, resolution=ignore-duplicates",
] as const;

let database: TestDatabase;
let line: DatabaseLine;
let service: TestService;
let api: Api;
let attacker: TestWorkspace;
let raw: ReturnType<typeof rawTable>;

beforeAll(async () => {
  database = await createDatabase();
  line = await openLine(database.url);
  service = await startService({ databaseUrl: line.url });
  api = apiOf(service, service.keys.api);
  attacker = await addWorkspace(database.url);
  raw = rawTable(service, await addKey(database.url, { ...attacker, kind: "table" }));
});
afterAll(async () => {
  await service.stop();
  line.close();
  await database.drop();
});

/** What a caller can tell of an answer, and which statements it took. */
async function traceOf(id: string, ask: (id: string) => Promise<Answer>) {
  line.takeSent();
  const { status, text, headers } = await ask(id);
  const statements = [...line.takeSent().matchAll(STATEMENT)].map(([, name, query]) => name ?? query);
  const body = text.replaceAll(id, "<id>").replaceAll(/"(?:request_id|timestamp)":"[^"]*"/g, "");
  const shown = [...headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  // The first use of a statement on a connection names it once more.
  return { status, body, headers: shown, statements: statements.filter((name, at) => name !== statements[at - 1]) };
}

verifies(
  "tenancy.ids-tell-nothing",
  "the table API gives the same response to a new row with a foreign, deleted or unknown id",
  async () => {
    const { workspaceId: workspace_id } = attacker;
    const agent = await createAgent(api);
    const task = await createTask(api);
    const team = fieldsOf(
      await api.post("/api-teams", { name: "T", mode: "pipeline", config: { steps: [{ agent_id: agent.id }] } }),
    );
    const own = await createAgent(apiOf(service, attacker.key));
    const gone = await createAgent(api);
    await api.delete(`/api-agents?id=${gone.id}`);
    const rows = [
      { table: "agents", foreign: [agent.id, gone.id], row: { name: "A", model: "demo" } },
      { table: "tasks", foreign: [task.id], row: { title: "T" } },
      {
        table: "teams",
        foreign: [String(team["id"])],
        row: { name: "T", mode: "pipeline", config: { steps: [{ agent_id: own.id }] } },
      },
    ];
    for (const { table, foreign, row } of rows) {
      for (const prefer of PREFERENCES) {
        const insert = (id: string) =>
          raw("POST", `/${table}`, { body: { ...row, id, workspace_id }, headers: { prefer } });
        await traceOf(newId(), insert);
        const unknown = await traceOf(newId(), insert);
        expect([table, unknown.status, JSON.parse(unknown.body)]).toMatchObject([table, 403, { code: "42501" }]);
        expect(unknown.statements.length).toBeGreaterThan(1);
        for (const id of foreign) expect(await traceOf(id, insert)).toEqual(unknown);
      }
    }
  },
);

verifies(
  "tenancy.ids-tell-nothing",
  "a thread gets the same response whether or not another workspace has a task with its id",
  async () => {
    const victim = await createAgent(api);
    const task = await taskInState(api, { agentId: victim.id, status: "completed", description: QUICK });
    const { id: agentId } = await createAgent(apiOf(service, attacker.key));
    const key = await addKey(database.url, { ...attacker, kind: "ag-ui" });
    const start = async (threadId: string) => {
      const { status, text } = await send("POST", `${service.url}/ag-ui/${agentId}/sse`, {
        headers: { authorization: `Bearer ${key}` },
        body: { threadId, runId: "r", messages: [{ id: "m", role: "user", content: QUICK }], tools: [], context: [] },
      });
      const named = [...text.matchAll(/"threadId":"([^"]+)"/g)].map(([, id]) => id === threadId);
      return { status, types: [...text.matchAll(/"type":"([A-Z_]+)"/g)].map(([, type]) => type), named };
    };
    const unknown = await start(newId());
    expect(unknown).toMatchObject({ status: 200, types: expect.arrayContaining(["RUN_STARTED", "RUN_FINISHED"]) });
    expect(unknown.named).not.toContain(false);
    expect(await start(task.id)).toEqual(unknown);
    const found = await apiOf(service, attacker.key).get(`/api-tasks?id=${task.id}`);
    expect(found.status).toBe(200);
  },
);
