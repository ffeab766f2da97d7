import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { answerRun, createCrewAgent, inputOf, messagesOf, pipelineIn, speakerOf } from "../../support/teams/crew.ts";
import { startCrewProvider, startPipeline, firstMessages } from "../../support/teams/crew.ts";
import { eventually } from "../../support/eventually.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, readRun, runIn, startRun } from "../../support/teams.ts";
import type { RunFields } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const TOKENS = 18;

let provider: ScriptedProvider;
let service: SharedService;
let anna: string;
let bert: string;
let carl: string;

beforeAll(async () => {
  provider = await startCrewProvider();
  service = await useProvider(provider);
  anna = await createCrewAgent(service, "Anna", { tools: ["request_input"] });
  bert = await createCrewAgent(service, "Bert");
  carl = await createCrewAgent(service, "Carl", { output_template: { type: "Markdown", body: "# {{task_result}}" } });
});
afterAll(async () => {
  await provider.close();
});

/** Anna, Bert and Carl, one after another. */
function crew(): readonly object[] {
  return [{ agent_id: anna }, { agent_id: bert, instructions: "Write." }, { agent_id: carl }];
}

function post(path: string, body: unknown = {}): Promise<Answer> {
  return consoleOf(service, service.keys.api).post(path, body);
}

function fork(id: string, from: number, changes?: object): Promise<Answer> {
  return post(`/runs/${id}/fork`, { from_step: from, ...(changes && { changes }) });
}

/** The id of the run in an answer. */
function started(answer: Answer): string {
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return z.looseObject({ id: z.uuid() }).parse(answer.body).id;
}

/** The agents that called the provider for a run of this title, in order, after the first calls. */
function callersAfter(title: string, calls: number): string[] {
  return provider.callsOf(title).slice(calls).map(speakerOf);
}

async function ended(title: string, steps: readonly object[] = crew(), status = "completed"): Promise<string> {
  const id = await startPipeline(service, title, { steps });
  await pipelineIn(service, id, status);
  return id;
}

verifies(
  ["runs.fork.starts", "runs.fork.reuses", "runs.fork.own-usage"],
  "a fork's steps use the earlier results, and it pays for its own steps only",
  async () => {
    const title = "fork";
    const source = await ended(title);
    const answer = await fork(source, 1);
    const forkedFrom = { run_id: source, from_step: 1 };
    const api = apiOf(service, service.keys.api);
    const before = await readRun(api, source);
    expect(answer.body).toMatchObject({
      team_id: before.team_id,
      input_task: inputOf(title),
      task_id: null,
      attempt: 1,
      forked_from: forkedFrom,
    });
    const id = started(answer);
    const run = await pipelineIn(service, id, "completed");
    expect(run).toMatchObject({ output: "# Carl says so", forked_from: forkedFrom });
    expect(callersAfter(title, 3)).toEqual(["Bert", "Carl"]);
    const [first, again] = firstMessages(provider, title, "Bert");
    expect(again).toBe(first);
    expect(run["usage"]).toMatchObject({ total_tokens: 2 * TOKENS });
    const paid = "select agent_id from usage_records where team_run_id = $1 order by id";
    expect(await sql(service.databaseUrl, paid, [id])).toEqual([{ agent_id: bert }, { agent_id: carl }]);
    expect(await messagesOf(service, id)).toMatchObject([
      { message_type: "handoff", sender_agent_id: anna, content: "Anna says so", step_idx: 0, tokens_used: TOKENS },
      { message_type: "handoff", sender_agent_id: bert, step_idx: 1 },
      { message_type: "result", sender_agent_id: carl, step_idx: 2 },
    ]);
    expect(await readRun(api, source)).toEqual(before);
    expect(before["forked_from"]).toBe(null);
  },
);

verifies("runs.fork.changes", "a prompt and a model reach the provider, in that run only", async () => {
  const title = "changed";
  const source = await ended(title);
  const id = started(await fork(source, 1, { prompt: "Rhyme.", model: "gpt-4o-mini" }));
  await pipelineIn(service, id, "completed");
  expect(callersAfter(title, 3)).toEqual(["Bert", "Carl"]);
  expect(firstMessages(provider, title, "Bert")[1]).toContain("## Your Instructions\n\nRhyme.\n");
  expect(provider.callsOf(title).map(({ body }) => body.model)).toEqual([
    "gpt-4o",
    "gpt-4o",
    "gpt-4o",
    "gpt-4o-mini",
    "gpt-4o",
  ]);
  const second = started(await fork(id, 1));
  await pipelineIn(service, second, "completed");
  expect(firstMessages(provider, title, "Bert")[2]).toContain("Rhyme.");
  await pipelineIn(service, started(await fork(source, 1)), "completed");
  expect(firstMessages(provider, title, "Bert")[3]).toContain("## Your Instructions\n\nWrite.\n");
});

verifies("runs.fork.answer", "an answer replaces a step's output; its message has no author", async () => {
  const title = "answered Bert:rejects";
  const source = await ended(title, crew(), "failed");
  const id = started(await fork(source, 1, { answer: "By hand." }));
  expect(await pipelineIn(service, id, "completed")).toMatchObject({ output: "# Carl says so" });
  expect(callersAfter(title, 2)).toEqual(["Carl"]);
  expect(firstMessages(provider, title, "Carl")).toEqual([
    expect.stringContaining("## Previous Step Output\n\nBy hand.\n"),
  ]);
  expect(await messagesOf(service, id)).toMatchObject([
    { content: "Anna says so" },
    { message_type: "handoff", sender_agent_id: null, content: "By hand.", step_idx: 1, tokens_used: 0 },
    { message_type: "result" },
  ]);
  const last = started(await fork(id, 2, { answer: "The end." }));
  expect(await pipelineIn(service, last, "completed")).toMatchObject({ output: "The end." });
  expect(callersAfter(title, 3)).toEqual([]);
  await pipelineIn(service, started(await fork(id, 2)), "completed");
  expect(firstMessages(provider, title, "Carl")[1]).toContain("By hand.");
});

