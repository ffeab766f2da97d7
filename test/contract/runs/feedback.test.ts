import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { saying, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { askRun, stepsOf } from "../../support/run-steps.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";
import { addMember, sql } from "../../support/workspace.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const rows = z.object({ items: z.array(z.looseObject({ id: z.string(), feedback: z.unknown() })) });

let scene: ScriptedWorkspace;
let agentId: string;
beforeAll(async () => {
  scene = await useScriptedService();
  agentId = (await scene.player(saying("Four."))).id;
});

const desk = () => consoleOf(scene.service, scene.service.keys.api);
const give = (id: string, body: object): Promise<Answer> => desk().call("PUT", `/runs/${id}/feedback`, { body });

async function completed(title: string): Promise<string> {
  const { id } = await createTask(scene.api, { title, assigned_agent_id: agentId });
  await taskIn(scene.api, id, "completed");
  return id;
}

async function listed(query: string): Promise<readonly string[]> {
  return rows.parse((await desk().get(`/runs?${query}`)).body).items.map(({ id }) => id);
}

verifies(
  ["runs.feedback", "runs.feedback.list"],
  "a run gets a thumb, a note and a correction; the list counts and filters them",
  async () => {
    const id = await completed("Two and two");
    const plain = await completed("Two and three");
    const body = { rating: "down", note: "  Wrong tone. ", correction: "4" };
    const given = await give(id, body);
    expect(given.status, given.text).toBe(200);
    const record = { run_id: id, attempt: 1, message_id: null, rating: "down", note: "Wrong tone.", correction: "4" };
    expect(given.body).toMatchObject({ ...record, via: "api" });
    expect((await desk().get(`/runs/${id}/feedback`)).body).toMatchObject([record]);
    expect(fieldsOf(await askRun(scene.service, id))["feedback"]).toMatchObject([record]);

    expect(await listed(`agent_id=${agentId}&feedback=down`)).toEqual([id]);
    expect(await listed(`agent_id=${agentId}&feedback=note&feedback=up`)).toEqual([id]);
    expect(await listed(`agent_id=${agentId}&feedback=up`)).toEqual([]);
    const { items } = rows.parse((await desk().get(`/runs?agent_id=${agentId}`)).body);
    expect(items.find((row) => row.id === id)?.feedback).toEqual({ up: 0, down: 1, notes: 1 });
    expect(items.find((row) => row.id === plain)?.feedback).toEqual({ up: 0, down: 0, notes: 0 });
  },
);

verifies("runs.feedback", "the same person's feedback is replaced; a message has its own", async () => {
  const id = await completed("Say it again");
  const [step] = await stepsOf(scene.service, id);
  await give(id, { rating: "up" });
  await give(id, { rating: "down", note: "On reflection." });
  const about = await give(id, { rating: "up", message_id: step?.message_id });
  expect((await desk().get(`/runs/${id}/feedback`)).body).toMatchObject([
    { rating: "down", note: "On reflection.", message_id: null },
    { rating: "up", note: "", message_id: step?.message_id },
  ]);
  const { id: feedbackId } = z.looseObject({ id: z.string() }).parse(about.body);
  expect((await desk().delete(`/runs/${id}/feedback/${feedbackId}`)).status).toBe(204);
  expect(refusal(await desk().delete(`/runs/${id}/feedback/${feedbackId}`))).toMatchObject({ status: 404 });
  expect(z.array(z.unknown()).parse((await desk().get(`/runs/${id}/feedback`)).body)).toHaveLength(1);
});

verifies("runs.feedback.refused", "empty, unknown and too long feedback is rejected with the reason", async () => {
  const id = await completed("Be judged");
  for (const body of [
    {},
    { rating: "sideways" },
    { note: "   " },
    { note: "x".repeat(2_001) },
    { correction: "x".repeat(50_001) },
    { rating: "up", stars: 5 },
    { rating: "up", attempt: 0 },
  ]) {
    expect(refusal(await give(id, body)), JSON.stringify(body)).toMatchObject({ status: 400, code: "bad_request" });
  }
  expect(refusal(await give(UNKNOWN, { rating: "up" }))).toMatchObject({ status: 404 });
  expect(refusal(await give(id, { rating: "up", attempt: 2 }))).toMatchObject({ status: 404 });
});

verifies("runs.feedback.roles", "members give feedback and withdraw their own; admins withdraw anybody's", async () => {
  const id = await completed("Whose is it?");
  const { databaseUrl, workspaceId } = scene.service;
  const deskOf = async (role: "viewer" | "member") => {
    return consoleOf(scene.service, (await addMember(databaseUrl, workspaceId, role)).key);
  };
  const [viewer, member] = [await deskOf("viewer"), await deskOf("member")];
  const path = `/runs/${id}/feedback`;
  const body = { rating: "up" };
  expect(refusal(await viewer.call("PUT", path, { body }))).toMatchObject({ status: 403 });
  const own = z.looseObject({ id: z.string() }).parse((await give(id, body)).body);
  const theirs = z.looseObject({ id: z.string() }).parse((await member.call("PUT", path, { body })).body);
  expect(z.array(z.unknown()).parse((await viewer.get(path)).body)).toHaveLength(2);
  expect(refusal(await member.delete(`${path}/${own.id}`))).toMatchObject({ status: 404 });
  expect((await desk().delete(`${path}/${theirs.id}`)).status).toBe(204);
});

verifies("runs.feedback.ag-ui", "a client of AG-UI gives feedback with its key", async () => {
  const id = await completed("From a chat");
  const rate = (run: string, body: object) =>
    send("POST", `${scene.service.url}/ag-ui/runs/${run}/feedback`, {
      headers: { authorization: `Bearer ${scene.service.keys.agui}` },
      body,
    });
  const rated = await rate(id, { rating: "up", note: "Quick." });
  expect(rated.status, rated.text).toBe(200);
  expect(rated.body).toMatchObject({ ok: true });
  expect((await desk().get(`/runs/${id}/feedback`)).body).toMatchObject([
    { rating: "up", note: "Quick.", via: "ag-ui" },
  ]);
  expect((await rate(id, {})).status).toBe(400);
  expect((await rate("nothing", { rating: "up" })).status).toBe(404);
  expect((await rate(UNKNOWN, { rating: "up" })).status).toBe(404);
});

verifies("runs.feedback.gone", "feedback goes with its run: a task, or a team run", async () => {
  const team = await createTeam(scene.api, { config: { steps: [{ agent_id: agentId }] } });
  const run = await startRun(scene.api, team.id);
  await runIn(scene.api, run.id, "completed");
  for (const id of [await completed("Short-lived"), run.id]) {
    expect((await give(id, { rating: "up" })).status).toBe(200);
    expect((await desk().delete(`/runs/${id}`)).status).toBe(204);
    const left = "select count(*)::int as left from feedback where run_id = $1";
    expect(await sql(scene.service.databaseUrl, left, [id])).toEqual([{ left: 0 }]);
  }
});
