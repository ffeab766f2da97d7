import { beforeAll, expect } from "vitest";
import { apiOf, refusal, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

let service: SharedService;
let api: Api;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
});

verifies("operations.root", "the root answers a program with the name and the version", async () => {
  const accepted: readonly Readonly<Record<string, string>>[] = [{}, { accept: "*/*" }, { accept: "application/json" }];
  for (const headers of accepted) {
    const answer = await send("GET", `${service.url}/`, { headers });
    expect([answer.status, answer.body]).toMatchObject([200, { name: "muster" }]);
    expect((await send("HEAD", `${service.url}/`, { headers })).status).toBe(200);
  }
});

const methods = [
  { path: "/api-agents", allow: "GET, POST, PATCH, DELETE, HEAD, OPTIONS", wrong: ["PUT", "QUERY"] },
  { path: "/api-tasks", allow: "GET, POST, PATCH, DELETE, HEAD, OPTIONS", wrong: ["PUT", "PROPFIND"] },
  { path: "/api-me", allow: "GET, HEAD, OPTIONS", wrong: ["POST", "PUT", "PATCH", "DELETE"] },
] as const;
for (const { path, allow, wrong } of methods) {
  verifies(
    ["errors.method-not-allowed", "errors.method-not-allowed.allow-header"],
    `${path} rejects ${wrong.join(", ")} and says what it takes`,
    async () => {
      for (const method of wrong) {
        const answer = await api.call(method, path);
        expect(refusal(answer)).toMatchObject({ status: 405, code: "method_not_allowed" });
        expect(answer.headers.get("allow")).toBe(allow);
      }
    },
  );
}

verifies(
  ["errors.method-not-allowed", "errors.method-not-allowed.allow-header"],
  "the paths of the protocols and of the documents reject other methods as well",
  async () => {
    for (const [method, path, allow] of [
      ["GET", "/v1/chat/completions", "POST, OPTIONS"],
      ["PUT", "/v1/responses/resp_7", "GET, HEAD, DELETE, OPTIONS"],
      ["DELETE", "/v1/models/", "GET, HEAD, OPTIONS"],
      ["POST", "/.well-known/agent.json", "GET, HEAD, OPTIONS"],
      ["PUT", "/a2a/x", "GET, HEAD, POST, OPTIONS"],
      ["GET", "/ag-ui/x/sse", "POST, OPTIONS"],
      ["POST", "/openapi.json", "GET, HEAD, OPTIONS"],
    ] as const) {
      const answer = await fetch(service.url + path, { method });
      expect([path, answer.status, answer.headers.get("allow")]).toEqual([path, 405, allow]);
      expect(await answer.text()).toContain(`${method} is not supported here. Allowed: ${allow}.`);
    }
    for (const path of ["/v1/nothing", "/docs/nothing.js"]) expect((await fetch(service.url + path)).status).toBe(404);
  },
);
