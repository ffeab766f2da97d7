import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { send } from "../../support/api.ts";
import { readDescription } from "../../support/checks/description.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const AGENTS = "/functions/v1/api-agents";
const described = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        parameters: z.array(z.looseObject({ $ref: z.string().optional() })).optional(),
        responses: z.record(z.string(), z.looseObject({ headers: z.looseObject({}).optional() })),
      }),
    ),
  ),
});
const identified = z.looseObject({ data: z.looseObject({ id: z.uuid() }) });

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_FREE: "1000" } });
});
afterAll(() => service.stop());

verifies(
  "openapi.one-version",
  "answers of version 2 are as its document says",
  async () => {
    const { checked } = await readDescription(service, "?api_version=2");
    const headers = { "x-api-key": service.keys.api, "x-api-version": "2" };
    const made = await checked("POST", AGENTS, { headers, body: { name: "A", model: "demo" } });
    const at = `${AGENTS}?id=${identified.parse(made.body).data.id}`;
    const statuses = [
      made,
      await checked("GET", AGENTS, { headers }),
      await checked("GET", AGENTS, { headers, at }),
      await checked("PATCH", AGENTS, { headers, at, body: { description: "x" } }),
      await checked("GET", "/functions/v1/api-me", { headers }),
      await checked("GET", "/files", { headers }),
      await checked("GET", "/console/api/knowledge/bases", { headers }),
      await checked("GET", AGENTS, { headers, at: `${AGENTS}?limit=0` }),
      await checked("DELETE", AGENTS, { headers, at }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([201, 200, 200, 200, 200, 200, 200, 400, 204]);
    const refused = await send("GET", `${service.url}/openapi.json?api_version=3`);
    expect(refused.status).toBe(400);
  },
  { tags: "slow" },
);

verifies("openapi.headers", "answers have the headers that the document names", async () => {
  const { paths } = described.parse((await send("GET", `${service.url}/openapi.json`)).body);
  const { get, post } = paths[AGENTS] ?? {};
  const refs = (post?.parameters ?? []).map(({ $ref = "" }) => $ref.split("/").at(-1));
  expect(refs).toEqual(["ApiVersion", "IdempotencyKey"]);
  const headers = { "x-api-key": service.keys.api, "idempotency-key": "one" };
  const body = { name: "B", model: "gpt-4o" };
  const url = service.url + AGENTS;
  await send("POST", url, { headers: { "x-api-key": service.keys.api }, body });
  const made = await send("POST", url, { headers, body });
  const again = await send("POST", url, { headers, body });
  const page = await send("GET", `${url}?limit=1`, { headers });
  const named = (operation: typeof get, status: number) => Object.keys(operation?.responses[status]?.headers ?? {});
  const absent = (names: readonly string[], answer: typeof made) => names.filter((name) => !answer.headers.has(name));
  expect(absent(named(get, 200), page)).toEqual([]);
  expect(absent(named(post, 201), made)).toEqual(["Idempotent-Replayed"]);
  expect(absent(named(post, 201), again)).toEqual(["X-Warning"]);
  expect(named(get, 200)).toContain("Link");
});
