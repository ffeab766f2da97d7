import { Ajv2020 } from "ajv/dist/2020.js";
import { Client } from "pg";
import { beforeAll, expect } from "vitest";
import { consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { RESOURCES } from "#domain/resources/resource.ts";
import { startMcpServer } from "../../support/mcp/server.ts";
import type { McpServer } from "../../support/mcp/server.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { applyTo, changesOf, diffWith, planOf, pullFrom } from "../../support/resources/description.ts";
import { SECRETS, fillWorkspace } from "../../support/resources/full-workspace.ts";
import { verifies } from "../../support/verifies.ts";
import { addMember, addWorkspace, openWorkspace, sql } from "../../support/workspace.ts";

let mcp: McpServer;
let service: SharedService;
let desk: Api;

beforeAll(async () => {
  mcp = await startMcpServer("stateless");
  ({ service } = await useScriptedService());
  desk = consoleOf(service, service.keys.api);
  await fillWorkspace(service, { mcpUrl: mcp.url });
  return () => mcp.close();
});

/** Golden cases are described only on demand. */
const ALL = `?${RESOURCES.map((resource) => `resources=${resource}`).join("&")}`;
const WRITER = { resource: "agent", name: "Writer", model: "demo", system_prompt: "You write." };
const VOICE = { resource: "voice_profile", name: "Friendly", tone: "Casual" };

verifies(
  ["resources.round-trip", "resources.pull", "resources.secrets.pull"],
  "a workspace with everything becomes another one that is described the same",
  async () => {
    const pulled = await pullFrom(desk, ALL);
    const text = JSON.stringify(pulled.documents);
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
    expect(new Set(pulled.documents.map(({ document }) => document.resource))).toEqual(new Set(pulled.resources));
    expect(text).not.toMatch(/"(id|created_at|workspace_id)"/);
    const writer = pulled.documents.find(({ path }) => path === "agents/writer.yaml")?.document;
    expect(writer).toMatchObject({
      tools: ["current_time", "custom:look_up", "mcp:notes/echo"],
      voice_profile_id: "Friendly",
      knowledge_base_ids: ["Handbook"],
      config: { requires_approval: ["custom:look_up"] },
    });
    // The usual is not said.
    expect(Object.keys(writer ?? {})).not.toContain("max_tokens");

    const documents = pulled.documents.map(({ document }) => document);
    const { resources } = pulled;
    expect(planOf(await diffWith(desk, documents, { resources }))).toMatchObject({ changes: [], extra: [] });
    expect(planOf(await diffWith(desk, documents, { resources, variables: SECRETS })).changes).toEqual([]);

    const empty = await addWorkspace(service.databaseUrl, "enterprise");
    // The rules on approvals name this person.
    await sql(service.databaseUrl, "insert into members (workspace_id, user_id, role) values ($1, $2, 'admin')", [
      empty.workspaceId,
      service.ownerId,
    ]);
    const other = consoleOf(service, empty.key);
    const applied = await applyTo(other, documents, { resources, variables: SECRETS });
    expect(applied.status).toBe(200);
    expect(planOf(applied).changes).toHaveLength(documents.length);
    expect(planOf(applied).changes.find(({ resource }) => resource === "trigger")?.token).toMatch(/^mst_hook_/);
    expect(planOf(await diffWith(other, documents, { resources, variables: SECRETS }))).toMatchObject({
      changes: [],
      extra: [],
    });
    expect(await pullFrom(other, ALL)).toEqual(pulled);
    // Its secrets are the same: other values would be a change.
    const changed = { ...SECRETS, TRIGGER_DEPLOYED_SECRET: "another-secret-of-the-trigger" };
    expect(changesOf(await diffWith(other, documents, { resources, variables: changed }))).toEqual([
      "update trigger Deployed",
    ]);
  },
);

verifies("resources.schemas", "the schemas accept the documents, and nothing unknown", async () => {
  const { documents, schemas } = await pullFrom(desk, ALL);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { path, document } of documents) {
    const validate = ajv.compile({ ...schemas[document.resource], $id: path });
    expect({ path, errors: validate(document) ? [] : validate.errors }).toEqual({ path, errors: [] });
    expect(validate({ ...document, nmae: "x" })).toBe(false);
    expect(validate({ ...document, resource: "other" })).toBe(false);
  }
});

