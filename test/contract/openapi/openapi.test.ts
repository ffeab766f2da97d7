import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { send } from "../../support/api.ts";
import { OTHER_OPERATIONS } from "../../support/checks/other-operations.ts";
import { idOf, readDescription } from "../../support/checks/description.ts";
import type { Described } from "../../support/checks/description.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: SharedService;
let document: Described["document"];
let ajv: Described["ajv"];
let checked: Described["checked"];

beforeAll(async () => {
  service = await useSharedService();
  ({ document, ajv, checked } = await readDescription(service));
});

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
