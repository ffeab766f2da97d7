import { beforeAll, expect, test } from "vitest";
import { apiOf, fieldsOf, idsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addWorkspace } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: SharedService;
let api: Api;
let a: string;
let b: string;
let c: string;
let foreign: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  [a = "", b = "", c = ""] = (await Promise.all([createAgent(api), createAgent(api), createAgent(api)])).map(
    ({ id }) => id,
  );
  const other = await addWorkspace(service.databaseUrl);
  foreign = (await createAgent(apiOf(service, other.key))).id;
});

verifies("teams.create.mode-values", "a mode that does not exist, or none, is rejected", async () => {
  for (const mode of ["swarm", "Pipeline", null, undefined]) {
    const answer = refusal(await api.post("/api-teams", { name: "Crew", mode }));
    expect(answer).toMatchObject({ status: 400, paths: ["mode"] });
    for (const name of ["pipeline", "orchestrator", "collaboration"]) expect(answer.message).toContain(name);
  }
});

test("without a mode, the response also lists the issues of the fields that all modes have", async () => {
  const answer = refusal(await api.post("/api-teams", { config: { steps: [] }, colour: "red" }));
  expect(answer).toMatchObject({ status: 400, paths: ["mode", "name", "colour"] });
  expect(answer.message).toContain("name is required");
});

verifies(
  ["teams.pipeline.on-failure-values", "teams.orchestrator.config-defaults", "teams.collaboration.config-defaults"],
  "omitted config fields have their defaults",
  async () => {
    const pipeline = await createTeam(api, { config: { steps: [{ agent_id: a }] } });
    expect(pipeline.config).toEqual({
      steps: [
        { agent_id: a, step_name: "", instructions: "", expected_output: "", on_failure: "stop", max_retries: 1 },
      ],
      auto_handoff: true,
    });
    const led = { brain_agent_id: a, worker_agent_ids: [b] };
    const orchestrator = await createTeam(api, { mode: "orchestrator", config: led });
    expect(orchestrator.config).toEqual({
      ...led,
      quality_threshold: 0.7,
      max_delegation_depth: 3,
      max_iterations: 20,
      routing_strategy: "auto",
    });
    const collaboration = await createTeam(api, { mode: "collaboration", config: { agent_ids: [a, b] } });
    expect(collaboration.config).toEqual({
      agent_ids: [a, b],
      speaker_selection: "round_robin",
      max_turns: 10,
      termination_condition: "max_turns",
      consensus_phrase: "I agree with the consensus",
    });
  },
);

verifies(
  [
    "teams.pipeline.on-failure-values",
    "teams.pipeline.max-retries-range",
    "teams.pipeline.step-fan-out-fields",
    "teams.pipeline.fan-out-failure-values",
    "teams.collaboration.speaker-selection-values",
    "teams.collaboration.termination-values",
    "teams.collaboration.facilitator",
    "teams.orchestrator.config-shape",
  ],
  "every valid config value is accepted and stored",
  async () => {
    const fanOut = { type: "fan_out", parallel_agents: [a, b], merge_agent_id: c, merge_instructions: "Join." };
    const configs: readonly [string, object][] = [
      ...["retry", "stop", "skip"].map((on_failure): [string, object] => [
        "pipeline",
        { steps: [{ type: "sequential", agent_id: a, on_failure }] },
      ]),
      ...[0, 10].map((max_retries): [string, object] => ["pipeline", { steps: [{ agent_id: a, max_retries }] }]),
      ...["fail_fast", "continue_on_partial"].map((fan_out_failure): [string, object] => [
        "pipeline",
        { steps: [{ ...fanOut, fan_out_failure }] },
      ]),
      ["pipeline", { steps: Array.from({ length: 50 }, () => ({ agent_id: a })) }],
      ["orchestrator", { brain_agent_id: a, worker_agent_ids: [b], quality_threshold: 1, max_delegation_depth: 0 }],
      ...["round_robin", "llm_select", "facilitator"].map((speaker_selection): [string, object] => [
        "collaboration",
        { agent_ids: [a, b], speaker_selection, facilitator_agent_id: c },
      ]),
      ...["max_turns", "consensus", "facilitator_decision"].map((termination_condition): [string, object] => [
        "collaboration",
        { agent_ids: [a, b], termination_condition, facilitator_agent_id: a },
      ]),
    ];
    for (const [mode, config] of configs) {
      const answer = await api.post("/api-teams", { name: "Crew", mode, config });
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      expect(fieldsOf(answer)["config"]).toMatchObject(config);
    }
  },
);