verifies("resources.secrets.keep", "a secret without a value stays, one with another value changes", async () => {
  const { documents } = await pullFrom(desk, "?resources=tool&resources=route");
  const [tool, , route] = documents.map(({ document }) => document);
  const said = [
    { ...tool, description: "Looks up." },
    { ...route, allowed_user_ids: ["U1", "U2"] },
  ].map((each) => ({ resource: "", ...each }));
  const plan = planOf(await applyTo(desk, said));
  expect(plan.changes.flatMap(({ fields }) => fields)).toEqual([
    { path: "description", before: "Looks something up.", after: "Looks up.", is_secret: false },
    { path: "allowed_user_ids", before: ["U1"], after: ["U1", "U2"], is_secret: false },
  ]);
  const variables = { TOOL_LOOK_UP_AUTHORIZATION: "Bearer another" };
  const other = planOf(await applyTo(desk, said, { variables }));
  expect(other.changes.flatMap(({ fields }) => fields)).toEqual([
    { path: "headers.Authorization", before: null, after: null, is_secret: true },
  ]);
  expect(JSON.stringify(other)).not.toContain("another");
  expect(planOf(await diffWith(desk, said, { variables })).changes).toEqual([]);
  // The others were kept.
  const kept = { ...SECRETS, ...variables };
  expect(planOf(await diffWith(desk, said, { variables: kept })).changes).toEqual([]);
});

verifies("resources.secrets.new", "a new record needs its secrets, by variables", async () => {
  const { console: other } = await openWorkspace(service);
  const tool = { resource: "tool", name: "find", description: "Finds.", url: "https://tools.example/find" };
  const unset = await applyTo(other, [{ ...tool, headers: { "X-Key": "${FIND_KEY}" } }]);
  expect(refusal(unset)).toMatchObject({ status: 400, paths: ["documents.0.headers.X-Key"] });
  expect(refusal(unset).message).toContain("FIND_KEY is not set");
  const plain = await applyTo(other, [{ ...tool, headers: { "X-Key": "sk-written-out" } }]);
  expect(refusal(plain)).toMatchObject({ status: 400, paths: ["documents.0.headers.X-Key"] });
  expect(plain.text).not.toContain("sk-written-out");
  const partly = [{ ...tool, headers: { Authorization: "Bearer ${FIND_KEY}" } }];
  expect(changesOf(await diffWith(other, partly))).toEqual(["create tool find"]);
  expect((await applyTo(other, partly, { variables: { FIND_KEY: "k" } })).status).toBe(200);
  expect(planOf(await diffWith(other, partly, { variables: { FIND_KEY: "k" } })).changes).toEqual([]);
});

