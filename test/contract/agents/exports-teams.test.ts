import fc from "fast-check";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, fieldsOf, idsOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { createTool } from "../../support/custom-tools.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addWorkspace } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

const named = z.looseObject({ name: z.string() });
const file = z.looseObject({
  data: z.looseObject({
    name: z.string(),
    config: z.looseObject({}),
    agents: z.array(z.looseObject({ ref_id: z.string(), agent: named })),
  }),
});
const made = z.strictObject({
  agents: z.array(z.looseObject({ id: z.uuid(), name: z.string(), model: z.string() })),
  team: z.looseObject({
    id: z.uuid(),
    name: z.string(),
    config: z.looseObject({}),
    members: z.array(z.looseObject({ agent_id: z.uuid(), role: z.string(), position: z.int() })),
  }),
  warnings: z.array(z.strictObject({ path: z.string(), message: z.string() })),
});

let service: SharedService;
let api: Api;
let agentIds: readonly string[];

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  const toolId = await createTool(service);
  const agents = await Promise.all(
    ["Ada", "Bo", "Cy", "Di"].map((name) => createAgent(api, { name, tools: ["wait", `custom:${toolId}`] })),
  );
  agentIds = agents.map(({ id }) => id);
});

function ask(method: string, path: string, body?: unknown, key = service.keys.api): Promise<Answer> {
  const headers = { "x-api-key": key };
  return send(method, `${service.url}/console/api${path}`, { headers, ...(body !== undefined && { body }) });
}

async function makeTeam(fields: object): Promise<string> {
  const answer = await api.post("/api-teams", { name: "Crew", mode: "pipeline", ...fields });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return String(fieldsOf(answer)["id"]);
}

async function exportOf(teamId: string): Promise<z.output<typeof file>> {
  return file.parse((await ask("GET", `/teams/${teamId}/export`)).body);
}

async function importOf(body: unknown, path = "/agents/import", key = service.keys.api) {
  const answer = await ask("POST", path, body, key);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return made.parse(answer.body);
}

/** A pipeline that names agents in every way; `name` turns 0, 1 … into what the config is to hold. */
function pipelineOf(name: (index: number) => unknown): object {
  return {
    steps: [
      { agent_id: name(0), step_name: "draft", instructions: "Draft.", on_failure: "retry", max_retries: 2 },
      { type: "fan_out", parallel_agents: [name(1), name(2)], merge_agent_id: name(3), merge_instructions: "Join." },
      { agent_id: name(0), step_name: "polish" },
    ],
    auto_handoff: false,
  };
}

verifies(
  ["exports.file.types", "exports.file.team-references", "exports.file.excludes"],
  "a team's file holds the team and its agents, and no id of the workspace",
  async () => {
    const id = await makeTeam({ description: "Writes", config: pipelineOf((index) => agentIds[index]) });
    const answer = await ask("GET", `/teams/${id}/export`);
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="muster-team-crew.json"');
    const { data, ...header } = file.parse(answer.body);
    expect(header).toEqual({ format: "muster-export", version: 1, type: "team", exported_at: expect.any(String) });
    expect(data).toMatchObject({ name: "Crew", description: "Writes", mode: "pipeline" });
    const references = data.agents.map(({ ref_id, agent }) => [agent.name, ref_id]);
    expect(references.toSorted(([a = ""], [b = ""]) => a.localeCompare(b))).toEqual([
      ["Ada", "agent-1"],
      ["Bo", expect.any(String)],
      ["Cy", expect.any(String)],
      ["Di", expect.any(String)],
    ]);
    const byName = new Map(references.map(([name = "", reference = ""]) => [name, reference]));
    const expected = pipelineOf((index) => byName.get(["Ada", "Bo", "Cy", "Di"][index] ?? ""));
    expect(data.config).toMatchObject(expected);
    for (const hidden of [id, ...agentIds, "custom:", "workspace"]) expect(answer.text).not.toContain(hidden);
  },
);

