import { afterAll, beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { bearer, postAuth, sessionOf } from "../../support/accounts.ts";
import { apiOf, consoleOf, fieldsOf, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { rawTable } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, createAgent, createTask } from "../../support/work.ts";
import type { TaskFields } from "../../support/work.ts";
import { addKey } from "../../support/workspace.ts";

const LIMIT = 5;

let service: TestService;

beforeAll(async () => {
  service = await startService({
    env: { SIGN_UP: "open", DEFAULT_PLAN: "free", RATE_LIMIT_FREE: String(LIMIT), RATE_LIMIT_PERSON: "off" },
  });
});
afterAll(() => service.stop());

interface Scene {
  readonly api: Api;
  readonly agentId: string;
  readonly asPerson: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Inserts rows by the table API; more than the rest of a minute passes, and uses it up. */
  readonly insert: (rows: number) => Promise<Answer>;
  /** A request at each surface that shares the second count. */
  readonly others: Readonly<Record<string, () => Promise<Answer>>>;
}

/** A new workspace on a plan of {@link LIMIT} requests, with its owner, keys, a published agent and a trigger. */
async function openScene(): Promise<Scene> {
  const person = sessionOf(
    await postAuth(service, "sign-up", { email: `${newId()}@example.org`, password: "a long password" }),
  );
  const of = { workspaceId: person.workspace_id, ownerId: person.user.id };
  const key = (kind: "envelope" | "table" | "mcp" | "a2a" | "ag-ui") => addKey(service.databaseUrl, { ...of, kind });
  const [envelope, table, mcp, a2a, agUi] = await Promise.all([
    key("envelope"),
    key("table"),
    key("mcp"),
    key("a2a"),
    key("ag-ui"),
  ]);
  const api = apiOf(service, envelope);
  const agent = await createAgent(api, { name: "Counted", is_mcp_published: true, is_a2a_published: true });
  const made = await consoleOf(service, envelope).post("/triggers", {
    name: "T",
    assigned_agent_id: agent.id,
    title: "Event",
  });
  const hook = String(fieldsOf(made)["url"]);
  const text = { role: "user", messageId: newId(), parts: [{ kind: "text", text: "Hi" }] };
  const post = (path: string, token: string, body: unknown) =>
    send("POST", `${service.url}${path}`, {
      headers: { ...bearer(token), accept: "application/json, text/event-stream" },
      body,
    });
  return {
    api,
    agentId: agent.id,
    asPerson: (method, path, body) =>
      send(method, `${service.url}${path}`, {
        headers: bearer(person.access_token),
        ...(body !== undefined && { body }),
      }),
    insert: (rows) => {
      const row = { name: "V", tone: "Casual", workspace_id: of.workspaceId };
      return rawTable(service, table)("POST", "/voice_profiles", { body: Array.from({ length: rows }, () => row) });
    },
    others: {
      "console api": () => consoleOf(service, envelope).get("/workspace"),
      files: () => send("GET", `${service.url}/files`, { headers: { "x-api-key": envelope } }),
      openai: () =>
        post("/v1/chat/completions", envelope, { model: agent.id, messages: [{ role: "user", content: "Hi" }] }),
      mcp: () =>
        post("/mcp", mcp, {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "counted", arguments: { message: "Hi" } },
        }),
      a2a: () =>
        post(`/a2a/${agent.id}`, a2a, { jsonrpc: "2.0", id: 1, method: "message/send", params: { message: text } }),
      "ag-ui": () =>
        post(`/ag-ui/${agent.id}/sse`, agUi, {
          threadId: newId(),
          runId: newId(),
          messages: [{ id: "1", role: "user", content: "Hi" }],
        }),
      retry: () => consoleOf(service, envelope).post("/tasks/retry", { error_code: "MODEL_ERROR" }),
      trigger: () => send("POST", hook, { body: {} }),
      rows: () =>
        rawTable(service, table)("POST", "/voice_profiles", {
          body: { name: "V", tone: "Casual", workspace_id: of.workspaceId },
        }),
      person: () =>
        send("POST", `${service.url}/functions/v1/api-tasks`, {
          headers: bearer(person.access_token),
          body: { title: "x" },
        }),
    },
  };
}

/** Runs a check in a scene of its own until both counts of the scene were used in one minute only. */
async function inOneMinute(check: (scene: Scene) => Promise<void>): Promise<void> {
  const minute = () => Math.floor(Date.now() / 60_000);
  await eventually(
    "a minute that holds the whole check",
    async () => {
      const scene = await openScene();
      const begun = minute();
      const failed = await check(scene).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      if (minute() !== begun) return false;
      if (failed !== undefined) throw failed.error;
      return true;
    },
    60_000,
  );
}