verifies("resources.atomic", "all mistakes are named at once, and nothing is changed", async () => {
  const { console: other, api } = await openWorkspace(service);
  const documents = [
    VOICE,
    { ...WRITER, temperature: 9, nmae: "x", voice_profile_id: "Nobody" },
    {
      resource: "team",
      name: "Crew",
      mode: "pipeline",
      config: { steps: [{ agent_id: "Writer" }, { agent_id: "Ghost" }] },
    },
    { resource: "schedule", name: "Nightly", cron: "0 3 * * *", title: "x" },
  ];
  expect(refusal(await applyTo(other, documents))).toMatchObject({
    status: 400,
    paths: [
      "documents.1.voice_profile_id",
      "documents.1.temperature",
      "documents.1.nmae",
      "documents.2.config.steps.1.agent_id",
      "documents.3.assigned_agent_id",
    ],
  });
  // What only the writing finds is collected, too.
  const late = [
    { ...VOICE, tone: "casual" },
    { ...WRITER, tools: ["no_such_tool"] },
    { ...WRITER, name: "Reader", model: "no-such-model" },
    { resource: "schedule", name: "Nightly", cron: "never", assigned_agent_id: "Writer", title: "x" },
  ];
  const refused = refusal(await applyTo(other, late));
  expect(refused).toMatchObject({ status: 400 });
  expect(refused.paths).toEqual(["documents.2.model", "documents.1.tools.0", "documents.3.cron"]);
  expect(listOf(await other.get("/voice-profiles"))).toEqual([]);
  expect(listOf(await api.get("/api-agents"))).toEqual([]);
});

verifies(["resources.versions", "resources.dry-run"], "a change of an agent makes one version", async () => {
  const { console: other, api } = await openWorkspace(service);
  expect((await applyTo(other, [WRITER])).status).toBe(200);
  const changed = { ...WRITER, system_prompt: "You write briefly.", model: "gpt-4o", tags: ["a"] };
  const tried = await applyTo(other, [changed], { dry_run: true });
  expect(planOf(tried)).toMatchObject({ applied: false, changes: [{ action: "update", notes: ["version 2"] }] });
  const [before] = listOf(await api.get("/api-agents"));
  expect(before).toMatchObject({ version: 1, model: "demo", provider: "demo" });
  expect(planOf(await applyTo(other, [changed]))).toMatchObject({ applied: true });
  expect(planOf(await applyTo(other, [changed]))).toMatchObject({ changes: [] });
  const [after] = listOf(await api.get("/api-agents"));
  expect(after).toMatchObject({ id: before?.["id"], version: 2, model: "gpt-4o", provider: "openai" });
  expect((await other.get("/audit?kind=agent")).body).toMatchObject({
    items: [{ action: "agent.changed" }, { action: "agent.created" }],
  });
});

verifies("resources.prune", "pruning deletes what has no document, of the described kinds only", async () => {
  const { console: other } = await openWorkspace(service);
  const reader = { ...WRITER, name: "Reader", voice_profile_id: "Friendly" };
  const schedule = {
    resource: "schedule",
    name: "Nightly",
    cron: "0 3 * * *",
    title: "x",
    assigned_agent_id: "Reader",
  };
  expect((await applyTo(other, [VOICE, WRITER, reader, schedule])).status).toBe(200);
  expect(planOf(await diffWith(other, [WRITER])).extra).toMatchObject([
    { name: "Reader", notes: ["used by schedule Nightly"] },
  ]);
  // A document names it.
  const refused = await applyTo(other, [WRITER, schedule], { prune: true });
  expect(refusal(refused)).toMatchObject({ status: 400, paths: ["documents.1.assigned_agent_id"] });
  const tried = await applyTo(other, [WRITER], { prune: true, dry_run: true });
  expect(changesOf(tried)).toEqual(["delete agent Reader"]);
  const said = { prune: true, resources: ["agent", "schedule", "voice_profile"] };
  expect(changesOf(await applyTo(other, [WRITER], said))).toEqual([
    "delete schedule Nightly",
    "delete agent Reader",
    "delete voice_profile Friendly",
  ]);
  const left = await pullFrom(other);
  expect(left.documents.map(({ path }) => path)).toEqual(["agents/writer.yaml"]);
});

