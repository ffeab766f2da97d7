import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { bearer, sessionOf } from "../../support/accounts.ts";
import { send } from "../../support/api.ts";
import type { Answer, Sent } from "../../support/api.ts";
import { OTHER_OPERATIONS } from "../../support/checks/other-operations.ts";
import { readDescription } from "../../support/checks/description.ts";
import { formText } from "../../support/files.ts";
import type { Described } from "../../support/checks/description.ts";
import { eventually } from "../../support/eventually.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: TestService;
let document: Described["document"];
let ajv: Described["ajv"];
let checked: Described["checked"];

beforeAll(async () => {
  service = await startService({ env: { SIGN_UP: "open" } });
  ({ document, ajv, checked } = await readDescription(service));
});
afterAll(() => service.stop());

verifies("envelope.openapi.valid", "the document is valid OpenAPI 3.1", async () => {
  expect(document.openapi).toBe("3.1.0");
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(["/functions/v1/api-agents", "/functions/v1/api-tasks", "/functions/v1/api-me"]),
  );
});

const idOf = (answer: Answer): string => z.looseObject({ id: z.uuid() }).parse(answer.body).id;

const RESOURCES = [
  {
    path: "/functions/v1/api-agents",
    plain: { name: "A", model: "demo" },
    full: {
      name: "B",
      model: "gpt-4o",
      fallback_model: "demo",
      max_tokens: 5,
      tags: ["x"],
      tools: ["wait"],
      voice_profile: { tone: "Formal", custom_instructions: "x" },
      output_template: { type: "CSV", body: "{{task_result}}" },
      output_route_ids: [],
      config: { any: [1, { thing: null }] },
    },
    change: { description: "changed" },
  },
  {
    path: "/functions/v1/api-tasks",
    plain: { title: "T" },
    full: { title: "U", description: "x", priority: "urgent", metadata: { any: [1, { thing: null }] } },
    change: { status: "cancelled" },
  },
  {
    path: "/functions/v1/api-teams",
    plain: { name: "T", mode: "orchestrator" },
    full: { name: "U", mode: "pipeline", description: "x", output_route_ids: [], is_marketplace: true },
    change: { description: "changed" },
  },
] as const;

const SAVED = [
  {
    path: "/console/api/voice-profiles",
    full: { name: "V", tone: "Custom", custom_instructions: "x", output_format_hints: "y" },
    change: { tone: "Formal" },
  },
  {
    path: "/console/api/output-templates",
    full: { name: "T", type: "HTML", body: "<p>{{task_result}}</p>" },
    change: { body: "{{model}}" },
  },
  {
    path: "/console/api/knowledge/bases",
    full: { name: "K", description: "x", embedding_model: "none" },
    change: { name: "L" },
  },
] as const;

for (const { path, plain, full, change } of RESOURCES) {
  verifies("envelope.openapi.describes-answers", `answers of ${path} are as the document says`, async () => {
    const statuses = [];
    for (const body of [plain, full]) {
      const made = await checked("POST", path, { body });
      const at = `${path}?id=${idOf(made)}`;
      statuses.push(made.status, (await checked("GET", path)).status, (await checked("GET", path, { at })).status);
      statuses.push((await checked("PATCH", path, { at, body: change })).status);
      statuses.push((await checked("DELETE", path, { at })).status);
    }
    expect(statuses).toEqual([201, 200, 200, 200, 204, 201, 200, 200, 200, 204]);
  });

  verifies("envelope.openapi.describes-answers", `rejections of ${path} are as the document says`, async () => {
    const unknown = `${path}?id=${UNKNOWN}`;
    const refusals = [
      await checked("POST", path, { body: { colour: "red" } }),
      await checked("POST", path, { body: "{" }),
      await checked("GET", path, { at: `${path}?limit=0` }),
      await checked("GET", path, { at: unknown }),
      await checked("PATCH", path, { at: unknown, body: change }),
      await checked("DELETE", path, { at: unknown }),
      await checked("GET", path, { key: "mst_wrong" }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 404, 404, 404, 401]);
  });
}

