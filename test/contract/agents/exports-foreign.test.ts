import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { TEMPLATE_TYPES } from "#domain/agents/output-template.ts";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { rawTable } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const named = z.looseObject({ id: z.uuid(), name: z.string() });
const imported = z.strictObject({
  agents: z.array(named),
  team: named.nullable(),
  warnings: z.array(z.strictObject({ path: z.string(), message: z.string() })),
});

let service: SharedService;
let api: Api;
let console_: Api;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  console_ = consoleOf(service, service.keys.api);
});

async function importOf(type: "agent" | "team", data: object): Promise<z.output<typeof imported>> {
  const answer = await console_.post("/agents/import", { format: "crewform-export", version: 1, type, data });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return imported.parse(answer.body);
}

const agent = (fields: object = {}) => ({ name: "Foreign", model: "demo", ...fields });

verifies("exports.import.original-fields", "a team of the original system is imported without its canvas", async () => {
  const { team, warnings } = await importOf("team", {
    name: "Crew",
    description: "",
    mode: "pipeline",
    config: {
      steps: [
        { agent_id: "agent_0", step_name: "One", reviewer_agent_id: "gone" },
        { agent_id: "agent_0", step_name: "Two", reviewer_agent_id: null },
      ],
      auto_handoff: true,
      planner_enabled: false,
      node_positions: { a: { x: 1, y: 2 } },
      _canvas_viewport: { zoom: 1 },
      _canvas_agent_ids: ["not-in-the-file"],
    },
    agents: [{ ref_id: "agent_0", agent: agent() }],
  });
  expect(warnings).toEqual([]);
  expect(team?.["config"]).toMatchObject({ auto_handoff: true, steps: [{ step_name: "One" }, { step_name: "Two" }] });
  expect(JSON.stringify(team)).not.toMatch(/planner|node_positions|_canvas|reviewer/);
});

verifies("exports.import.warnings", "unknown tools and providers are left out, and the answer says so", async () => {
  const { agents, warnings } = await importOf(
    "agent",
    agent({
      provider: "acme",
      tools: ["wait", "teleport", "custom:x", "web_search"],
      config: { requires_approval: ["teleport", "wait"], note: 1 },
    }),
  );
  expect(agents).toMatchObject([
    { provider: "demo", tools: ["wait", "web_search"], config: { requires_approval: ["wait"], note: 1 } },
  ]);
  expect(warnings).toEqual([
    { path: "data.tools.1", message: 'Unknown tool: "teleport" was left out.' },
    { path: "data.tools.2", message: 'Custom tools are not imported: "custom:x" was left out.' },
    { path: "data.config.requires_approval.0", message: 'Unknown tool: "teleport" was left out.' },
    { path: "data.provider", message: expect.stringContaining('Unknown provider "acme" was left out') },
  ]);
});

verifies("exports.file.chosen-format", "the caller chooses the export's format name", async () => {
  const { id } = await createAgent(api, { name: "Exported" });
  const formatOf = async (query: string) => fieldsOf(await console_.get(`/agents/${id}/export${query}`))["format"];
  expect(await formatOf("")).toBe("muster-export");
  expect(await formatOf("?format=crewform-export")).toBe("crewform-export");
  const wrong = refusal(await console_.get(`/agents/${id}/export?format=zip`));
  expect(wrong).toMatchObject({ status: 400, paths: ["format"] });
  expect(wrong.message).toMatch(/muster-export.*crewform-export/);
});

verifies("exports.import.unique-name", "a name that exists gets a number before the suffix", async () => {
  const names = async () => (await importOf("agent", agent({ name: "Often" }))).agents.map(({ name }) => name);
  expect([await names(), await names(), await names()]).toEqual([
    ["Often (imported)"],
    ["Often 2 (imported)"],
    ["Often 3 (imported)"],
  ]);
  const team = {
    name: "Twice",
    mode: "pipeline",
    config: { steps: [{ agent_id: "a" }, { agent_id: "b" }] },
    agents: [
      { ref_id: "a", agent: agent({ name: "Same" }) },
      { ref_id: "b", agent: agent({ name: "Same" }) },
    ],
  };
  const [first, second] = [await importOf("team", team), await importOf("team", team)];
  expect(first.agents.map(({ name }) => name)).toEqual(["Same (imported)", "Same 2 (imported)"]);
  expect([first.team?.name, second.team?.name]).toEqual(["Twice (imported)", "Twice 2 (imported)"]);
});

