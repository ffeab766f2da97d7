import { afterAll, beforeAll, expect, test } from "vitest";
import { deliver } from "../../support/destinations/deliver.ts";
import { SAMPLES } from "../../support/destinations/samples.ts";
import * as vendor from "../../support/destinations/vendor-requests.ts";
import { BODY, TITLE, openVendorScene } from "../../support/destinations/vendor-scene.ts";
import type { VendorScene } from "../../support/destinations/vendor-scene.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import { verifies } from "../../support/verifies.ts";

let scene: VendorScene;

beforeAll(async () => {
  scene = await openVendorScene();
});
afterAll(() => scene.close());

verifies(
  [
    "destinations.asana",
    "destinations.notion",
    "destinations.github",
    "destinations.trello",
    "destinations.created-item.title",
    "destinations.created-item.body",
    "names.service-name",
  ],
  "tasks, pages, issues and cards have the title and the body of the contract",
  async () => {
    const asana = await scene.requestOf("asana");
    expect([asana.path, asana.headers["authorization"]]).toEqual(["/api/1.0/tasks", "Bearer asana-secret-token"]);
    expect(JSON.parse(asana.body)).toEqual({ data: { name: TITLE, notes: BODY, projects: ["1200"] } });

    const [database, notion] = await scene.requestsOf("notion");
    expect([database?.method, database?.path, database?.body]).toEqual(["GET", "/v1/databases/database1", ""]);
    expect([notion?.path, notion?.headers["notion-version"]]).toEqual(["/v1/pages", "2025-09-03"]);
    const page = vendor.notionRequest.parse(JSON.parse(notion?.body ?? ""));
    expect(page.parent).toEqual({ type: "data_source_id", data_source_id: "source1" });
    expect(page.properties.title.title[0]?.text.content).toBe(TITLE);
    expect(vendor.notionText(page)).toBe(BODY);

    const github = await scene.requestOf("github");
    expect([github.path, github.headers["authorization"]]).toEqual([
      "/repos/acme/results/issues",
      "Bearer github-secret-token",
    ]);
    const issue = { title: TITLE, body: BODY, labels: ["agent", "report"], assignees: ["ada"] };
    expect(JSON.parse(github.body)).toEqual(issue);

    const trello = await scene.requestOf("trello");
    expect([trello.method, trello.path]).toEqual(["POST", "/1/cards?key=trello-secret-key&token=trello-secret-token"]);
    expect(JSON.parse(trello.body)).toEqual({ idList: "list1", name: TITLE, desc: BODY });
    const named = await scene.requestOf("trello", { settings: { serviceName: "Acme" } });
    expect(JSON.parse(named.body)).toMatchObject({ name: "[Acme] Weekly report — completed" });
  },
);

verifies(
  "destinations.notion.data-sources",
  "notion creates a page in the data source that the route names",
  async () => {
    const config = { ...SAMPLES["notion"]?.config(""), data_source_id: "source2" };
    const { path, body } = await scene.requestOf("notion", { config });
    expect([path, vendor.notionRequest.parse(JSON.parse(body)).parent]).toEqual([
      "/v1/pages",
      { type: "data_source_id", data_source_id: "source2" },
    ]);
  },
);

test("trello moves the card of a task to the Review list, then comments on it", async () => {
  const query = "?key=trello-secret-key&token=trello-secret-token";
  const requests = await scene.requestsOf("trello", { mappedCardId: "card7" });
  expect(requests.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
    ["PUT", `/1/cards/card7${query}`, { idList: "list2" }],
    ["POST", `/1/cards/card7/actions/comments${query}`, { text: BODY }],
  ]);
});

verifies(
  ["destinations.linear", "destinations.linear.labels"],
  "linear creates an issue in the team with those labels that it has",
  async () => {
    const [find, create] = await scene.requestsOf("linear");
    expect(find?.headers["authorization"]).toBe("linear-secret-key");
    expect(JSON.parse(find?.body ?? "")).toMatchObject({ variables: { key: "ENG" } });
    const { variables } = vendor.linearRequest.parse(JSON.parse(create?.body ?? ""));
    expect(variables.input).toEqual({ teamId: "team-1", title: TITLE, description: BODY, labelIds: ["label-1"] });
  },
);

test("linear fails for an unknown team, and for errors that come with status 200", async () => {
  let reply: unknown = { data: { teams: { nodes: [] } } };
  const linear = await startFakeServer((_, response) => answerJson(response, reply));
  const errorOf = async () => {
    const { status, error } = await deliver({
      type: "linear",
      config: SAMPLES["linear"]?.config("") ?? {},
      base: linear.url,
    });
    return [status, error];
  };
  expect(await errorOf()).toEqual(["failed", "There is no team with the key ENG."]);
  reply = { errors: [{ message: "Authentication required" }] };
  expect(await errorOf()).toEqual(["failed", "Authentication required"]);
  reply = "not what it documents";
  expect(await errorOf()).toEqual(["failed", "The reply is not what the API documents: no JSON object."]);
  reply = { data: { teams: 7 } };
  expect(await errorOf()).toEqual(["failed", 'The reply is not what the API documents: its field "data.teams".']);
  await linear.close();
});