verifies(
  "exports.import.team",
  "importing a team's file creates the team and all of its agents, also in another workspace",
  async () => {
    const id = await makeTeam({ config: pipelineOf((index) => agentIds[index]) });
    const exported = await exportOf(id);
    const other = await addWorkspace(service.databaseUrl);
    const theirs = apiOf(service, other.key);
    // The second import finds the names of the first.
    for (const [path, ending] of [
      ["/agents/import", " (imported)"],
      ["/teams/import", " 2 (imported)"],
    ] as const) {
      const { agents, team } = await importOf(exported, path, other.key);
      expect(agents.map(({ name }) => name).toSorted()).toEqual(["Ada", "Bo", "Cy", "Di"].map((name) => name + ending));
      expect(team.name).toBe(`Crew${ending}`);
      const ids = new Map(agents.map((agent) => [agent.name, agent.id]));
      const config = pipelineOf((index) => ids.get(`${["Ada", "Bo", "Cy", "Di"][index]}${ending}`));
      expect(team.config).toMatchObject(config);
      expect(new Set(team.members.map(({ agent_id }) => agent_id))).toEqual(new Set(ids.values()));
      expect((await theirs.get(`/api-teams?id=${team.id}`)).body).toEqual(team);
      expect(idsOf(await theirs.get("/api-agents"))).toEqual(expect.arrayContaining([...ids.values()]));
      expect(agentIds.some((agentId) => ids.has(agentId))).toBe(false);
    }
  },
);

function teamFile(data: object = {}): object {
  const agent = { name: "A", model: "demo" };
  const whole = {
    name: "T",
    mode: "pipeline",
    config: { steps: [{ agent_id: "a" }] },
    agents: [{ ref_id: "a", agent }],
    ...data,
  };
  return { format: "crewform-export", version: 1, type: "team", data: whole };
}

verifies("exports.import.foreign-format", "a crewform-export of a team is read like one of ours", async () => {
  const agent = { name: "A", model: "demo" };
  const { team, agents } = await importOf(
    teamFile({ agents: [{ ref_id: "a", role: "worker", position: 0, agent }], config: { steps: [{ agent_id: "a" }] } }),
  );
  expect(team.members).toMatchObject([{ agent_id: agents[0]?.id, role: "worker", position: 0 }]);
});

const FAULTS: readonly { readonly name: string; readonly data: object; readonly path: string }[] = [
  { name: "an unknown mode", data: { mode: "choir" }, path: "data.mode" },
  {
    name: "a reference to nobody",
    data: { config: { steps: [{ agent_id: "b" }] } },
    path: "data.config.steps.0.agent_id",
  },
  {
    name: "an id of this workspace's agents",
    data: { config: { steps: [{ agent_id: UNKNOWN }] } },
    path: "data.config.steps.0.agent_id",
  },
  {
    name: "a wrong config",
    data: { config: { steps: [{ agent_id: "a", on_failure: "pray" }] } },
    path: "data.config.steps.0.on_failure",
  },
  {
    name: "an unknown field of the config",
    data: { config: { steps: [{ agent_id: "a" }], colour: "red" } },
    path: "data.config.colour",
  },
  {
    name: "an agent of an unknown model",
    data: {
      agents: [
        { ref_id: "a", agent: { name: "A", model: "demo" } },
        { ref_id: "b", agent: { name: "B", model: "nope-9" } },
      ],
    },
    path: "data.agents.1.agent.model",
  },
  {
    name: "a reference that two agents have",
    data: {
      agents: [
        { ref_id: "a", agent: { name: "A", model: "demo" } },
        { ref_id: "a", agent: { name: "B", model: "demo" } },
      ],
    },
    path: "data.agents",
  },
];

