import { beforeAll, expect } from "vitest";
import { readDescription } from "../../support/checks/description.ts";
import type { Described, Request } from "../../support/checks/description.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { tableHeaders } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";

const TABLE = "/rest/v1/{table}";
/** Reads that need a parameter, a link, a setting or the first workspace, and streams. */
const SKIPPED = /\{|^\/auth\/|^\/oauth\/|\/(?:instance\/[\w-]+|live|locate|search|stats|usage|google-account)$/;

let service: SharedService;
let described: Described;

beforeAll(async () => {
  service = await useSharedService();
  described = await readDescription(service);
});

function table(method: string, path: string, { headers, ...sent }: Request = {}) {
  const at = `/rest/v1/${path}`;
  return described.checked(method, TABLE, { ...sent, at, headers: { ...tableHeaders(service), ...headers } });
}

verifies(
  "envelope.openapi.describes-answers",
  "what can be read without an id is as the document of its version says",
  async () => {
    for (const version of ["1", "2"]) {
      const { document, checked } = await readDescription(service, `?api_version=${version}`);
      const paths = Object.keys(document.paths).filter((path) => !SKIPPED.test(path));
      const headers = { "x-api-key": service.keys.api, "x-api-version": version };
      const refused = [];
      for (const path of paths) {
        if (document.paths[path]?.["get"] === undefined) continue;
        const { status } = await checked("GET", path, { headers });
        if (status !== 200) refused.push([path, status]);
      }
      expect(refused).toEqual([]);
    }
  },
);

verifies("openapi.statuses", "the table API's answers have the statuses and types of the document", async () => {
  const declared = Object.keys(described.document.paths[TABLE]?.["get"]?.responses ?? {});
  const [object, keep] = [{ accept: "application/vnd.pgrst.object+json" }, { prefer: "resolution=merge-duplicates" }];
  const statuses = [
    await table("POST", "agents", { body: [] }),
    await table("POST", "agents", { body: [], headers: keep }),
    await table("POST", "agents", { body: [], headers: { prefer: "return=representation" } }),
    await table("POST", "agents", { body: { name: "A", model: "demo", workspace_id: service.workspaceId } }),
    await table("POST", "agents", { body: { nam: "A" } }),
    await table("GET", "agents?limit=1", { headers: object }),
    await table("GET", "agents?name=eq.none", { headers: object }),
    await table("GET", "agents", { headers: { accept: "text/csv" } }),
    await table("GET", "agents?offset=1000", { headers: { prefer: "count=exact" } }),
    await table("GET", `agents?select=${"x".repeat(20_000)}`),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 200, 201, 201, 422, 200, 406, 200, 416, 414]);
  expect(declared).toEqual(expect.arrayContaining(["406", "414", "416", "422"]));
});

verifies("openapi.statuses", "the page to which Google redirects is text", async () => {
  const path = "/oauth/google/callback";
  const answers = [
    await described.checked("GET", path, { at: `${path}?error=access_denied`, headers: {} }),
    await described.checked("GET", path, { at: `${path}?state=s&code=c`, headers: {} }),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.get("Content-Type")])).toEqual([
    [400, "text/plain; charset=UTF-8"],
    [200, "text/plain; charset=UTF-8"],
  ]);
});
