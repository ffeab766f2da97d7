import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { callsBy, createCrewAgent, startCrewProvider, startPipeline } from "../../support/teams/crew.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { newId } from "#lib/ids.ts";
import { createTeam, readRun, runIn } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { readTask, stopTask, taskIn } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const UNANSWERED = 'The question "Which colour?" was not answered in time.';

let provider: ScriptedProvider;
let service: SharedService;
let api: Api;

beforeAll(async () => {
  provider = await startCrewProvider();
  service = await useProvider(provider);
  api = apiOf(service, service.keys.api);
});
afterAll(() => provider.close());

function asker(): Promise<string> {
  return createCrewAgent(service, "Bert", { tools: ["request_input"] });
}

function answerOverAgUi(runId: string, body: object, key = service.keys.agui): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}` };
  return send("POST", `${service.url}/ag-ui/runs/${runId}/respond`, { headers, body });
}

function interactionOf(record: Readonly<Record<string, unknown>>) {
  return z
    .looseObject({ interactionId: z.string(), interactionType: z.string(), title: z.string() })
    .parse(record["interaction"]);
}

async function waitingRun(title: string): Promise<{ readonly runId: string; readonly interactionId: string }> {
  const runId = await startPipeline(service, title, { steps: [{ agent_id: await asker() }] });
  return { runId, interactionId: interactionOf(await runIn(api, runId, "waiting_for_input")).interactionId };
}

interface WaitingTask {
  readonly agentId: string;
  readonly taskId: string;
  readonly runId: string;
}

/** A task of a team whose agent asks, as it waits. */
async function waitingTask(title: string): Promise<WaitingTask> {
  const agentId = await asker();
  const team = await createTeam(api, { config: { steps: [{ agent_id: agentId }] } });
  const { body } = await api.post("/api-tasks", { title, assigned_team_id: team.id });
  const { id } = z.looseObject({ id: z.string() }).parse(body);
  const task = await taskIn(api, id, "waiting_for_input");
  return { agentId, taskId: id, runId: String(task["team_run_id"]) };
}

verifies(
  ["interactions.teams.agent-asks", "interactions.wait.paid-once"],
  "an agent of a team asks in its turn; the answer is its tool's result, and nothing is called twice",
  async () => {
    const title = "Bert:asks once";
    const { runId, interactionId } = await waitingRun(title);
    expect(interactionOf(await readRun(api, runId))).toMatchObject({
      interactionType: "text_input",
      title: "Which colour?",
    });
    const answer = await answerOverAgUi(runId, { interactionId, text: "blue" });
    expect([answer.status, answer.body]).toEqual([200, { ok: true, interactionId }]);
    const ended = await runIn(api, runId, "completed");
    expect(ended).toMatchObject({ output: "Bert says so", interaction: null });
    const calls = callsBy(provider, title, "Bert");
    expect(calls).toHaveLength(2);
    expect(calls[1]?.body.messages.at(-1)).toMatchObject({ role: "tool", content: '{"text":"blue"}' });
  },
);

verifies(
  "interactions.teams.answer-errors",
  "an answer of the wrong shape, to another question, a second one, or from elsewhere is rejected",
  async () => {
    const { runId, interactionId } = await waitingRun("Bert:asks and is not understood");
    const stranger = await addWorkspace(service.databaseUrl);
    const statuses = [
      await answerOverAgUi(runId, { text: "blue" }),
      await answerOverAgUi(runId, { interactionId, approved: true }),
      await answerOverAgUi(runId, { interactionId: "other", text: "blue" }),
      await consoleOf(service, stranger.key).post(`/runs/${runId}/answer`, { interactionId, text: "blue" }),
      await answerOverAgUi(runId, { interactionId, text: "blue" }, "mst_agui_unknown"),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 409, 404, 401]);
    expect((await readRun(api, runId)).status).toBe("waiting_for_input");
    const both = await Promise.all([1, 2].map(() => answerOverAgUi(runId, { interactionId, text: "blue" })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    await runIn(api, runId, "completed");
  },
);

verifies(
  "interactions.teams.task-waits-too",
  "the task whose work a team does waits with the run, shows the question and takes the answer",
  async () => {
    const { taskId, runId } = await waitingTask("Bert:asks for a task");
    const asked = interactionOf(await readTask(api, taskId));
    expect(interactionOf(await readRun(api, runId))).toEqual(asked);
    const { interactionId } = asked;
    const answer = await consoleOf(service, service.keys.api).post(`/tasks/${taskId}/answer`, {
      interactionId,
      text: "blue",
    });
    expect(answer.status).toBe(200);
    expect(await taskIn(api, taskId, "completed")).toMatchObject({ result: "Bert says so", interaction: null });
    expect(await readRun(api, runId)).toMatchObject({ status: "completed" });
  },
);

verifies(
  "interactions.teams.respond-as-member",
  "the respond endpoint of an agent of the team takes the answer, for the task and for the run",
  async () => {
    const title = "Bert:asks for an answer to his agent";
    const { agentId, taskId, runId } = await waitingTask(title);
    const { interactionId } = interactionOf(await readTask(api, taskId));
    const answer = (agent: string, threadId: string, id = interactionId) =>
      send("POST", `${service.url}/ag-ui/${agent}/respond`, {
        headers: { authorization: `Bearer ${service.keys.agui}` },
        body: { threadId, interactionId: id, text: "blue" },
      });
    const outsider = await asker();
    for (const threadId of [taskId, runId]) {
      const rejected = await answer(outsider, threadId);
      expect([rejected.status, rejected.body]).toEqual([404, { error: "Task not found" }]);
      expect((await answer(agentId, threadId, "other")).status).toBe(409);
    }
    const accepted = await answer(agentId, taskId);
    expect([accepted.status, accepted.body]).toEqual([200, { ok: true, interactionId }]);
    await taskIn(api, taskId, "completed");
    const late = await answer(agentId, taskId);
    expect([late.status, late.body]).toEqual([409, { error: "Task is not waiting for input (status: completed)" }]);

    const unknown = newId();
    const body = { interactionId, text: "blue" };
    const stream = { headers: { authorization: `Bearer ${service.keys.agui}` }, body };
    const byStream = await send("POST", `${service.url}/ag-ui/runs/${unknown}/respond`, stream);
    expect([byStream.status, byStream.body]).toEqual([404, { error: "Run not found" }]);
    const byDesk = await send("POST", `${service.url}/console/api/runs/${unknown}/answer`, {
      headers: { "x-api-key": service.keys.api },
      body,
    });
    expect(refusal(byDesk)).toMatchObject({ status: 404, message: "Run not found" });

    const again = await waitingTask(title);
    const { interactionId: next } = interactionOf(await readRun(api, again.runId));
    expect((await answer(again.agentId, again.runId, next)).status).toBe(200);
    await runIn(api, again.runId, "completed");
  },
);

verifies("interactions.teams.task-waits-too", "cancelling the task closes the run's question", async () => {
  const { taskId, runId } = await waitingTask("Bert:asks and is cancelled");
  const { interactionId } = interactionOf(await readRun(api, runId));
  await stopTask(api, taskId);
  expect(await readRun(api, runId)).toMatchObject({ status: "cancelled", interaction: null });
  expect((await answerOverAgUi(runId, { interactionId, text: "blue" })).status).toBe(409);
  expect(await sql(service.databaseUrl, "select from task_questions where subject_id = $1", [runId])).toEqual([]);
});

verifies(
  "interactions.teams.timeout",
  "a question that is not answered in time fails the run and its task",
  async () => {
    const { taskId, runId } = await waitingTask("Bert:asks in vain");
    await sql(service.databaseUrl, "update task_questions set deadline = now() where subject_id = $1", [runId]);
    expect(await taskIn(api, taskId, "failed")).toMatchObject({ error: UNANSWERED, interaction: null });
    expect(await readRun(api, runId)).toMatchObject({ status: "failed", error: UNANSWERED });
  },
);

verifies("interactions.teams.agent-asks", "two branches that ask do so one after another", async () => {
  const title = "Bert:asks and Anna:asks together with Carl";
  const agents = await Promise.all(
    ["Anna", "Bert", "Carl"].map((name) => createCrewAgent(service, name, { tools: ["request_input"] })),
  );
  const runId = await startPipeline(service, title, { steps: [{ type: "fan_out", parallel_agents: agents }] });
  for (const text of ["blue", "green"]) {
    const { interactionId } = interactionOf(await runIn(api, runId, "waiting_for_input"));
    expect((await answerOverAgUi(runId, { interactionId, text })).status).toBe(200);
  }
  expect((await runIn(api, runId, "completed")).output).toContain("Carl says so");
  for (const [name, count] of [
    ["Anna", 2],
    ["Bert", 2],
    ["Carl", 1],
  ] as const) {
    expect([name, callsBy(provider, title, name).length]).toEqual([name, count]);
  }
});