verifies("limits.shared.own-count", "whatever uses up the second count, the envelope API keeps its own", async () => {
  await inOneMinute(async ({ api, insert, others }) => {
    expect((await insert(40)).status).toBe(201);
    for (const [name, ask] of Object.entries(others)) {
      const { text } = await ask();
      expect([name, text]).toEqual([
        name,
        expect.stringContaining(
          name === "rows"
            ? `All ${LIMIT} requests are used.`
            : `The workspace has used all ${LIMIT} requests outside the envelope API for this minute.`,
        ),
      ]);
    }
    const own = await api.get("/api-me");
    // Opening the scene has used one.
    expect([own.status, own.headers.get("x-ratelimit-remaining")]).toEqual([200, String(LIMIT - 2)]);
  });
});

verifies("limits.shared.own-count", "the envelope API uses up nothing of the others", async () => {
  await inOneMinute(async ({ api, others }) => {
    const answers = [];
    for (let n = 0; n < LIMIT + 1; n++) answers.push(await api.get("/api-me"));
    expect(answers.at(-1)?.status).toBe(429);
    expect(answers.at(-1)?.text).toContain(`The workspace has used all ${LIMIT} requests for this minute.`);
    const elsewhere = await others["console api"]?.();
    // The trigger has used one.
    expect([elsewhere?.status, elsewhere?.headers.get("x-ratelimit-remaining")]).toEqual([200, String(LIMIT - 2)]);
  });
});

verifies("limits.shared.people", "a person's starts count, and what starts nothing passes", async () => {
  await inOneMinute(async ({ api, agentId, asPerson, insert }) => {
    const running = await createTask(api, { assigned_agent_id: agentId, description: ENDLESS });
    const pending = await createTask(api);
    expect((await insert(40)).status).toBe(201);
    const starts: readonly (readonly [string, string, unknown])[] = [
      ["POST", "/functions/v1/api-tasks", { title: "x" }],
      ["PATCH", `/functions/v1/api-tasks?id=${pending.id}`, { assigned_agent_id: agentId }],
      ["POST", `/console/api/runs/${running.id}/retry`, {}],
      ["POST", "/console/api/runs/bulk", { action: "rerun", ids: [running.id], expect: 1 }],
    ];
    for (const [method, path, body] of starts) {
      expect([path, (await asPerson(method, path, body)).status]).toEqual([path, 429]);
    }
    expect((await asPerson("GET", "/console/api/workspace")).status).toBe(200);
    expect((await asPerson("PATCH", `/functions/v1/api-tasks?id=${pending.id}`, { title: "y" })).status).toBe(200);
    const cancel = { action: "cancel", ids: [running.id], expect: 1 };
    expect((await asPerson("POST", "/console/api/runs/bulk", cancel)).status).toBe(200);
  });
});

verifies("limits.shared.retries", "a retry of failed tasks counts each task that it restarts", async () => {
  /** Creates tasks that fail, and reads them as the person, so that the envelope API's count suffices. */
  const fail = async ({ api, agentId, asPerson }: Scene, count: number) => {
    const tasks: TaskFields[] = [];
    for (let n = 0; n < count; n++) {
      tasks.push(await createTask(api, { assigned_agent_id: agentId, description: FAILING }));
    }
    return eventually("all have failed", async () => {
      const read = await Promise.all(tasks.map(({ id }) => asPerson("GET", `/functions/v1/api-tasks?id=${id}`)));
      return read.every((task) => fieldsOf(task)["status"] === "failed") && tasks;
    });
  };
  const code = { error_code: "MODEL_ERROR" };
  await inOneMinute(async (scene) => {
    await fail(scene, 3);
    expect((await scene.others["retry"]?.())?.text).toContain('"retried":3');
    const elsewhere = await scene.others["console api"]?.();
    // The trigger has used one, the three tasks three.
    expect([elsewhere?.status, elsewhere?.headers.get("x-ratelimit-remaining")]).toEqual([200, "0"]);
  });
  await inOneMinute(async (scene) => {
    const [task] = await fail(scene, 1);
    expect((await scene.insert(40)).status).toBe(201);
    expect((await scene.asPerson("POST", "/console/api/tasks/retry", code)).status).toBe(429);
    const read = await scene.asPerson("GET", `/functions/v1/api-tasks?id=${task?.id}`);
    expect(fieldsOf(read)).toMatchObject({ status: "failed", attempt: 1 });
  });
});
