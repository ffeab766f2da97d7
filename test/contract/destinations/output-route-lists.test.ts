import { beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute } from "../../support/destinations/deliveries.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { rawTable, tableRefusal } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const AGENT = { name: "Writer", model: "demo" };
const TEAM = { name: "Crew", mode: "pipeline" };
const RECORDS = [
  ["/api-agents", AGENT],
  ["/api-teams", TEAM],
] as const;

let service: SharedService;
let api: Api;
let console_: Api;
let other: TestWorkspace;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  console_ = consoleOf(service, service.keys.api);
  other = await addWorkspace(service.databaseUrl);
});

const newRoute = async (of: Api = console_) => (await createRoute(of, "https://example.com/")).id;

verifies("agents.create.output-routes-list", "agents and teams keep their lists of routes", async () => {
  const ids = [await newRoute(), await newRoute()];
  for (const [path, body] of RECORDS) {
    const made = await api.post(path, { ...body, output_route_ids: ids });
    expect([made.status, fieldsOf(made)["output_route_ids"]]).toEqual([201, ids]);
  }
});

verifies(
  "agents.create.output-routes-known",
  "a route that is unknown, or of another workspace, is rejected in agents and teams",
  async () => {
    const foreign = await newRoute(consoleOf(service, other.key));
    const rejected = {
      status: 400,
      code: "bad_request",
      message: "Invalid body: output_route_ids: the workspace has no such output route",
      paths: ["output_route_ids"],
    };
    for (const [endpoint, body] of RECORDS) {
      const { id } = fieldsOf(await api.post(endpoint, body));
      for (const output_route_ids of [[UNKNOWN], [foreign], [await newRoute(), UNKNOWN]]) {
        const created = await api.post(endpoint, { ...body, output_route_ids });
        expect(refusal(created)).toEqual(rejected);
        const changed = await api.patch(`${endpoint}?id=${String(id)}`, { output_route_ids });
        expect(refusal(changed)).toEqual(rejected);
      }
    }
  },
);

verifies(
  ["agents.create.output-routes-known", "table-api.error.409-reference"],
  "the table API rejects a list with an unknown id as an unknown reference",
  async () => {
    const table = rawTable(service);
    const { workspace_id } = fieldsOf(await api.get("/api-me"));
    const rows = [
      { table: "agents", column: "output_route_ids", references: "output_routes", row: AGENT },
      { table: "agents", column: "knowledge_base_ids", references: "knowledge_bases", row: AGENT },
      { table: "teams", column: "output_route_ids", references: "output_routes", row: TEAM },
    ];
    for (const { table: name, column, references, row } of rows) {
      const answer = await table("POST", `/${name}`, { body: { ...row, workspace_id, [column]: [UNKNOWN] } });
      expect(tableRefusal(answer)).toEqual({
        status: 409,
        code: "23503",
        message: `insert or update on table "${name}" violates foreign key constraint "${name}_${column}_fkey"`,
        details: `Key (${column})=(${UNKNOWN}) is not present in table "${references}".`,
        hint: null,
      });
    }
  },
);

verifies(
  "agents.output-routes.deleted",
  "a record with a deleted route can be sent back, and accepts no other unknown route",
  async () => {
    const made = [];
    const routeId = await newRoute();
    for (const [path, body] of RECORDS) {
      const { id } = fieldsOf(await api.post(path, { ...body, output_route_ids: [routeId] }));
      made.push(`${path}?id=${String(id)}`);
    }
    expect((await console_.delete(`/routes/${routeId}`)).status).toBe(204);
    for (const at of made) {
      const read = fieldsOf(await api.get(at));
      expect((await api.patch(at, { ...read, name: "Renamed" })).status).toBe(200);
      expect((await api.patch(at, { output_route_ids: [routeId, UNKNOWN] })).status).toBe(400);
    }
  },
);
