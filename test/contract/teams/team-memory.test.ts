import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import {
  answerRun,
  callsBy,
  createCrewAgent,
  inputOf,
  startCrewProvider,
  firstMessages,
} from "../../support/teams/crew.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import type { RunFields } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace } from "../../support/workspace.ts";

const HEADING = "## Team Memory";
const UNKNOWN = "01940000-0000-7000-8000-000000000000";

const memory = z.strictObject({
  id: z.uuid(),
  team_id: z.uuid(),
  run_id: z.uuid(),
  attempt: z.int(),
  status: z.string(),
  task: z.string(),
  outcome: z.string(),
  created_at: z.iso.datetime(),
});

let provider: ScriptedProvider;
let service: SharedService;
let api: Api;
let anna: string;
let bert: string;

beforeAll(async () => {
  provider = await startCrewProvider();
  service = await useProvider(provider);
  api = apiOf(service, service.keys.api);
  anna = await createCrewAgent(service, "Anna", { tools: ["request_input"] });
  bert = await createCrewAgent(service, "Bert");
});
afterAll(() => provider.close());

const REMEMBERS = { enabled: true };

/** A team of a pipeline that remembers, unless another config says otherwise. */
async function team(config: object = {}, mode = "pipeline"): Promise<string> {
  const steps = mode === "pipeline" ? { steps: [{ agent_id: anna }] } : {};
  return (await createTeam(api, { mode, config: { ...steps, memory: REMEMBERS, ...config } })).id;
}

/** Runs a team on a task until it is in a state. */
async function run(teamId: string, title: string, status = "completed"): Promise<RunFields> {
  const { id } = await startRun(api, teamId, inputOf(title));
  return runIn(api, id, status);
}

function memories(teamId: string, query = ""): Promise<Answer> {
  return consoleOf(service, service.keys.api).get(`/teams/${teamId}/memories${query}`);
}

async function remembered(teamId: string) {
  return z.array(memory).parse((await memories(teamId)).body);
}

verifies(
  ["teams.memory.kept", "teams.memory.listed"],
  "the outcomes of runs are remembered, also of a failed one",
  async () => {
    const teamId = await team();
    const done = await run(teamId, "kept rain");
    const failed = await run(teamId, "kept snow Anna:rejects", "failed");
    await api.patch(`/api-runs?id=${done.id}`, { status: "pending" });
    await runIn(api, done.id, "completed");
    expect(await remembered(teamId)).toMatchObject([
      { team_id: teamId, run_id: done.id, attempt: 2, status: "completed" },
      { run_id: failed.id, attempt: 1, status: "failed", outcome: expect.stringContaining("not today") },
      { run_id: done.id, attempt: 1, task: inputOf("kept rain"), outcome: "Anna says so" },
    ]);
    const first = await memories(teamId, "?limit=2");
    const [, second] = z.array(memory).parse(first.body);
    const rest = await memories(teamId, `?limit=2&cursor=${second?.created_at ?? ""}`);
    expect(z.array(memory).parse(rest.body)).toMatchObject([{ run_id: done.id, attempt: 1 }]);
  },
  { tags: "slow" },
);

verifies("teams.memory.kept", "a team without memory stores none, and neither does a cancelled run", async () => {
  const forgetful = await team({ memory: { enabled: false } });
  await run(forgetful, "forgotten rain");
  await run(forgetful, "forgotten rain again");
  expect(await remembered(forgetful)).toEqual([]);
  expect(firstMessages(provider, "forgotten rain again", "Anna")).toEqual([expect.not.stringContaining(HEADING)]);
  const teamId = await team();
  const { id } = await run(teamId, "cancelled Anna:asks", "waiting_for_input");
  await api.patch(`/api-runs?id=${id}`, { status: "cancelled" });
  expect(await remembered(teamId)).toEqual([]);
});

