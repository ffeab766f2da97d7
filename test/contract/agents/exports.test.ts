import fc from "fast-check";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { agentFile, importAgents } from "../../support/agent-files.ts";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { createTool } from "../../support/custom-tools.ts";
import { createRoute } from "../../support/destinations/deliveries.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, taskInState, QUICK } from "../../support/work.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

const file = z.strictObject({
  format: z.string(),
  version: z.int(),
  type: z.string(),
  exported_at: z.iso.datetime(),
  data: z.looseObject({ name: z.string() }),
});
type File = z.output<typeof file>;

let service: SharedService;
let api: Api;
/** The same with a tool of its workspace among its own. */
let full: typeof FULL;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  full = { ...FULL, tools: ["wait", `custom:${await createTool(service)}`, "current_time"] };
});

function ask(method: string, path: string, body?: unknown, key = service.keys.api): Promise<Answer> {
  const headers = { "x-api-key": key };
  return send(method, `${service.url}/console/api${path}`, { headers, ...(body !== undefined && { body }) });
}

async function exportOf(agentId: string): Promise<File> {
  return file.parse((await ask("GET", `/agents/${agentId}/export`)).body);
}

const FULL = {
  name: "Ärzte & Co. 7",
  description: "Reads",
  model: "gpt-4o",
  fallback_model: "demo",
  fallback_models: ["demo", "gpt-4-turbo"],
  system_prompt: "You read.",
  temperature: 0.3,
  max_tokens: 77,
  reasoning: { effort: null, show: true },
  output_schema: { type: "object", properties: { zeta: { type: "string" }, a: { type: "integer" } } },
  prompt_caching: false,
  tags: ["b", "a"],
  tools: ["wait", "current_time"],
  voice_profile: { tone: "Formal", custom_instructions: "Be brief." },
  output_template: { type: "HTML", body: "<p>{{task_result}}</p>" },
  marketplace_tags: ["reading"],
  config: { max_steps: 3, nested: { list: [1, null, "x"] } },
};

verifies(
  ["exports.file.fields", "exports.file.format", "exports.file.types", "exports.file.data"],
  "an agent's file holds what the agent is, in a fixed order, and can be saved under a name",
  async () => {
    const { id } = await createAgent(api, full);
    const answer = await ask("GET", `/agents/${id}/export`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="muster-agent-rzte-co-7.json"');
    const { exported_at: exportedAt, ...rest } = file.parse(answer.body);
    expect(Math.abs(Date.parse(exportedAt) - Date.now())).toBeLessThan(600_000);
    expect(rest).toEqual({
      format: "muster-export",
      version: 1,
      type: "agent",
      data: { ...FULL, provider: "openai", needs_review: false },
    });
    expect(Object.keys(fieldsOf(answer))).toEqual(["format", "version", "type", "exported_at", "data"]);
    const again = await ask("GET", `/agents/${id}/export`);
    const timeless = ({ text }: Answer) => text.replace(/"exported_at": "[^"]*"/, "");
    expect(timeless(again)).toBe(timeless(answer));
  },
);

verifies(
  "exports.file.excludes",
  "a file holds no id of the workspace, no key, no task, no custom tool and no knowledge base",
  async () => {
    await ask("PUT", "/provider-keys/openai", { api_key: "sk-very-secret-0001" });
    const { id: routeId } = await createRoute(consoleOf(service, service.keys.api), "https://example.com/");
    const { id } = await createAgent(api, { ...full, output_route_ids: [routeId] });
    const task = await taskInState(api, {
      agentId: (await createAgent(api)).id,
      description: QUICK,
      status: "completed",
    });
    const { text } = await ask("GET", `/agents/${id}/export`);
    const rows = await sql<{ id: string }>(
      service.databaseUrl,
      "select id from workspaces union all select id from users union all select id from agents union all select id from tasks",
    );
    expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining([id, task.id]));
    for (const row of rows) expect(text).not.toContain(row.id);
    for (const secret of ["sk-very", "0001", service.keys.api, routeId]) expect(text).not.toContain(secret);
    for (const word of ["custom:", "_ids", "workspace", "created_by", "install_count", "is_marketplace"]) {
      expect(text).not.toContain(word);
    }
  },
);

