import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { send } from "../support/api.ts";
import type { Answer } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

const operation = z.looseObject({
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), z.looseObject({})).optional() })),
});
const documentShape = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

let service: TestService;
let document: z.output<typeof documentShape>;
let ajv: Ajv2020;

beforeAll(async () => {
  service = await startService();
  document = documentShape.parse((await send("GET", `${service.url}/openapi.json`)).body);
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: "openapi" });
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

/** Calls an operation and checks the answer against what the document says of it. */
async function checked(
  method: string,
  path: string,
  sent: { readonly at?: string; readonly body?: unknown; readonly key?: string } = {},
): Promise<Answer> {
  const answer = await send(method, service.url + (sent.at ?? path), {
    headers: { "x-api-key": sent.key ?? service.keys.api },
    ...("body" in sent && { body: sent.body }),
  });
  const described = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
  const status = String(answer.status) in described ? String(answer.status) : "default";
  expect([method, path, answer.status, Object.keys(described)]).toEqual([
    method,
    path,
    answer.status,
    expect.arrayContaining([status]),
  ]);
  const pointer = ["paths", path, method.toLowerCase(), "responses", status, "content", "application/json", "schema"];
  if (described[status]?.content === undefined) {
    expect(answer.text).toBe("");
    return answer;
  }
  const fragment = pointer
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  const validate = ajv.compile({ $ref: `openapi#/${fragment}` });
  validate(answer.body);
  expect([answer.text.slice(0, 200), validate.errors ?? []]).toEqual([answer.text.slice(0, 200), []]);
  return answer;
}

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
      output_route_ids: [UNKNOWN],
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

  verifies("envelope.openapi.describes-answers", `refusals of ${path} are as the document says`, async () => {
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

verifies("envelope.openapi.describes-answers", "the schemas refuse a field too many and one too few", async () => {
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

verifies("envelope.openapi.describes-answers", "the identity and vendors' keys are as the document says", async () => {
  expect((await checked("GET", "/functions/v1/api-me")).status).toBe(200);
  const list = "/console/api/provider-keys";
  const one = `${list}/{provider}`;
  const statuses = [
    await checked("PUT", one, { at: `${list}/openai`, body: { api_key: "sk-0123456789" } }),
    await checked("PUT", one, { at: `${list}/openai-compatible`, body: { base_url: "http://127.0.0.1:1/v1" } }),
    await checked("PUT", one, { at: `${list}/acme`, body: { api_key: "x" } }),
    await checked("GET", list),
    await checked("DELETE", one, { at: `${list}/openai` }),
    await checked("DELETE", one, { at: `${list}/%00` }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 404, 200, 204, 404]);
});

for (const { path, full, change } of SAVED) {
  verifies(
    "envelope.openapi.describes-answers",
    `answers and refusals of ${path} are as the document says`,
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

verifies("envelope.openapi.describes-answers", "no operation of the document is left out here", () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.toSorted()).toEqual(
    [
      ...RESOURCES.flatMap(({ path }) => ["GET", "POST", "PATCH", "DELETE"].map((method) => `${method} ${path}`)),
      ...SAVED.flatMap(({ path }) => [
        ...["GET", "POST"].map((method) => `${method} ${path}`),
        ...["GET", "PATCH", "DELETE"].map((method) => `${method} ${path}/{id}`),
      ]),
      "GET /functions/v1/api-me",
      "GET /console/api/provider-keys",
      "PUT /console/api/provider-keys/{provider}",
      "DELETE /console/api/provider-keys/{provider}",
    ].toSorted(),
  );
});
