import { beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { environmentOf, runMuster, startMuster } from "../../support/muster.ts";
import { stepsOf } from "../../support/run-steps.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, readRun, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";

const choices = [
  { id: "tea", label: "Tea" },
  { id: "coffee", label: "Coffee" },
];

let service: SharedService;
let api: Api;
let teamId: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  const agent = await createAgent(api, { tools: ["request_choice"] });
  const instructions = callOf("request_choice", { title: "Which?", choices });
  teamId = (await createTeam(api, { config: { steps: [{ agent_id: agent.id, instructions }] } })).id;
});

function start(...args: readonly string[]) {
  return startMuster(args, { env: environmentOf(service) });
}

function run(...args: readonly string[]) {
  return runMuster(args, { env: environmentOf(service) });
}

async function startWaiting(): Promise<string> {
  const { id } = await startRun(api, teamId);
  await runIn(api, id, "waiting_for_input");
  return id;
}

verifies(
  "cli.runs.answer",
  "the question of a run is shown, answered, and seen by watching clients",
  async () => {
    const id = await startWaiting();
    const watching = start("runs", "watch", id);
    const polling = start("runs", "watch", id, "--json");
    await Promise.all([watching.prints(/▶ Step 1/), polling.prints(/"INTERACTION_REQUEST"/)]);
    const shown = await run("runs", "answer", id);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(`muster runs answer ${id} --choice ID`) });
    expect(await run("runs", "answer", id, "--choice", "tea")).toMatchObject({ code: 0, stderr: "" });
    expect(await watching.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("tea"),
      stderr: expect.stringContaining("tea: Tea"),
    });
    expect(await polling.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("RUN_FINISHED") });
    const late = await run("runs", "answer", id, "--choice", "tea");
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining("completed and has no open question") });
  },
  { tags: "slow" },
);

verifies(
  "cli.runs.fork",
  "a fork begins with another answer of a person, or with a text for the step's output",
  async () => {
    const id = await startWaiting();
    await run("runs", "answer", id, "--choice", "tea");
    await runIn(api, id, "completed");
    const forked = await run(
      "runs",
      "fork",
      id,
      "--from-step",
      "0",
      "--change-answer",
      '{"selectedOptionId":"coffee"}',
      "--json",
    );
    expect(forked.code).toBe(0);
    const { id: forkId } = JSON.parse(forked.stdout);
    expect(await runIn(api, forkId, "completed")).toMatchObject({ output: expect.stringContaining("coffee") });
    const contradiction = await run("runs", "fork", id, "--from-step", "0", "--answer", "x", "--change-answer", "{}");
    expect(contradiction).toMatchObject({ code: 2, stderr: expect.stringContaining("--change-answer") });
    const retried = await run("runs", "retry", id);
    expect(retried).toMatchObject({ code: 1, stderr: expect.stringContaining("this one is completed") });
    expect((await readRun(api, id)).attempt).toBe(1);
  },
);

verifies("cli.tasks.fork", "a task is forked with another answer, and with a text for a model call", async () => {
  const agent = await createAgent(api, { tools: ["request_choice"] });
  const description = callOf("request_choice", { title: "Which?", choices });
  const { id } = await createTask(api, { title: "Order", description, assigned_agent_id: agent.id });
  await taskIn(api, id, "waiting_for_input");
  await run("tasks", "answer", id, "--choice", "tea");
  await taskIn(api, id, "completed");
  const steps = await stepsOf(service, id);
  const question = steps.find(({ kind }) => kind === "question")?.key ?? "";
  const changed = ["--change-answer", '{"selectedOptionId":"coffee"}', "--question", question, "--json"];
  const forked = await run("tasks", "fork", id, "--from-step", "0", ...changed);
  expect(forked).toMatchObject({ code: 0, stderr: "" });
  const { id: forkId } = JSON.parse(forked.stdout);
  expect(await taskIn(api, forkId, "completed")).toMatchObject({ result: expect.stringContaining("coffee") });
  const given = await run("tasks", "fork", id, "--from-step", "1", "--answer", "By hand.");
  const [, givenId = ""] = /^Started task (\S+) \(/.exec(given.stdout) ?? [];
  expect(await taskIn(api, givenId, "completed")).toMatchObject({ result: "By hand." });
});