verifies("exports.file.linked-content", "a saved voice or template goes into the file as its content", async () => {
  const { id } = await createAgent(api);
  await sql(
    service.databaseUrl,
    `with a as (select * from agents where id = $1),
       v as (insert into voice_profiles (id, workspace_id, name, tone, custom_instructions)
         select $2, workspace_id, 'House voice', 'Casual', 'Say you.' from a),
       t as (insert into output_templates (id, workspace_id, name, type, body)
         select $2, workspace_id, 'House form', 'CSV', '{{task_result}},' from a)
     select 1`,
    [id, UNKNOWN],
  );
  await sql(service.databaseUrl, "update agents set voice_profile_id = $2, output_template_id = $2 where id = $1", [
    id,
    UNKNOWN,
  ]);
  const { data } = await exportOf(id);
  expect(data).toMatchObject({
    voice_profile: { tone: "Casual", custom_instructions: "Say you." },
    output_template: { type: "CSV", body: "{{task_result}}," },
  });
  const [made] = await importAgents(service, agentFile(data));
  expect(made).toMatchObject({ voice_profile: data["voice_profile"], voice_profile_id: null });
});

verifies("exports.import.agent", "importing creates an agent of the caller's workspace with the suffix", async () => {
  const { id } = await createAgent(api, full);
  const [made, ...others] = await importAgents(service, await exportOf(id));
  expect(others).toEqual([]);
  const { provider, ...fields } = { ...FULL, provider: "openai" };
  expect(made).toMatchObject({
    ...fields,
    provider,
    name: "Ärzte & Co. 7 (imported)",
    tools: ["wait", "current_time"],
    status: "idle",
    is_marketplace: false,
    output_route_ids: null,
  });
  expect((await api.get(`/api-agents?id=${made?.id}`)).body).toEqual(made);
});

verifies("exports.access", "viewers may export, members may import, and other workspaces see nothing", async () => {
  const { id } = await createAgent(api);
  const { workspaceId, ownerId } = service;
  const reader = await addKey(service.databaseUrl, { workspaceId, ownerId, scopes: ["read"] });
  expect((await ask("GET", `/agents/${id}/export`, undefined, reader)).status).toBe(200);
  expect(refusal(await ask("POST", "/agents/import", agentFile(), reader))).toMatchObject({ status: 403 });
  const other = await addWorkspace(service.databaseUrl);
  const foreign = await ask("GET", `/agents/${id}/export`, undefined, other.key);
  const unknown = await ask("GET", `/agents/${UNKNOWN}/export`, undefined, other.key);
  expect(refusal(foreign)).toMatchObject({ status: 404, message: "Agent not found" });
  expect(refusal(unknown)).toEqual(refusal(foreign));
  expect(refusal(await ask("GET", "/agents/x/export"))).toMatchObject({ status: 400, paths: ["id"] });
});

const word = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }).filter((text) => !text.includes("\0"));
const words = fc.array(word, { maxLength: 5 });
const anyAgent = fc.record({
  name: word,
  description: word,
  model: fc.constantFrom("demo", "gpt-4o"),
  fallback_models: fc.subarray(["gpt-4-turbo", "claude-haiku-4-5", "gemini-2.0-flash"]),
  output_schema: fc.option(fc.dictionary(fc.constantFrom("title", "description", "default"), word)),
  system_prompt: word,
  temperature: fc.double({ min: 0, max: 2, noNaN: true }),
  max_tokens: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
  tags: words,
  tools: words,
  voice_profile: fc.option(
    fc.record({ tone: fc.constantFrom("Formal", "Custom"), custom_instructions: word }, { requiredKeys: ["tone"] }),
  ),
  output_template: fc.option(fc.record({ type: fc.constantFrom("JSON", "Custom"), body: word })),
  config: fc.dictionary(word, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
});

verifies(
  "exports.round-trip",
  "an export that is imported and exported again is the same file",
  async () => {
    await fc.assert(
      fc.asyncProperty(anyAgent, async (agent) => {
        const made = await api.post("/api-agents", agent);
        fc.pre(made.status === 201);
        const first = await exportOf(String(fieldsOf(made)["id"]));
        const [copy] = await importAgents(service, first);
        const second = await exportOf(copy?.id ?? "");
        expect(second.data.name).toMatch(/ \(imported\)$/);
        expect({ ...second.data, name: "" }).toEqual({ ...first.data, name: "" });
        expect(JSON.stringify({ ...second.data, name: "" })).toBe(JSON.stringify({ ...first.data, name: "" }));
      }),
      { numRuns: 40 },
    );
  },
  { tags: "slow" },
);