verifies("teams.memory.told", "a run gets the memories most similar to its task, the best first", async () => {
  const teamId = await team({ memory: { enabled: true, limit: 2 } });
  await run(teamId, "a sonnet about the rain in autumn");
  await run(teamId, "a sonnet about the rain in autumn");
  await run(teamId, "prices of used bicycles");
  await run(teamId, "rain and wind Anna:rejects", "failed");
  const title = "another sonnet about autumn rain";
  await run(teamId, title);
  const [told = ""] = firstMessages(provider, title, "Anna");
  expect(told.indexOf(HEADING)).toBeGreaterThan(told.indexOf("## Task"));
  expect(told.indexOf("## Pipeline Context")).toBeGreaterThan(told.indexOf(HEADING));
  expect(
    [...told.matchAll(/### Task Title: (.*) \((\w+), \d{4}-\d\d-\d\d\)\n\n(.*)/g)].map((match) => match.slice(1)),
  ).toEqual([
    ["a sonnet about the rain in autumn", "completed", "Anna says so"],
    ["rain and wind Anna:rejects", "failed", expect.stringContaining("not today")],
  ]);
  await run(teamId, "nothing in common");
  expect(firstMessages(provider, "nothing in common", "Anna")).toEqual([expect.not.stringContaining("bicycles")]);
});

verifies("teams.memory.told", "a run gets memories in every mode, and of the team's own runs only", async () => {
  const modes = [
    { mode: "orchestrator", config: { brain_agent_id: bert, worker_agent_ids: [anna] } },
    { mode: "collaboration", config: { agent_ids: [bert, anna], max_turns: 1 } },
  ];
  for (const { mode, config } of modes) {
    const teamId = await team(config, mode);
    await run(teamId, `${mode} with rain`);
    await run(teamId, `${mode} with more rain`);
    const told = firstMessages(provider, `${mode} with more rain`, "Bert");
    expect([mode, told]).toEqual([mode, [expect.stringContaining(`${HEADING}\n`)]]);
    expect(told[0]).toContain(`${mode} with rain (completed`);
    const stranger = await team(config, mode);
    await run(stranger, `${mode} with rain elsewhere`);
    expect(firstMessages(provider, `${mode} with rain elsewhere`, "Bert")[0]).not.toContain(HEADING);
  }
});

verifies("teams.memory.recorded", "a continued run and a fork get the memories of the original run", async () => {
  const teamId = await team({ steps: [{ agent_id: anna }, { agent_id: bert }] });
  await run(teamId, "recorded rain");
  const title = "recorded snow Anna:asks";
  const { id } = await run(teamId, title, "waiting_for_input");
  await run(teamId, "recorded snow of another run");
  await answerRun(service, id, { text: "Red" });
  await runIn(api, id, "completed");
  const forked = await consoleOf(service, service.keys.api).post(`/runs/${id}/fork`, { from_step: 1 });
  await runIn(api, z.looseObject({ id: z.uuid() }).parse(forked.body).id, "completed");
  const told = [...firstMessages(provider, title, "Anna"), ...firstMessages(provider, title, "Bert")];
  expect(told).toHaveLength(4);
  for (const text of told) {
    expect(text).toContain("recorded rain (completed");
    expect(text).not.toContain("of another run");
  }
  expect(callsBy(provider, title, "Anna")).toHaveLength(2);
});

verifies(
  "teams.memory.deleted",
  "one or all memories are deleted, and with the team",
  async () => {
    const teamId = await team();
    for (const title of ["gone one", "gone two", "gone three"]) await run(teamId, title);
    const own = consoleOf(service, service.keys.api);
    const [newest] = await remembered(teamId);
    expect((await own.delete(`/teams/${teamId}/memories/${newest?.id ?? ""}`)).status).toBe(204);
    expect((await own.delete(`/teams/${teamId}/memories/${newest?.id ?? ""}`)).status).toBe(404);
    expect(await remembered(teamId)).toHaveLength(2);
    expect((await own.delete(`/teams/${teamId}/memories`)).status).toBe(204);
    expect(await remembered(teamId)).toEqual([]);
    await run(teamId, "gone four");
    expect(firstMessages(provider, "gone four", "Anna")[0]).not.toContain(HEADING);
    await api.delete(`/api-teams?id=${teamId}`);
    expect((await memories(teamId)).status).toBe(404);
    expect((await memories(UNKNOWN)).status).toBe(404);
    expect((await own.delete(`/teams/${UNKNOWN}/memories`)).status).toBe(404);
  },
  { tags: "slow" },
);

verifies("teams.memory.listed", "another workspace sees and deletes none of them", async () => {
  const teamId = await team();
  await run(teamId, "walled");
  const foreign = consoleOf(service, (await addWorkspace(service.databaseUrl)).key);
  const [only] = await remembered(teamId);
  const refused = [
    await foreign.get(`/teams/${teamId}/memories`),
    await foreign.delete(`/teams/${teamId}/memories`),
    await foreign.delete(`/teams/${teamId}/memories/${only?.id ?? ""}`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(await remembered(teamId)).toHaveLength(1);
});

verifies("teams.memory.config", "the setting is checked in every mode", async () => {
  const configs = {
    pipeline: { steps: [{ agent_id: anna }] },
    orchestrator: { brain_agent_id: anna, worker_agent_ids: [bert] },
    collaboration: { agent_ids: [anna, bert] },
  };
  for (const [mode, config] of Object.entries(configs)) {
    const made = await createTeam(api, { mode, config: { ...config, memory: {} } });
    expect(made.config["memory"]).toEqual({ enabled: false, limit: 3 });
    const refused = await api.post("/api-teams", { name: "X", mode, config: { ...config, memory: { limit: 11 } } });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("config.memory.limit")]);
  }
});