const faults = [
  { mode: "pipeline", config: () => ({ steps: {} }), path: "steps", verifies: "teams.pipeline.config-shape" },
  {
    mode: "pipeline",
    config: () => ({ steps: Array.from({ length: 51 }, () => ({ agent_id: a })) }),
    path: "steps",
    verifies: "teams.pipeline.config-shape",
  },
  {
    mode: "pipeline",
    config: () => ({ steps: [{ agent_id: a }], auto_handoff: "yes" }),
    path: "auto_handoff",
    verifies: "teams.pipeline.config-shape",
  },
  {
    mode: "pipeline",
    config: () => ({ steps: [{ agent_id: a }], brain_agent_id: a }),
    path: "brain_agent_id",
    verifies: "teams.create.config-by-mode",
  },
  {
    mode: "pipeline",
    config: () => ({ steps: [{ step_name: "X" }] }),
    path: "steps.0.agent_id",
    verifies: "teams.pipeline.step-fields",
  },
  {
    mode: "pipeline",
    config: () => ({ steps: [{ agent_id: a }, { agent_id: "x" }] }),
    path: "steps.1.agent_id",
    verifies: "teams.pipeline.step-fields",
  },
  {
    mode: "pipeline",
    config: () => ({ steps: [{ agent_id: a, on_failure: "explode" }] }),
    path: "steps.0.on_failure",
    verifies: "teams.pipeline.on-failure-values",
  },
  ...[-1, 11, 1.5].map((max_retries) => ({
    mode: "pipeline",
    config: () => ({ steps: [{ agent_id: a, max_retries }] }),
    path: "steps.0.max_retries",
    verifies: "teams.pipeline.max-retries-range" as const,
  })),
  {
    mode: "collaboration",
    config: () => ({ agent_ids: [a, b], termination_condition: "consensus", consensus_phrase: "  " }),
    path: "consensus_phrase",
    verifies: "teams.collaboration.config-shape" as const,
  },
  {
    mode: "pipeline",
    config: () => ({ steps: [{ type: "fan_out", agent_id: a }] }),
    path: "steps.0.parallel_agents",
    verifies: "teams.pipeline.step-fan-out-fields",
  },
  {
    mode: "pipeline",
    config: () => ({ steps: [{ type: "fan_out", parallel_agents: [a], fan_out_failure: "ignore" }] }),
    path: "steps.0.fan_out_failure",
    verifies: "teams.pipeline.fan-out-failure-values",
  },
  {
    mode: "orchestrator",
    config: () => ({ worker_agent_ids: [a] }),
    path: "brain_agent_id",
    verifies: "teams.orchestrator.config-shape",
  },
  {
    mode: "orchestrator",
    config: () => ({ brain_agent_id: a, worker_agent_ids: [] }),
    path: "worker_agent_ids",
    verifies: "teams.orchestrator.config-shape",
  },
  {
    mode: "orchestrator",
    config: () => ({ brain_agent_id: a, worker_agent_ids: [b], quality_threshold: 1.1 }),
    path: "quality_threshold",
    verifies: "teams.create.config-by-mode",
  },
  {
    mode: "collaboration",
    config: () => ({ agent_ids: [a] }),
    path: "agent_ids",
    verifies: "teams.collaboration.config-shape",
  },
  {
    mode: "collaboration",
    config: () => ({ agent_ids: [a, a] }),
    path: "agent_ids",
    verifies: "teams.collaboration.config-shape",
  },
  {
    mode: "collaboration",
    config: () => ({ agent_ids: [a, b], speaker_selection: "loudest" }),
    path: "speaker_selection",
    verifies: "teams.collaboration.speaker-selection-values",
  },
  {
    mode: "collaboration",
    config: () => ({ agent_ids: [a, b], termination_condition: "never" }),
    path: "termination_condition",
    verifies: "teams.collaboration.termination-values",
  },
  {
    mode: "collaboration",
    config: () => ({ agent_ids: [a, b], termination_condition: "facilitator_decision" }),
    path: "facilitator_agent_id",
    verifies: "teams.collaboration.facilitator",
  },
] as const;

