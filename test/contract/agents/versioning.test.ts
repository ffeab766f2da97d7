import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { V2, apiOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";

const META = {
  api_version: 2,
  request_id: expect.stringMatching(/^req_[0-9a-f]{16}$/),
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
};

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

/** Successes that can be had in every version, without the fields that differ from call to call. */
const successes: readonly {
  readonly name: string;
  readonly ask: (headers: Record<string, string>) => Promise<Answer>;
}[] = [
  { name: "GET one agent", ask: (headers) => api.get(`/api-agents?id=${agentId}`, headers) },
  { name: "GET one task", ask: (headers) => api.get(`/api-tasks?id=${taskId}`, headers) },
  { name: "GET me", ask: (headers) => api.get("/api-me", headers) },
  { name: "POST an agent", ask: (headers) => api.post("/api-agents", { name: newId(), model: "demo" }, headers) },
  { name: "POST a task", ask: (headers) => api.post("/api-tasks", { title: "T" }, headers) },
  { name: "PATCH an agent", ask: (headers) => api.patch(`/api-agents?id=${agentId}`, { name: "B" }, headers) },
  { name: "PATCH a task", ask: (headers) => api.patch(`/api-tasks?id=${taskId}`, { title: "U" }, headers) },
];

for (const { name, ask } of successes) {
  verifies(
    ["versioning.v2.envelope", "versioning.v2.meta", "versioning.v1.default-raw", "versioning.v1.explicit"],
    `${name}: version 2 wraps what version 1 answers bare`,
    async () => {
      const [bare, one, two] = [await ask({}), await ask({ "x-api-version": "1" }), await ask(V2)];
      expect([one.status, two.status]).toEqual([bare.status, bare.status]);
      expect(two.body).toEqual({ data: expect.any(Object), meta: META });
      const data = fieldsOf({ ...two, body: fieldsOf(two)["data"] });
      expect(Object.keys(fieldsOf(bare))).toEqual(Object.keys(data));
      expect(Object.keys(fieldsOf(one))).toEqual(Object.keys(data));
    },
  );
}

verifies(["versioning.v2.envelope", "versioning.v1.default-raw"], "both versions hold the same record", async () => {
  for (const path of [`/api-agents?id=${agentId}`, `/api-tasks?id=${taskId}`]) {
    expect(fieldsOf(await api.get(path, V2))["data"]).toEqual((await api.get(path)).body);
  }
});

for (const version of ["0", "3", "2.0", "v2", "1,2", "two"]) {
  verifies("versioning.other-400", `X-API-Version: ${version} is rejected before anything happens`, async () => {
    for (const answer of [
      await api.get("/api-me", { "x-api-version": version }),
      await api.delete(`/api-agents?id=${agentId}`, { "x-api-version": version }),
    ]) {
      expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request" });
      expect(refusal(answer).message).toContain(version);
    }
    expect((await api.get(`/api-agents?id=${agentId}`)).status).toBe(200);
  });
}

const refusals: readonly {
  readonly name: string;
  readonly ask: (headers: Record<string, string>) => Promise<Answer>;
}[] = [
  { name: "400", ask: (headers) => api.post("/api-agents", { name: "" }, headers) },
  { name: "401", ask: (headers) => apiOf(service, "mst_wrong").get("/api-me", headers) },
  { name: "404", ask: (headers) => api.get("/api-nothing", headers) },
  { name: "405", ask: (headers) => api.call("PUT", "/api-me", { headers }) },
  { name: "409", ask: (headers) => api.patch(`/api-tasks?id=${taskId}`, { status: "running" }, headers) },
  { name: "413", ask: (headers) => api.post("/api-tasks", "x".repeat(1_100_000), headers) },
];

for (const { name, ask } of refusals) {
  verifies("versioning.errors-same-in-both", `a ${name} differs in both versions by its meta alone`, async () => {
    const [one, two] = [await ask({}), await ask(V2)];
    expect([one.status, two.status]).toEqual([Number(name), Number(name)]);
    expect(fieldsOf(two)["error"]).toEqual(fieldsOf(one)["error"]);
    expect(fieldsOf(one)["meta"]).toEqual({ ...META, api_version: 1 });
    expect(fieldsOf(two)["meta"]).toEqual(META);
  });
}