verifies("resources.golden", "golden cases are compared by what they have, and keep their ids", async () => {
  const { console: other, api } = await openWorkspace(service);
  const kept = { name: "Greets", title: "Say hello", expected: "Hello" };
  const set = {
    resource: "golden_set",
    agent_id: "Writer",
    required: "all",
    cases: [kept, { ...kept, name: "Again", title: "Hi" }],
  };
  const applied = await applyTo(other, [WRITER, set]);
  expect(changesOf(applied)).toEqual(["create agent Writer", "create golden_set Writer"]);
  expect(planOf(await diffWith(other, [WRITER, { ...set, cases: set.cases.toReversed() }])).changes).toEqual([]);
  const [agent] = listOf(await api.get("/api-agents"));
  const casesOf = async () => listOf(await other.get(`/agents/${String(agent?.["id"])}/golden/cases`));
  const before = (await casesOf()).find(({ name }) => name === "Greets");
  const changed = { ...set, cases: [{ ...kept, expected: "Good day" }] };
  expect((await applyTo(other, [WRITER, changed])).status).toBe(200);
  expect(await casesOf()).toMatchObject([{ id: before?.["id"], expected: "Good day" }]);
  // The gate holds an apply, too.
  const held = await applyTo(other, [{ ...WRITER, system_prompt: "You edit." }, VOICE]);
  expect(refusal(held)).toMatchObject({ status: 400, paths: ["documents.0"] });
  expect(refusal(held).message).toContain("The gate of");
  expect(listOf(await other.get("/voice-profiles"))).toEqual([]);
  const said = { prune: true, resources: ["agent", "golden_set"] };
  expect(changesOf(await applyTo(other, [WRITER], said))).toEqual(["delete golden_set Writer"]);
  expect(await casesOf()).toEqual([]);
});

verifies("resources.changed", "a change since the comparison is noticed", async () => {
  const { console: other } = await openWorkspace(service);
  const { revision } = planOf(await diffWith(other, [VOICE]));
  expect((await applyTo(other, [VOICE])).status).toBe(200);
  const again = { ...VOICE, tone: "Formal" };
  const late = await applyTo(other, [again], { revision });
  expect(refusal(late)).toMatchObject({ status: 409, code: "conflict" });
  expect(refusal(late).message).toContain("has changed since");
  const now = planOf(await diffWith(other, [again])).revision;
  expect((await applyTo(other, [again], { revision: now })).status).toBe(200);
});

verifies("resources.lock", "another apply is rejected while one changes the workspace", async () => {
  const { console: other, workspaceId } = await openWorkspace(service);
  const client = new Client(service.databaseUrl);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtextextended('muster.resources ' || $1::text, 0))", [workspaceId]);
    const busy = await applyTo(other, [VOICE]);
    expect(refusal(busy)).toMatchObject({ status: 409, code: "conflict" });
    expect(refusal(busy).message).toContain("Another apply");
  } finally {
    await client.end();
  }
  const all = await Promise.all(Array.from({ length: 4 }, () => applyTo(other, [VOICE])));
  expect(all.map(({ status }) => status)).toContain(200);
  expect(all.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect(listOf(await other.get("/voice-profiles"))).toHaveLength(1);
});

verifies("resources.repeat", "a repeated apply gets the first response again", async () => {
  const { console: other } = await openWorkspace(service);
  const trigger = { resource: "trigger", name: "Deployed", assigned_agent_id: "Writer", title: "x" };
  const body = {
    format: "muster-workspace",
    version: 1,
    resources: ["agent", "trigger"],
    documents: [WRITER, trigger],
  };
  const headers = { "idempotency-key": "apply-1" };
  const [first, second] = await Promise.all([1, 2].map(() => other.post("/workspace/resources/apply", body, headers)));
  const third = await other.post("/workspace/resources/apply", body, headers);
  expect(first?.status).toBe(200);
  expect([second?.text, third.text]).toEqual([first?.text, first?.text]);
  const dry = { ...body, dry_run: true };
  const tries = [await other.post("/workspace/resources/apply", dry, { "idempotency-key": "dry-1" })];
  tries.push(await other.post("/workspace/resources/apply", dry, { "idempotency-key": "dry-1" }));
  expect(tries.map(({ status }) => status)).toEqual([200, 200]);
});