verifies("envelope.openapi.describes-answers", "the schemas reject an extra field and a missing one", async () => {
  const { body } = await send("GET", `${service.url}/functions/v1/api-me`, {
    headers: { "x-api-key": service.keys.api },
  });
  const validate = ajv.compile({ $ref: "openapi#/components/schemas/Identity" });
  const me = z.record(z.string(), z.unknown()).parse(body);
  expect([validate(me), validate({ ...me, extra: 1 }), validate({ ...me, plan: undefined })]).toEqual([
    true,
    false,
    false,
  ]);
});

verifies("envelope.openapi.describes-answers", "a task that has run is as the document says", async () => {
  const agent = await checked("POST", "/functions/v1/api-agents", { body: { name: "A", model: "demo" } });
  const body = { title: "Run", description: "[[slow:0]][[say:x]]", assigned_agent_id: idOf(agent) };
  const task = await checked("POST", "/functions/v1/api-tasks", { body });
  const at = `/functions/v1/api-tasks?id=${idOf(task)}`;
  await eventually("the task has completed", async () => {
    const { body: now } = await checked("GET", "/functions/v1/api-tasks", { at });
    return z.looseObject({ status: z.string() }).parse(now).status === "completed";
  });
});

verifies(
  "envelope.openapi.describes-answers",
  "teams with members, their runs and webhook subscriptions are as the document says",
  async () => {
    const [teams, runs, hooks] = [
      "/functions/v1/api-teams",
      "/functions/v1/api-runs",
      "/functions/v1/api-hooks",
    ] as const;
    const agentId = idOf(await checked("POST", "/functions/v1/api-agents", { body: { name: "A", model: "demo" } }));
    const config = { steps: [{ agent_id: agentId }] };
    const teamId = idOf(await checked("POST", teams, { body: { name: "T", mode: "pipeline", config } }));
    const run = await checked("POST", runs, { body: { team_id: teamId, input_task: "x" } });
    const ofRun = `${runs}?id=${idOf(run)}`;
    await eventually("the run has ended", async () => {
      const { body } = await checked("GET", runs, { at: ofRun });
      return z.looseObject({ status: z.string() }).parse(body).status === "completed";
    });
    const hook = { target_url: "https://example.com/", event: "task.completed", agent_id: agentId, team_id: teamId };
    const subscription = await checked("POST", hooks, { body: hook });
    const ofHook = `${hooks}?id=${idOf(subscription)}`;
    const ofFork = `/console/api/runs/${idOf(run)}/fork`;
    const ofTeam = `/console/api/teams/${teamId}/memories`;
    const statuses = [
      run,
      subscription,
      await checked("POST", "/console/api/runs/{id}/fork", { at: ofFork, body: { from_step: 0 } }),
      await checked("POST", "/console/api/runs/{id}/fork", { at: ofFork, body: {} }),
      await checked("POST", "/console/api/runs/{id}/retry", { at: `/console/api/runs/${idOf(run)}/retry` }),
      await checked("POST", "/console/api/tasks/retry", { body: { error_code: "CRASH_LOOP" } }),
      await checked("POST", "/console/api/runs/retry", { body: { error_code: "CRASH_LOOP" } }),
      await checked("GET", "/console/api/teams/{id}/memories", { at: ofTeam }),
      await checked("DELETE", "/console/api/teams/{id}/memories", { at: ofTeam }),
      await checked("DELETE", "/console/api/teams/{id}/memories/{memory_id}", { at: `${ofTeam}/${UNKNOWN}` }),
      await checked("GET", runs),
      await checked("PATCH", runs, { at: ofRun, body: { status: "pending" } }),
      await checked("PATCH", runs, { at: ofRun, body: { status: "running" } }),
      await checked("POST", runs, { body: { team_id: UNKNOWN, input_task: "x" } }),
      await checked("GET", hooks),
      await checked("GET", hooks, { at: ofHook }),
      await checked("POST", hooks, { body: {} }),
      await checked("DELETE", hooks, { at: ofHook }),
      await checked("DELETE", hooks, { at: ofHook }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([
      201, 201, 201, 400, 409, 200, 200, 200, 204, 404, 200, 200, 409, 404, 200, 200, 400, 204, 404,
    ]);
  },
);

verifies(
  "envelope.openapi.describes-answers",
  "a task that waits, and its answer, are as the document says",
  async () => {
    const agent = { name: "A", model: "demo", tools: ["request_approval"], config: { requires_approval: [] } };
    const agentId = idOf(await checked("POST", "/functions/v1/api-agents", { body: agent }));
    const description = '[[slow:0]][[tool:request_approval {"title":"Go?"}]]';
    const body = { title: "Ask", description, assigned_agent_id: agentId };
    const id = idOf(await checked("POST", "/functions/v1/api-tasks", { body }));
    const interaction = await eventually("the question", async () => {
      const { body: now } = await checked("GET", "/functions/v1/api-tasks", { at: `/functions/v1/api-tasks?id=${id}` });
      return z.looseObject({ interaction: z.looseObject({ interactionId: z.uuid() }).nullable() }).parse(now)
        .interaction;
    });
    const answer = { interactionId: interaction.interactionId, approved: true };
    const path = "/console/api/tasks/{id}/answer";
    const at = `/console/api/tasks/${id}/answer`;
    const statuses = [
      await checked("POST", path, { at, body: {} }),
      await checked("POST", path, { at: "/console/api/tasks/%00/answer", body: answer }),
      await checked("POST", path, { at, body: answer }),
      await checked("POST", path, { at, body: answer }),
      await checked("POST", "/console/api/runs/{id}/answer", {
        at: `/console/api/runs/${UNKNOWN}/answer`,
        body: answer,
      }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 404, 200, 409, 404]);
  },
);

verifies(
  "envelope.openapi.describes-answers",
  "the identity and providers' keys are as the document says",
  async () => {
    expect((await checked("GET", "/functions/v1/api-me")).status).toBe(200);
    expect((await checked("GET", "/version")).status).toBe(200);
    const list = "/console/api/provider-keys";
    const one = `${list}/{provider}`;
    const statuses = [
      await checked("PUT", one, { at: `${list}/openai`, body: { api_key: "sk-0123456789" } }),
      await checked("PUT", one, { at: `${list}/openai-compatible`, body: { base_url: "https://models.example/v1" } }),
      await checked("PUT", one, { at: `${list}/acme`, body: { api_key: "x" } }),
      await checked("GET", list),
      await checked("DELETE", one, { at: `${list}/openai` }),
      await checked("DELETE", one, { at: `${list}/%00` }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 404, 200, 204, 404]);
  },
);

verifies("envelope.openapi.describes-answers", "keys are as the document says", async () => {
  const list = "/console/api/keys";
  const key = await checked("POST", list, { body: { label: "K", kind: "table", expires_at: "2100-01-01T00:00:00Z" } });
  const [one, at] = [`${list}/{id}`, `${list}/${idOf(key)}`];
  const statuses = [
    key,
    await checked("POST", list, { body: { label: "K" } }),
    await checked("PATCH", one, { at, body: { label: "L" } }),
    await checked("POST", `${one}/rotate`, { at: `${at}/rotate`, body: {} }),
    await checked("GET", list),
    await checked("DELETE", one, { at }),
    await checked("DELETE", one, { at: `${list}/x` }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 400, 200, 201, 200, 204, 400]);
});

verifies("envelope.openapi.describes-answers", "people and workspaces are as the document says", async () => {
  const [members, invitations] = ["/console/api/members", "/console/api/invitations"];
  const invitation = await checked("POST", invitations, { body: { email: "a@localhost.localdomain", role: "viewer" } });
  const { token } = z.looseObject({ token: z.string() }).parse(invitation.body);
  const me = idOf(await checked("GET", "/functions/v1/api-me"));
  const [member, at] = [`${members}/{userId}`, `${members}/${me}`];
  const statuses = [
    invitation,
    await checked("GET", invitations),
    await checked("GET", "/auth/invitations", { at: `/auth/invitations?token=${token}` }),
    await checked("POST", "/auth/invitations/accept", { body: { token, password: "short" } }),
    await checked("POST", "/auth/invitations/accept", { body: { token, password: "a long password" } }),
    await checked("DELETE", `${invitations}/{id}`, { at: `${invitations}/${idOf(invitation)}` }),
    await checked("GET", members),
    await checked("PATCH", member, { at, body: { role: "owner" } }),
    await checked("DELETE", member, { at }),
    await checked("GET", "/console/api/workspace"),
    await checked("PATCH", "/console/api/workspace", { body: { name: "Named" } }),
    await checked("DELETE", "/console/api/workspace", { at: "/console/api/workspace?confirm=Named" }),
    await checked("POST", "/console/api/workspaces", { body: { name: "Another" } }),
    await checked("GET", "/console/api/workspaces"),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 200, 200, 400, 201, 404, 200, 200, 409, 200, 200, 409, 201, 200]);
});

verifies("envelope.openapi.describes-answers", "files and the marketplace are as the document says", async () => {
  const offered = { name: "A", model: "demo", is_marketplace: true };
  const agentId = idOf(await checked("POST", "/functions/v1/api-agents", { body: offered }));
  const config = { steps: [{ agent_id: agentId }] };
  const team = await checked("POST", "/functions/v1/api-teams", { body: { name: "T", mode: "pipeline", config } });
  const agents = "/console/api/agents";
  const teams = "/console/api/teams";
  const shop = "/console/api/marketplace";
  const agentFile = await checked("GET", `${agents}/{id}/export`, { at: `${agents}/${agentId}/export` });
  const teamFile = await checked("GET", `${teams}/{id}/export`, { at: `${teams}/${idOf(team)}/export` });
  const statuses = [
    agentFile,
    teamFile,
    await checked("POST", `${agents}/import`, { body: agentFile.body }),
    await checked("POST", `${teams}/import`, { body: teamFile.body }),
    await checked("POST", `${agents}/import`, { body: {} }),
    await checked("GET", shop),
    await checked("GET", `${shop}/{id}`, { at: `${shop}/${agentId}` }),
    await checked("POST", `${shop}/{id}/install`, { at: `${shop}/${agentId}/install` }),
    await checked("POST", `${shop}/{id}/install`, { at: `${shop}/${UNKNOWN}/install` }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 201, 201, 400, 200, 200, 201, 404]);
});

verifies("envelope.openapi.describes-answers", "custom tools are as the document says", async () => {
  const list = "/console/api/tools";
  const fields = {
    name: "look_up",
    description: "Looks up.",
    url: "http://127.0.0.1:9/",
    headers: { "X-A": "secret" },
  };
  const tool = await checked("POST", list, { body: { ...fields, url: "https://tools.invalid/" } });
  const [one, at] = [`${list}/{id}`, `${list}/${idOf(tool)}`];
  const statuses = [
    tool,
    await checked("POST", list, { body: fields }),
    await checked("POST", list, { body: { ...fields, url: "https://tools.invalid/" } }),
    await checked("GET", list),
    await checked("GET", one, { at }),
    await checked("PATCH", one, { at, body: { description: "New." } }),
    await checked("POST", `${one}/test`, { at: `${at}/test`, body: { arguments: {} } }),
    await checked("GET", `${one}/calls`, { at: `${at}/calls` }),
    await checked("DELETE", one, { at }),
    await checked("GET", one, { at }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 400, 409, 200, 200, 200, 200, 200, 204, 404]);
});

for (const { path, full, change } of SAVED) {
  verifies(
    "envelope.openapi.describes-answers",
    `answers and rejections of ${path} are as the document says`,
    async () => {
      const one = `${path}/{id}`;
      const made = await checked("POST", path, { body: full });
      const at = `${path}/${idOf(made)}`;
      const statuses = [
        made,
        await checked("GET", path),
        await checked("GET", one, { at }),
        await checked("PATCH", one, { at, body: change }),
        await checked("DELETE", one, { at }),
        await checked("GET", one, { at }),
        await checked("GET", one, { at: `${path}/x` }),
        await checked("POST", path, { body: { colour: "red" } }),
      ].map(({ status }) => status);
      expect(statuses).toEqual([201, 200, 200, 200, 204, 404, 400, 400]);
    },
  );
}

verifies("envelope.openapi.describes-answers", "files are as the document says", async () => {
  const headers = { "x-api-key": service.keys.api, "content-type": "multipart/form-data; boundary=x" };
  const made = await checked("POST", "/files", { body: formText("a.txt", "A"), headers });
  const at = `/files/${idOf(made)}`;
  const statuses = [
    made,
    await checked("GET", "/files"),
    await checked("GET", "/files/{id}", { at }),
    await checked("DELETE", "/files/{id}", { at }),
    await checked("DELETE", "/files/{id}", { at }),
    await checked("POST", "/files", { body: formText("a.exe", "A"), headers }),
    await checked("POST", "/files", { body: "nothing", headers }),
    await checked("GET", "/files", { at: "/files?limit=0" }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 200, 200, 204, 404, 415, 400, 400]);
});

verifies("envelope.openapi.describes-answers", "accounts and sessions are as the document says", async () => {
  const person = { email: "ada@example.org", password: "correct horse" };
  const post = (path: string, body: unknown, headers: Sent["headers"] = {}) =>
    checked("POST", `/auth/${path}`, { body, headers });
  const [, token = ""] = /\/auth\/setup\?token=(\S+)/.exec(service.output().stdout) ?? [];
  const up = await post("sign-up", { ...person, email: "grace@example.org" });
  const headers = bearer(sessionOf(up).access_token);
  const { cookie } = sessionOf(await post("refresh", {}, { cookie: sessionOf(up).cookie }));
  const statuses = [
    await checked("GET", "/auth/setup", { at: `/auth/setup?token=${token}` }),
    await post("setup", { ...person, token }),
    await post("setup", { ...person, token }),
    await post("sign-in", person),
    await post("token", person),
    await post("token", { ...person, password: "wrong" }),
    await checked("GET", "/auth/sessions", { headers }),
    await post("password", { current_password: person.password, new_password: "new horse" }, headers),
    await checked("GET", "/auth/reset", { at: "/auth/reset?token=x" }),
    await post("reset", { token: "x", password: "new horse" }),
    await checked("DELETE", "/auth/sessions/{id}", { at: `/auth/sessions/${UNKNOWN}`, headers }),
    await checked("DELETE", "/auth/sessions", { headers }),
    await post("sign-out", {}, { cookie }),
    await checked("GET", "/auth/sessions", { headers: {} }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 201, 404, 200, 200, 401, 200, 204, 404, 404, 404, 204, 204, 401]);
  for (const path of ["sign-up", "sign-in", "token", "refresh", "sign-out", "setup", "reset", "password"]) {
    const refused = await send("PUT", `${service.url}/auth/${path}`);
    expect([path, refused.status, refused.headers.get("allow")]).toEqual([path, 405, expect.stringContaining("POST")]);
  }
});

verifies("envelope.openapi.describes-answers", "the tests cover every operation of the document", () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.toSorted()).toEqual(
    [
      ...RESOURCES.flatMap(({ path }) => ["GET", "POST", "PATCH", "DELETE"].map((method) => `${method} ${path}`)),
      ...["GET", "POST", "PATCH"].map((method) => `${method} /functions/v1/api-runs`),
      ...["GET", "POST", "DELETE"].map((method) => `${method} /functions/v1/api-hooks`),
      ...SAVED.flatMap(({ path }) => [
        ...["GET", "POST"].map((method) => `${method} ${path}`),
        ...["GET", "PATCH", "DELETE"].map((method) => `${method} ${path}/{id}`),
      ]),
      ...OTHER_OPERATIONS,
    ].toSorted(),
  );
});