for (const { name, data, path } of FAULTS) {
  verifies("exports.import.refused", `a team's file with ${name} is rejected and creates nothing`, async () => {
    const before = await Promise.all([api.get("/api-agents?limit=200"), api.get("/api-teams?limit=200")]);
    const answer = await ask("POST", "/agents/import", teamFile(data));
    expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request", paths: [path] });
    const after = await Promise.all([api.get("/api-agents?limit=200"), api.get("/api-teams?limit=200")]);
    expect(after.map(idsOf)).toEqual(before.map(idsOf));
  });
}

verifies("exports.import.refused", "an agent's file is no team's file", async () => {
  const agent = { format: "muster-export", version: 1, type: "agent", data: { name: "A", model: "demo" } };
  const answer = await ask("POST", "/teams/import", agent);
  expect(refusal(answer)).toMatchObject({ status: 400 });
  expect(refusal(answer).paths).toContain("type");
});

verifies("exports.file.deleted-agent", "a team whose agent was deleted is not exported", async () => {
  const { id: agentId } = await createAgent(api);
  const id = await makeTeam({ config: { steps: [{ agent_id: agentId }] } });
  await api.delete(`/api-agents?id=${agentId}`);
  expect(refusal(await ask("GET", `/teams/${id}/export`))).toMatchObject({ status: 409, code: "conflict" });
});

verifies("exports.access", "another workspace's team cannot be exported", async () => {
  const id = await makeTeam({ config: pipelineOf((index) => agentIds[index]) });
  const { key } = await addWorkspace(service.databaseUrl);
  const foreign = refusal(await ask("GET", `/teams/${id}/export`, undefined, key));
  expect(foreign).toMatchObject({ status: 404, message: "Team not found" });
  expect(refusal(await ask("GET", `/teams/${UNKNOWN}/export`, undefined, key))).toEqual(foreign);
});

const text = fc.string({ maxLength: 30, unit: "grapheme" }).filter((value) => !value.includes("\0"));
const member = fc.nat({ max: 3 });
const several = (minLength: number) => fc.uniqueArray(member, { minLength, maxLength: 4 });
const ids = (indexes: readonly number[]) => indexes.map((index) => agentIds[index]);

const anyDesign = fc.oneof(
  fc
    .array(
      fc.record({ agent: member, crowd: several(0), instructions: text, on_failure: fc.constantFrom("stop", "skip") }),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((steps) => () => ({
      mode: "pipeline",
      config: {
        steps: steps.map(({ agent, crowd, ...step }) =>
          crowd.length === 0
            ? { ...step, agent_id: agentIds[agent] }
            : { ...step, type: "fan_out", parallel_agents: ids(crowd), merge_agent_id: agentIds[agent] },
        ),
      },
    })),
  fc.record({ brain: member, workers: several(1) }).map(({ brain, workers }) => () => ({
    mode: "orchestrator",
    config: { brain_agent_id: agentIds[brain], worker_agent_ids: ids(workers) },
  })),
  fc.record({ speakers: several(2), leader: member }).map(({ speakers, leader }) => () => ({
    mode: "collaboration",
    config: { agent_ids: ids(speakers), facilitator_agent_id: agentIds[leader], speaker_selection: "facilitator" },
  })),
  fc.constantFrom("pipeline", "orchestrator", "collaboration").map((mode) => () => ({ mode })),
);

/** A file without what an import changes: the names. */
function nameless({ data }: z.output<typeof file>): object {
  const agents = data.agents.map((entry) => ({ ...entry, agent: { ...entry.agent, name: "" } }));
  return { ...data, name: "", agents };
}

verifies(
  "exports.round-trip",
  "a team of any mode that was exported, imported and exported again is the same file",
  async () => {
    await fc.assert(
      fc.asyncProperty(anyDesign, text, async (design, description) => {
        const first = await exportOf(await makeTeam({ ...design(), description }));
        const second = await exportOf((await importOf(first, "/teams/import")).team.id);
        expect(JSON.stringify(nameless(second))).toBe(JSON.stringify(nameless(first)));
        expect(second.data.name).toMatch(/ \(imported\)$/);
      }),
      { numRuns: 40 },
    );
  },
  { tags: "slow" },
);
