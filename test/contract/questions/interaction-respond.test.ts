import { Client } from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, fieldsOf, send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import {
  QUESTION_TOOLS,
  callOf,
  expectWholeStreamWithQuestions,
  questionOf,
  respond,
} from "../../support/interactions.ts";
import { setStatus, startTask, taskEnd, taskNow } from "../../support/runs.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { readStream, readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, createAgent, createTask, stopTask, taskIn, taskInState } from "../../support/work.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";

const UNAUTHORIZED = { error: "Unauthorized — provide Bearer token" };
const NOT_FOUND = { error: "Task not found" };
const REQUIRED = { error: "threadId and interactionId are required" };
const ASKS = callOf("request_approval", { title: "Go?" });
const ASKS_BRIEFLY = callOf("request_approval", { title: "Go?", timeoutMs: 1_000 });

let service: SharedService;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  const api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api, { tools: [...QUESTION_TOOLS, "wait"] })).id;
});

describe("the respond endpoint", () => {
  let taskId: string;
  let interactionId: string;
  beforeAll(async () => {
    taskId = await startTask(service, agentId, { description: ASKS });
    ({ interactionId } = await questionOf(service, { agentId, taskId }));
  });

  function post(body: unknown, { agent = agentId, key = service.keys.agui } = {}): Promise<Answer> {
    const url = `${service.url}/ag-ui/${agent}/respond`;
    return send("POST", url, { body, ...(key !== "" && { headers: { authorization: `Bearer ${key}` } }) });
  }

  verifies(
    ["interactions.respond.unauthorized", "auth.ag-ui.wrong-kind-401"],
    "without a bearer token of the right kind it is 401 with the agreed text, whatever else is wrong",
    async () => {
      for (const key of ["", service.keys.mcp, "nothing"]) {
        const answer = await post({}, { key });
        expect([key, answer.status, answer.body]).toEqual([key, 401, UNAUTHORIZED]);
      }
    },
  );

  verifies("interactions.respond.ids-required", "without threadId or interactionId it is 400", async () => {
    for (const body of [
      {},
      { threadId: taskId },
      { interactionId },
      { threadId: "", interactionId },
      { threadId: taskId, interactionId: null },
      { threadId: 5, interactionId },
    ]) {
      const answer = await post({ ...body, approved: true });
      expect([body, answer.status, answer.body]).toEqual([body, 400, REQUIRED]);
    }
    const empty = await post("");
    expect([empty.status, empty.body]).toEqual([400, REQUIRED]);
  });

  test("a body that is no JSON object is 400", async () => {
    for (const body of ["{", "[]", "null"]) expect((await post(body)).status).toBe(400);
  });

  verifies(
    "interactions.respond.unknown-task",
    "a task that is unknown, foreign or another agent's is 404",
    async () => {
      const api = apiOf(service, service.keys.api);
      const sibling = await createAgent(api);
      const other = await addWorkspace(service.databaseUrl);
      const stranger = await addKey(service.databaseUrl, { ...other, kind: "ag-ui" });
      const answers = [
        await post({ threadId: newId(), interactionId }),
        await post({ threadId: "nothing", interactionId }),
        await post({ threadId: taskId, interactionId }, { agent: sibling.id }),
        await post({ threadId: taskId, interactionId }, { agent: "nobody" }),
        await post({ threadId: taskId, interactionId, approved: true }, { key: stranger }),
      ];
      for (const { status, body } of answers) expect([status, body]).toEqual([404, NOT_FOUND]);
    },
  );

  verifies("interactions.respond.not-waiting", "a task in another state is 409 and the state is named", async () => {
    const api = apiOf(service, service.keys.api);
    const pending = await createTask(api);
    await sql(service.databaseUrl, "update tasks set assigned_agent_id = $2 where id = $1", [pending.id, agentId]);
    const running = await taskInState(api, { status: "running", agentId, description: ENDLESS });
    const completed = await taskInState(api, { status: "completed", agentId, description: "[[slow:0]][[say:x]]" });
    const failed = await taskInState(api, { status: "failed", agentId, description: "[[fail:x]]" });
    for (const { id, status } of [pending, running, completed, failed]) {
      const answer = await post({ threadId: id, interactionId, approved: true });
      const error = `Task is not waiting for input (status: ${status})`;
      expect([answer.status, answer.body]).toEqual([409, { error }]);
    }
    await stopTask(api, running.id);
  });

  verifies(
    "interactions.respond.wrong-interaction",
    "another interactionId is 409, and the task keeps waiting",
    async () => {
      for (const wrong of [newId(), "nothing"]) {
        const answer = await post({ threadId: taskId, interactionId: wrong, approved: true });
        expect([answer.status, answer.body]).toEqual([409, { error: expect.stringContaining("interactionId") }]);
      }
      expect((await taskNow(service, taskId)).status).toBe("waiting_for_input");
    },
  );

  test("a key that may only read is 403", async () => {
    const [owner] = await sql<{ workspaceId: string; ownerId: string }>(
      service.databaseUrl,
      `select workspace_id as "workspaceId", user_id as "ownerId" from members
       where workspace_id = (select workspace_id from tasks where id = $1)`,
      [taskId],
    );
    const scopes = ["read"];
    const key = await addKey(service.databaseUrl, { workspaceId: "", ownerId: "", ...owner, kind: "ag-ui", scopes });
    expect((await post({ threadId: taskId, interactionId, approved: true }, { key })).status).toBe(403);
  });

  test("any other method is 405", async () => {
    const answer = await send("GET", `${service.url}/ag-ui/${agentId}/respond`);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  verifies("interactions.answer.first-wins", "of many concurrent answers exactly one is accepted", async () => {
    const reader = await readStream(service, { agentId, taskId });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => post({ threadId: taskId, interactionId, approved: index % 2 === 0 })),
    );
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(await reader.over).toBe("closed");
    const [response] = ofType(reader.events, "INTERACTION_RESPONSE");
    expect(ofType(reader.events, "INTERACTION_RESPONSE")).toHaveLength(1);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(response?.["answer"]).toEqual({ approved: winner % 2 === 0 });
    await expectWholeStreamWithQuestions(reader.events);
  });
});

