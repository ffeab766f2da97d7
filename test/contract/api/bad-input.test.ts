import { beforeAll, expect } from "vitest";
import * as fc from "fast-check";
import { apiOf, consoleOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";

let service: SharedService;
let api: Api;
let agentId: string;
let taskId: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
  taskId = (await createTask(api)).id;
});

const junk = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom("\0", "\ud800", "null", "", agentId, "completed", "demo", "1e999"),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: "binary", maxLength: 5 }), tie("value"), { maxKeys: 4 }),
  ),
})).value;
const FIELDS = `
  name model provider fallback_model fallback_models system_prompt temperature max_tokens reasoning output_schema
  prompt_caching tags tools config status
  voice_profile output_template output_route_ids knowledge_base_ids is_marketplace
  title description priority metadata assigned_agent_id assigned_team_id scheduled_for
  id __proto__ constructor`
  .trim()
  .split(/\s+/);
const bodies = fc
  .tuple(
    fc.constantFrom({}, { name: "x", model: "demo" }, { title: "x" }),
    fc.dictionary(fc.constantFrom(...FIELDS), junk),
  )
  .map(([valid, odd]) => ({ ...valid, ...odd }));

verifies(
  "errors.bad-input-never-500",
  "no invalid body is answered with 500",
  async () => {
    const requests = fc.record({
      method: fc.constantFrom("POST", "PATCH"),
      path: fc.constantFrom("/api-agents", "/api-tasks"),
      body: fc.oneof({ weight: 5, arbitrary: bodies }, { weight: 1, arbitrary: junk }),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, body }) => {
        const id = path === "/api-agents" ? agentId : taskId;
        const target = method === "PATCH" ? `${path}?id=${id}` : path;
        const { status, text } = await api.call(method, target, { body: JSON.stringify(body) ?? "" });
        if (status >= 500) throw new Error(`${method} ${target}: ${status} ${text}`);
      }),
      { numRuns: 400 },
    );
  },
  { tags: "slow" },
);

verifies(
  "errors.bad-input-never-500",
  "no invalid query is answered with 500",
  async () => {
    const value = fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }).filter((text) => text.isWellFormed()),
      fc.constantFrom("\0", "0000-01-01", "9999-12-31T23:59:59-01:00", "2026-02-30", "2026-01-01T00:00:00+23:59", "-0"),
      fc.date({ noInvalidDate: false }).map(String),
      fc.double().map(String),
    );
    const queries = fc.dictionary(fc.constantFrom("id", "limit", "cursor", "status", "other"), value, { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("/api-agents", "/api-tasks", "/api-me"), queries, async (path, query) => {
        const { status } = await api.get(`${path}?${new URLSearchParams(query).toString()}`);
        expect([200, 400, 404]).toContain(status);
      }),
      { numRuns: 300 },
    );
  },
  { tags: "slow" },
);

verifies(
  "errors.bad-input-never-500",
  "a query that searches for what cannot be stored is 400 with its path",
  async () => {
    const api = consoleOf(service, service.keys.api);
    for (const [path, field] of [
      ["/marketplace", "q"],
      ["/marketplace", "tag"],
      ["/knowledge/search", "tags"],
    ] as const) {
      expect(refusal(await api.get(`${path}?${field}=%00`))).toMatchObject({ status: 400, paths: [field] });
    }
  },
);

const unstorable = [
  { name: "U+0000 in a text", body: '{"title":"a\\u0000b"}', path: "title" },
  { name: "half of a surrogate pair", body: '{"title":"\\ud800"}', path: "title" },
  { name: "U+0000 in a nested key", body: '{"title":"x","metadata":{"a":{"\\u0000":1}}}', path: "metadata.a" },
  { name: "a field that would be lost", body: '{"title":"x","metadata":{"__proto__":{"a":1}}}', path: "metadata" },
  { name: "a number beyond a double", body: '{"title":"x","metadata":{"n":1e999}}', path: "metadata.n" },
  {
    name: "endless nesting",
    body: `{"title":"x","metadata":{"a":${"[".repeat(1_500)}${"]".repeat(1_500)}}}`,
    path: "metadata",
  },
] as const;
for (const { name, body, path } of unstorable) {
  verifies(["errors.bad-input-never-500", "errors.body.details"], `${name} is 400 with its path`, async () => {
    expect(refusal(await api.post("/api-tasks", body))).toMatchObject({ status: 400, paths: [path] });
  });
}
