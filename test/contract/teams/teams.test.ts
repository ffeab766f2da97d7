import { beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { YEARLY, createSchedule } from "../../support/schedules.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, taskIn } from "../../support/work.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

let service: SharedService;
let api: Api;
let a: string;
let b: string;
let c: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  [a = "", b = "", c = ""] = (await Promise.all([createAgent(api), createAgent(api), createAgent(api)])).map(
    ({ id }) => id,
  );
});

const FULL_STEP = {
  step_name: "Draft",
  instructions: "Write it.",
  expected_output: "A text.",
  on_failure: "retry",
  max_retries: 2,
};

verifies(
  [
    "teams.create.returns-record",
    "teams.get.one",
    "teams.record.extra-fields",
    "teams.record.member-shape",
    "teams.pipeline.config-shape",
    "teams.pipeline.step-fields",
  ],
  "a pipeline is created with every field and read back unchanged",
  async () => {
    const me = fieldsOf(await api.get("/api-me"));
    const sent = {
      name: "Writers",
      description: "They write.",
      mode: "pipeline",
      config: {
        steps: [
          { agent_id: a, ...FULL_STEP },
          { agent_id: b, ...FULL_STEP },
        ],
        auto_handoff: false,
      },
      output_route_ids: [],
      is_marketplace: true,
    };
    const answer = await api.post("/api-teams", sent);
    expect(answer.status).toBe(201);
    const member = { id: expect.stringMatching(UUID), role: "worker", config: {} };
    expect(answer.body).toEqual({
      ...sent,
      id: expect.stringMatching(UUID),
      workspace_id: me["workspace_id"],
      members: [
        { ...member, agent_id: a, position: 0 },
        { ...member, agent_id: b, position: 1 },
      ],
      created_by: me["id"],
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
    });
    const read = await api.get(`/api-teams?id=${String(fieldsOf(answer)["id"])}`);
    expect([read.status, read.body]).toEqual([200, answer.body]);
  },
);

verifies(
  ["teams.list.with-members", "teams.record.member-roles"],
  "the list holds teams of every mode, each with its members in their roles",
  async () => {
    const configs = {
      pipeline: { steps: [{ type: "fan_out", parallel_agents: [a, b], merge_agent_id: c }, { agent_id: a }] },
      orchestrator: { brain_agent_id: a, worker_agent_ids: [b, c] },
      collaboration: { agent_ids: [a, b], facilitator_agent_id: c, speaker_selection: "facilitator" },
    };
    const made = [];
    for (const [mode, config] of Object.entries(configs)) made.push(await createTeam(api, { mode, config }));
    const listed = listOf(await api.get("/api-teams")).slice(0, 3);
    expect(listed.toReversed()).toEqual(made);
    const roles = made.map(({ members }) => members.map(({ agent_id, role }) => [agent_id, role]));
    expect(roles).toEqual([
      [
        [a, "worker"],
        [b, "worker"],
        [c, "reviewer"],
      ],
      [
        [a, "orchestrator"],
        [b, "worker"],
        [c, "worker"],
      ],
      [
        [c, "orchestrator"],
        [a, "participant"],
        [b, "participant"],
      ],
    ]);
  },
);

verifies("teams.create.returns-record", "a team with only a name and a mode is a draft of that mode", async () => {
  const drafts = {
    pipeline: { steps: [], auto_handoff: true },
    orchestrator: { worker_agent_ids: [] },
    collaboration: { agent_ids: [] },
  };
  for (const [mode, config] of Object.entries(drafts)) {
    const answer = await api.post("/api-teams", { name: "Draft", mode });
    expect(answer.status).toBe(201);
    expect(fieldsOf(answer)).toMatchObject({ config, members: [], description: "", output_route_ids: null });
    const { id, ...record } = fieldsOf(answer);
    expect((await api.patch(`/api-teams?id=${String(id)}`, record)).status).toBe(200);
  }
});

const DRAFTS = [
  { mode: "pipeline", config: null },
  { mode: "pipeline", config: {} },
  { mode: "pipeline", config: { steps: [] } },
  { mode: "pipeline", config: { steps: [], auto_handoff: true } },
  { mode: "orchestrator", config: {} },
  { mode: "orchestrator", config: { worker_agent_ids: [] } },
  { mode: "collaboration", config: { agent_ids: [] } },
];