verifies(
  [
    "interactions.timeout.fails-task",
    "ag-ui.event.interaction-timeout",
    "run-page.head.waited",
    "run-page.retry.unanswered",
  ],
  "without an answer in time INTERACTION_TIMEOUT is streamed, the task fails, and a retry asks again",
  async () => {
    const taskId = await startTask(service, agentId, { description: ASKS_BRIEFLY });
    const { reader, interactionId } = await questionOf(service, { agentId, taskId });
    expect(await reader.over).toBe("closed");
    await expectWholeStreamWithQuestions(reader.events);
    const timestamp = expect.any(Number);
    const end = await taskEnd(service, taskId);
    expect(end).toMatchObject({ status: "failed", interaction: null, error: expect.stringMatching(/not answered/) });
    expect(reader.events.slice(-3).map(({ event }) => event)).toEqual([
      { type: "INTERACTION_TIMEOUT", threadId: taskId, interactionId, timestamp },
      { type: "TOOL_CALL_END", toolCallId: "demo_1_1", result: end.error, timestamp },
      {
        type: "RUN_ERROR",
        threadId: taskId,
        runId: taskId,
        message: end.error,
        code: "INTERACTION_TIMEOUT",
        timestamp,
      },
    ]);
    const { duration_ms, waited_ms } = fieldsOf(await consoleOf(service, service.keys.api).get(`/runs/${taskId}`));
    expect(waited_ms).toBeGreaterThanOrEqual(1_000);
    expect(waited_ms).toBeLessThanOrEqual(Number(duration_ms) + 1);
    const late = await respond(service, { agentId, taskId }, { interactionId, approved: true });
    expect([late.status, late.body]).toEqual([409, { error: "Task is not waiting for input (status: failed)" }]);
    const retried = await consoleOf(service, service.keys.api).post(`/runs/${taskId}/retry`, {});
    await taskIn(apiOf(service, service.keys.api), String(fieldsOf(retried)["id"]), "waiting_for_input");
  },
);

verifies("interactions.timeout.apart", "a lock on the task of one expired question delays no other", async () => {
  const locker = new Client({ connectionString: service.databaseUrl });
  await locker.connect();
  try {
    const held = await startTask(service, agentId, { description: ASKS_BRIEFLY });
    await questionOf(service, { agentId, taskId: held });
    await locker.query("begin");
    await locker.query("select from tasks where id = $1 for update", [held]);
    const other = await startTask(service, agentId, { description: ASKS_BRIEFLY });
    expect((await taskEnd(service, other)).status).toBe("failed");
    expect((await taskNow(service, held)).status).toBe("waiting_for_input");
    await locker.query("rollback");
    expect((await taskEnd(service, held)).status).toBe("failed");
  } finally {
    await locker.end();
  }
});

verifies(
  "tasks.state.cancel-while-waiting",
  "cancelling a task that waits closes its question, and a re-run asks again",
  async () => {
    const taskId = await startTask(service, agentId, { description: ASKS });
    const { reader, interactionId } = await questionOf(service, { agentId, taskId });
    await setStatus(service, taskId, "cancelled");
    expect(await reader.over).toBe("closed");
    await expectWholeStreamWithQuestions(reader.events);
    expect(reader.events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED" });
    expect(await taskNow(service, taskId)).toMatchObject({ status: "cancelled", interaction: null });
    expect((await respond(service, { agentId, taskId }, { interactionId, approved: true })).status).toBe(409);
    expect(await openQuestions(taskId)).toBe(0);

    await setStatus(service, taskId, "dispatched");
    const again = await questionOf(service, { agentId, taskId });
    expect(again.interactionId).not.toBe(interactionId);
    await respond(service, { agentId, taskId }, { interactionId: again.interactionId, approved: true });
    expect(await taskEnd(service, taskId)).toMatchObject({ status: "completed", attempt: 2 });
    const events = await readToEnd(service, { agentId, taskId });
    await expectWholeStreamWithQuestions(events);
    expect(events[0]?.event).toMatchObject({ type: "RUN_STARTED", runId: `${taskId}.2` });
  },
);

test("deleting a task deletes its question and its runs", async () => {
  const api = apiOf(service, service.keys.api);
  const answered = await startTask(service, agentId, { description: ASKS });
  const { interactionId } = await questionOf(service, { agentId, taskId: answered });
  await respond(service, { agentId, taskId: answered }, { interactionId, approved: true });
  await taskEnd(service, answered);
  const waiting = await startTask(service, agentId, { description: ASKS });
  await questionOf(service, { agentId, taskId: waiting });
  for (const id of [answered, waiting]) {
    expect((await api.delete(`/api-tasks?id=${id}`)).status).toBe(204);
    expect(await openQuestions(id)).toBe(0);
  }
  const jobs = "select from jobs where subject_id = $1";
  await expect.poll(() => sql(service.databaseUrl, jobs, [answered])).toEqual([]);
});

async function openQuestions(taskId: string): Promise<number> {
  return (await sql(service.databaseUrl, "select from task_questions where subject_id = $1", [taskId])).length;
}
