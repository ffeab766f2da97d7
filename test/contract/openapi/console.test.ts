import { afterAll, beforeAll, expect } from "vitest";
import { bearer, postAuth, sessionOf } from "../../support/accounts.ts";
import type { TestSession } from "../../support/accounts.ts";
import { readDescription } from "../../support/checks/description.ts";
import type { Described } from "../../support/checks/description.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

let service: TestService;
let person: TestSession;
let checked: Described["checked"];

beforeAll(async () => {
  service = await startService({ env: { SIGN_UP: "open" } });
  ({ checked } = await readDescription(service));
  person = sessionOf(await postAuth(service, "sign-up", { email: "ada@example.org", password: "a long password" }));
});
afterAll(() => service.stop());

verifies("envelope.openapi.describes-answers", "people and models are as the document says", async () => {
  const headers = bearer(person.access_token);
  const statuses = [
    await checked("GET", "/auth/options"),
    await checked("GET", "/auth/me", { headers }),
    await checked("PATCH", "/auth/me", { headers, body: { name: "Ada" } }),
    await checked("PATCH", "/auth/me", { headers, body: {} }),
    await checked("GET", "/auth/locate", { headers, at: `/auth/locate?id=${person.workspace_id}` }),
    await checked("GET", "/console/api/models"),
    await checked("GET", "/console/api/agents/tags"),
    await checked("GET", "/console/api/tools/built-in"),
    await checked("POST", "/console/api/provider-keys/{provider}/test", {
      at: "/console/api/provider-keys/demo/test",
      body: {},
    }),
    await checked("POST", "/functions/v1/api-tasks", { body: { title: "T" } }),
    await checked("GET", "/console/api/runs"),
    await checked("GET", "/console/api/runs", { at: "/console/api/runs?limit=0" }),
    await checked("GET", "/console/api/questions"),
    await checked("GET", "/console/api/live", { at: "/console/api/live?follow=x" }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 400, 200, 200, 200, 200, 200, 201, 200, 400, 200, 400]);
});