verifies("teams.draft.said", "an empty config makes a draft, however it is said, also of a team", async () => {
  const draftOf = async (mode: string) => fieldsOf(await api.post("/api-teams", { name: "Draft", mode }))["config"];
  for (const { mode, config } of DRAFTS) {
    const made = await api.post("/api-teams", { name: "Draft", mode, config });
    expect([mode, config, made.status, fieldsOf(made)["config"]]).toEqual([mode, config, 201, await draftOf(mode)]);
    const team = await createTeam(api);
    const emptied = await api.patch(`/api-teams?id=${team.id}`, { mode, config });
    expect([config, emptied.status]).toEqual([config, 200]);
    expect(fieldsOf(emptied)).toMatchObject({ mode, config: await draftOf(mode), members: [] });
  }
  for (const config of [{ steps: [{}] }, { steps: [], colour: "red" }, { agent_ids: [] }, [], "x"]) {
    expect([config, (await api.post("/api-teams", { name: "X", mode: "pipeline", config })).status]).toEqual([
      config,
      400,
    ]);
  }
});

verifies(
  "teams.draft.run-fails",
  "a run that a schedule starts for a draft fails and says what is missing",
  async () => {
    const desk = consoleOf(service, service.keys.api);
    const { id } = fieldsOf(await api.post("/api-teams", { name: "Draft", mode: "pipeline" }));
    const schedule = await createSchedule(desk, { name: "Yearly", cron: YEARLY, assigned_team_id: id, title: "Go" });
    const fired = fieldsOf(await desk.post(`/schedules/${schedule}/run`, {}));
    const task = await taskIn(api, String(fired["task_id"]), "failed");
    expect(task["error"]).toContain("The team is a draft that cannot run yet (config.steps must not be empty).");
  },
);

verifies("teams.draft.run-rejected", "a run of a draft is 409 and says what its config needs", async () => {
  const { id } = fieldsOf(await api.post("/api-teams", { name: "Draft", mode: "pipeline" }));
  const task = fieldsOf(await api.post("/api-tasks", { title: "Later" }));
  const finished = await runIn(api, (await startRun(api, (await createTeam(api)).id)).id, "completed");
  await api.patch(`/api-teams?id=${finished.team_id}`, { config: {} });
  for (const answer of [
    await api.post("/api-runs", { team_id: id, input_task: "Go" }),
    await api.post("/api-tasks", { title: "Go", assigned_team_id: id }),
    await api.patch(`/api-tasks?id=${String(task["id"])}`, { assigned_team_id: id }),
    await api.patch(`/api-runs?id=${finished.id}`, { status: "pending" }),
  ]) {
    expect(refusal(answer)).toMatchObject({
      status: 409,
      code: "conflict",
      message: "The team is a draft that cannot run yet (config.steps must not be empty). Complete its config first.",
    });
  }
  expect((await api.get(`/api-tasks?id=${String(task["id"])}`)).body).toEqual(task);
});

verifies("teams.patch.returns-record", "a change keeps what it does not name, and the members follow", async () => {
  const team = await createTeam(api, { config: { steps: [{ agent_id: a }] }, description: "Old" });
  const renamed = fieldsOf(await api.patch(`/api-teams?id=${team.id}`, { name: "New" }));
  expect(renamed).toEqual({ ...team, name: "New", updated_at: expect.stringMatching(TIME) });
  expect(renamed["updated_at"]).not.toBe(team["updated_at"]);
  const config = { brain_agent_id: b, worker_agent_ids: [c] };
  const remade = fieldsOf(await api.patch(`/api-teams?id=${team.id}`, { mode: "orchestrator", config }));
  expect(remade).toMatchObject({ name: "New", description: "Old", mode: "orchestrator", config });
  expect(remade["members"]).toMatchObject([
    { agent_id: b, role: "orchestrator" },
    { agent_id: c, role: "worker" },
  ]);
  expect((await api.get(`/api-teams?id=${team.id}`)).body).toEqual(remade);
});

verifies("teams.delete.removes", "a deleted team is not found, and its agents stay", async () => {
  const team = await createTeam(api, { config: { steps: [{ agent_id: a }] } });
  const path = `/api-teams?id=${team.id}`;
  expect(await api.delete(path)).toMatchObject({ status: 204, text: "" });
  for (const answer of [await api.get(path), await api.patch(path, { name: "X" }), await api.delete(path)]) {
    expect(refusal(answer)).toMatchObject({ status: 404, message: "Team not found" });
  }
  expect((await api.get(`/api-agents?id=${a}`)).status).toBe(200);
});

verifies("teams.record.member-shape", "a deleted agent is no member any more", async () => {
  const leaver = await createAgent(api);
  const team = await createTeam(api, { config: { steps: [{ agent_id: a }, { agent_id: leaver.id }] } });
  await api.delete(`/api-agents?id=${leaver.id}`);
  const { members } = fieldsOf(await api.get(`/api-teams?id=${team.id}`));
  expect(members).toMatchObject([{ agent_id: a }]);
});