verifies("runs.fork.reuses", "branches and skipped steps are also reused; no step is repeated", async () => {
  const title = "branches Carl:rejects";
  const steps = [
    { type: "fan_out", parallel_agents: [anna, bert] },
    { agent_id: carl, on_failure: "skip" },
    { agent_id: anna },
  ];
  const config = { steps, auto_handoff: false };
  const source = await startPipeline(service, title, config);
  await pipelineIn(service, source, "waiting_for_input");
  await answerRun(service, source, { approved: true });
  await pipelineAt(source, 2);
  const id = started(await fork(source, 2));
  await pipelineIn(service, id, "waiting_for_input");
  await answerRun(service, id, { approved: true });
  await pipelineIn(service, id, "completed");
  expect(callersAfter(title, 3)).toEqual(["Anna"]);
  expect(firstMessages(provider, title, "Anna")[1]).toContain("### Anna\n\nAnna says so\n\n### Bert\n\nBert says so");
});

verifies("runs.fork.rerun", "a fork that is run again begins at its step again", async () => {
  const title = "rerun";
  const source = await ended(title);
  const id = started(await fork(source, 2, { prompt: "Rhyme." }));
  await pipelineIn(service, id, "completed");
  const api = apiOf(service, service.keys.api);
  await api.patch(`/api-runs?id=${id}`, { status: "pending" });
  expect(await runIn(api, id, "completed")).toMatchObject({ attempt: 2 });
  expect(callersAfter(title, 3)).toEqual(["Carl", "Carl"]);
  expect(await messagesOf(service, id)).toMatchObject([{ step_idx: 0 }, { step_idx: 1 }, { step_idx: 2 }]);
});

verifies("runs.retry.from-failed-step", "a failed run is retried from its failed step", async () => {
  const title = "retry Bert:fails-twice";
  const source = await ended(title, crew(), "failed");
  const again = started(await post(`/runs/${source}/retry`));
  await pipelineIn(service, again, "failed");
  const answer = await post(`/runs/${again}/retry`);
  expect(answer.body).toMatchObject({ forked_from: { run_id: again, from_step: 1 } });
  const id = started(answer);
  expect(await pipelineIn(service, id, "completed")).toMatchObject({ output: "# Carl says so" });
  expect(callersAfter(title, 0)).toEqual(["Anna", "Bert", "Bert", "Bert", "Carl"]);
  expect(await post(`/runs/${id}/retry`)).toMatchObject({
    status: 409,
    text: expect.stringContaining("this one is completed"),
  });
});

verifies("runs.fork.stream", "the log of a fork contains its own steps only", async () => {
  const title = "log";
  const id = started(await fork(await ended(title), 1));
  await pipelineIn(service, id, "completed");
  const names = "select event->>'type' as type from task_log where log_id = $1 order by seq";
  const types = (await sql<{ type: string }>(service.databaseUrl, names, [id])).map(({ type }) => type);
  expect(types.filter((type) => type === "STEP_STARTED")).toHaveLength(2);
  expect(types.filter((type) => type === "TEXT_MESSAGE_START")).toHaveLength(2);
  expect(types.filter((type) => type === "TEXT_MESSAGE_END")).toHaveLength(2);
  expect([types[0], types.at(-1)]).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
});

verifies("runs.fork.refusals", "an invalid fork is rejected with the reason, and no run starts", async () => {
  const title = "rejected Bert:rejects";
  const source = await ended(title, crew(), "failed");
  const api = apiOf(service, service.keys.api);
  const before = (await api.get("/api-runs")).body;
  const refusals = [
    { asked: await fork(source, 3), status: 400, says: "allowed: 0 to 2" },
    { asked: await fork(source, 2), status: 409, says: "is failed and has reached step 1" },
    { asked: await fork(source, -1), status: 400, says: "from_step" },
    { asked: await fork(source, 1, { model: "gpt-0" }), status: 400, says: "gpt-0" },
    { asked: await fork(source, 1, { answer: "x", prompt: "y" }), status: 400, says: "changes.answer" },
    { asked: await fork(source, 1, { colour: "red" }), status: 400, says: "colour" },
    { asked: await fork(UNKNOWN, 0), status: 404, says: "not found" },
    { asked: await fork("x", 0), status: 400, says: "id" },
    { asked: await post(`/runs/${UNKNOWN}/retry`), status: 404, says: "not found" },
  ];
  for (const { asked, status, says } of refusals) {
    expect([asked.status, asked.text]).toEqual([status, expect.stringContaining(says)]);
  }
  expect((await api.get("/api-runs")).body).toEqual(before);
});

verifies("runs.fork.refusals", "a run of a deleted team is rejected", async () => {
  const api = apiOf(service, service.keys.api);
  const team = await createTeam(api);
  const run = await startRun(api, team.id);
  await api.delete(`/api-teams?id=${team.id}`);
  expect(await fork(run.id, 0)).toMatchObject({ status: 409, text: expect.stringContaining("deleted") });
});

/** Waits until a run asks before a step. */
async function pipelineAt(id: string, step: number): Promise<RunFields> {
  return eventually(`run ${id} asks before step ${step}`, async () => {
    const run = await readRun(apiOf(service, service.keys.api), id);
    return run.status === "waiting_for_input" && run["current_step_idx"] === step && run;
  });
}