verifies("marketplace.copy.unique-name", "a copy does not get a name that exists in the workspace", async () => {
  const { id } = await createAgent(api, { name: "Listed", is_marketplace: true });
  const copyName = async () => {
    const { agent_id } = fieldsOf(await console_.post(`/marketplace/${id}/install`, {}));
    return fieldsOf(await api.get(`/api-agents?id=${String(agent_id)}`))["name"];
  };
  expect([await copyName(), await copyName()]).toEqual(["Listed 2", "Listed 3"]);
});

verifies("agents.namesake-warning", "a second agent of a name is created with a warning", async () => {
  const body = { name: "Namesake", model: "demo" };
  const create = (version: string) =>
    send("POST", `${service.url}/functions/v1/api-agents`, {
      headers: { "x-api-key": service.keys.api, "x-api-version": version },
      body,
    });
  const first = await create("2");
  expect([first.status, first.headers.get("x-warning"), fieldsOf(first)["meta"]]).toEqual([
    201,
    null,
    expect.not.objectContaining({ warning: expect.anything() }),
  ]);
  const warning = "Another agent has this name; commands that address agents by name now need the id.";
  const second = await create("2");
  expect([second.status, second.headers.get("x-warning")]).toEqual([201, warning]);
  expect(second.body).toMatchObject({ data: { name: "Namesake" }, meta: { warning } });
  const third = await create("1");
  expect([third.status, third.headers.get("x-warning")]).toEqual([201, warning]);
  expect(third.body).toEqual((await api.get(`/api-agents?id=${String(fieldsOf(third)["id"])}`)).body);
});

verifies("templates.types.any-case", "a template's type is accepted in any case, in records and in files", async () => {
  for (const type of ["markdown", "json", "Html", "CSV", "cUSTOM"]) {
    const template = { type, body: "{{task_result}}" };
    const made = await api.post("/api-agents", { name: `T${type}`, model: "demo", output_template: template });
    const [imported] = (await importOf("agent", agent({ output_template: template }))).agents;
    for (const record of [fieldsOf(made), imported]) {
      const read = Object(record?.["output_template"])["type"];
      expect(TEMPLATE_TYPES.filter((known) => known === read)).toEqual([read]);
    }
  }
});

verifies("voice.tone.any-case", "a tone is accepted in any case, and a voice without one is Custom", async () => {
  const toneOf = async (voice_profile: object) =>
    fieldsOf(await api.post("/api-agents", { name: `V${crypto.randomUUID()}`, model: "demo", voice_profile }))[
      "voice_profile"
    ];
  expect(await toneOf({ tone: "formal" })).toEqual({ tone: "Formal" });
  expect(await toneOf({ custom_instructions: "Be brief." })).toEqual({
    tone: "Custom",
    custom_instructions: "Be brief.",
  });
  const [made] = (await importOf("agent", agent({ voice_profile: { output_format_hints: "h" } }))).agents;
  expect(made?.["voice_profile"]).toEqual({ tone: "Custom", output_format_hints: "h" });
  const saved = fieldsOf(await console_.post("/voice-profiles", { name: "Saved", tone: "casual" }));
  expect(saved).toMatchObject({ tone: "Casual" });
  const renamed = fieldsOf(await console_.patch(`/voice-profiles/${String(saved["id"])}`, { name: "Kept" }));
  expect(renamed).toMatchObject({ name: "Kept", tone: "Casual" });
  const body = { name: "Row", tone: "EMPATHETIC", workspace_id: saved["workspace_id"] };
  const row = await rawTable(service)("POST", "/voice_profiles?select=tone", {
    body,
    headers: { prefer: "return=representation" },
  });
  expect(row.body).toEqual([{ tone: "Empathetic" }]);
  const wrong = await api.post("/api-agents", { name: "V", model: "demo", voice_profile: { tone: "loud" } });
  expect(refusal(wrong)).toMatchObject({ status: 400, paths: ["voice_profile.tone"] });
});