for (const { mode, config, path, verifies: id } of faults) {
  verifies(
    ["teams.create.config-by-mode", id],
    `a ${mode} with an issue at config.${path} is rejected, and nothing is created or changed`,
    async () => {
      const before = idsOf(await api.get("/api-teams?limit=200"));
      const refused = { status: 400, code: "bad_request", paths: [`config.${path}`] };
      expect(refusal(await api.post("/api-teams", { name: "Crew", mode, config: config() }))).toMatchObject(refused);
      expect(idsOf(await api.get("/api-teams?limit=200"))).toEqual(before);
      const team = await createTeam(api);
      const changed = await api.patch(`/api-teams?id=${team.id}`, { name: "Changed", mode, config: config() });
      expect(refusal(changed)).toMatchObject(refused);
      expect((await api.get(`/api-teams?id=${team.id}`)).body).toEqual(team);
    },
  );
}

verifies(
  ["teams.create.foreign-agent-400", "envelope.body.nothing-half-written"],
  "agents that are unknown or of another workspace are rejected with their paths, alike",
  async () => {
    const before = idsOf(await api.get("/api-teams?limit=200"));
    for (const stranger of [UNKNOWN, foreign]) {
      const config = {
        steps: [{ agent_id: a }, { agent_id: stranger }, { type: "fan_out", parallel_agents: [b, stranger] }],
      };
      const paths = ["config.steps.1.agent_id", "config.steps.2.parallel_agents.1"];
      const answer = await api.post("/api-teams", { name: "Crew", mode: "pipeline", config });
      expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request", paths });
      const team = await createTeam(api);
      expect(refusal(await api.patch(`/api-teams?id=${team.id}`, { config }))).toMatchObject({ status: 400, paths });
      expect((await api.get(`/api-teams?id=${team.id}`)).body).toEqual(team);
      await api.delete(`/api-teams?id=${team.id}`);
    }
    expect(idsOf(await api.get("/api-teams?limit=200"))).toEqual(before);
  },
);

verifies("teams.create.config-by-mode", "a change is checked by the mode that the team then has", async () => {
  const team = await createTeam(api);
  const path = `/api-teams?id=${team.id}`;
  const modeAlone = refusal(await api.patch(path, { mode: "collaboration" }));
  expect(modeAlone).toMatchObject({ status: 400, paths: expect.arrayContaining(["config.agent_ids"]) });
  const configAlone = refusal(await api.patch(path, { config: { agent_ids: [a, b] } }));
  expect(configAlone).toMatchObject({ status: 400, paths: expect.arrayContaining(["config.steps"]) });
  expect((await api.get(path)).body).toEqual(team);
  const draft = fieldsOf(await api.post("/api-teams", { name: "Draft", mode: "pipeline" }));
  const other = await api.patch(`/api-teams?id=${String(draft["id"])}`, { mode: "collaboration" });
  expect(fieldsOf(other)).toMatchObject({ mode: "collaboration", config: { agent_ids: [] } });
});

verifies("envelope.body.unknown-fields-400", "a team rejects unknown fields, also inside of its config", async () => {
  const config = { steps: [{ agent_id: a, colour: "red" }] };
  const team = await createTeam(api);
  for (const answer of [
    await api.post("/api-teams", { name: "Crew", mode: "pipeline", config, colour: "red" }),
    await api.patch(`/api-teams?id=${team.id}`, { config }),
  ]) {
    expect(refusal(answer)).toMatchObject({ status: 400 });
    expect(refusal(answer).paths).toContain("config.steps.0.colour");
  }
  expect(refusal(await api.patch(`/api-teams?id=${team.id}`, { colour: "red" })).paths).toEqual(["colour"]);
});