verifies("resources.names", "a name that several records have is rejected with their ids", async () => {
  const { console: other } = await openWorkspace(service);
  const ids: unknown[] = [];
  for (const tone of ["Casual", "Formal"])
    ids.push(fieldsOf(await other.post("/voice-profiles", { name: "Twin", tone }))["id"]);
  for (const answer of [await other.get("/workspace/resources"), await diffWith(other, [VOICE])]) {
    expect(refusal(answer)).toMatchObject({ status: 409, code: "conflict" });
    for (const id of ids) expect(refusal(answer).message).toContain(String(id));
  }
  // Where the kind is not described, only a document that names it is rejected.
  expect((await applyTo(other, [WRITER])).status).toBe(200);
  const naming = await diffWith(other, [{ ...WRITER, voice_profile_id: "Twin" }]);
  expect(refusal(naming)).toMatchObject({ status: 400, paths: ["documents.0.voice_profile_id"] });
  const unnamed = [{ resource: "voice_profile" }, { resource: "voice_profile" }];
  expect(refusal(await diffWith(other, unnamed, { resources: [] })).paths).toEqual([
    "documents.0.resource",
    "documents.1.resource",
  ]);
  const agents = [
    { resource: "agent", model: "demo" },
    { resource: "agent", model: "demo" },
  ];
  expect(refusal(await diffWith(other, agents)).paths).toEqual(["documents.0.name", "documents.1.name"]);
  const twice = await diffWith(other, [WRITER, { ...WRITER, temperature: 1 }]);
  expect(refusal(twice)).toMatchObject({ status: 400, paths: ["documents.1.name"] });
});

verifies("resources.roles", "a viewer compares without secrets, and does not apply", async () => {
  const viewer = consoleOf(service, (await addMember(service.databaseUrl, service.workspaceId, "viewer")).key);
  const member = consoleOf(service, (await addMember(service.databaseUrl, service.workspaceId, "member")).key);
  const { documents } = await pullFrom(viewer, "?resources=route");
  const described = documents.map(({ document }) => document);
  const variables = { ROUTE_ON_CALL_BOT_TOKEN: "xoxb-another" };
  expect(planOf(await diffWith(viewer, described, { variables })).changes).toEqual([]);
  expect(planOf(await diffWith(desk, described, { variables })).changes).toHaveLength(1);
  for (const caller of [viewer, member]) {
    expect(refusal(await applyTo(caller, described))).toMatchObject({ status: 403, code: "forbidden" });
  }
});

verifies("resources.foreign", "what this version does not know is rejected in a sentence", async () => {
  const newer = await diffWith(desk, [VOICE], { version: 2 });
  expect(refusal(newer)).toMatchObject({ status: 400, paths: ["version"] });
  expect(refusal(newer).message).toContain("it reads 1");
  expect(refusal(await diffWith(desk, [VOICE], { format: "other" }))).toMatchObject({ status: 400, paths: ["format"] });
  const unknown = await diffWith(desk, [{ resource: "robot", name: "R2" }], { resources: ["agent"] });
  expect(refusal(unknown)).toMatchObject({ status: 400, paths: ["documents.0.resource"] });
  const undescribed = await diffWith(desk, [VOICE], { resources: ["agent"] });
  expect(refusal(undescribed)).toMatchObject({ status: 400, paths: ["documents.0.resource"] });
  const page = await diffWith(desk, [{ resource: "budget", scope: "page", target_id: "Writer", max_usd: 1 }]);
  expect(refusal(page)).toMatchObject({ status: 400, paths: ["documents.0.scope"] });
  const fixed = await diffWith(desk, [
    { resource: "route", name: "On call", kind: "results", type: "http", config: { url: "https://example.com" } },
  ]);
  expect(refusal(fixed)).toMatchObject({ status: 400, paths: ["documents.0.type", "documents.0.kind"] });
});
