import { beforeAll, expect } from "vitest";
import { apiOf, fieldsOf, idsOf, refusal } from "../../support/api.ts";
import { LISTED, openMarketplace } from "../../support/marketplace.ts";
import type { Marketplace } from "../../support/marketplace.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, readAgent } from "../../support/work.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: Marketplace["service"];
let publisher: Marketplace["publisher"];
let listed: Marketplace["listed"];
let other: Marketplace["other"];
let ask: Marketplace["ask"];
let install: Marketplace["install"];

beforeAll(async () => {
  ({ service, publisher, listed, other, ask, install } = await openMarketplace());
});

verifies(
  "marketplace.install.unique-name",
  "a copy whose name exists gets a number, and so does the next",
  async () => {
    const buyer = await addWorkspace(service.databaseUrl);
    const api = apiOf(service, buyer.key);
    const { id } = await createAgent(publisher, { ...listed, name: "Doubled" });
    await createAgent(api, { name: "Doubled" });
    const names: unknown[] = [];
    for (let copy = 0; copy < 2; copy++) {
      const { agent_id } = await install(id, buyer.key);
      names.push(fieldsOf(await api.get(`/api-agents?id=${agent_id}`))["name"]);
    }
    expect(names).toEqual(["Doubled 2", "Doubled 3"]);
  },
);

verifies(
  ["marketplace.install.copies", "marketplace.install.answer", "marketplace.install.private"],
  "installing creates a private copy that is the caller's own",
  async () => {
    const config = { ...listed.config, requires_approval: listed.tools };
    const { id } = await createAgent(publisher, { ...listed, config });
    const { install_count, agent_id } = await install(id);
    expect(install_count).toBe(1);
    const api = apiOf(service, other.key);
    const copy = fieldsOf(await api.get(`/api-agents?id=${agent_id}`));
    expect(copy).toMatchObject({
      ...LISTED,
      workspace_id: other.workspaceId,
      created_by: other.ownerId,
      provider: "demo",
      tools: ["wait"],
      config: { ...LISTED.config, requires_approval: ["wait"] },
      output_route_ids: null,
      is_marketplace: false,
      install_count: 0,
      is_mcp_published: false,
      is_a2a_published: false,
      status: "idle",
    });
    expect(JSON.stringify(copy)).not.toContain(service.workspaceId);
    expect(await readAgent(publisher, id)).toMatchObject({ install_count: 1, is_marketplace: true });
    expect((await api.patch(`/api-agents?id=${agent_id}`, { name: "Mine" })).status).toBe(200);
    expect(await readAgent(publisher, id)).toMatchObject({ name: "Summariser" });
  },
);

verifies(
  ["marketplace.install.held-tools", "marketplace.install.keeps-approvals"],
  "a copy has no tool that sends data away until a person adds it",
  async () => {
    const held = ["http_request", "knowledge_search"];
    const config = { requires_approval: ["http_request", "wait"] };
    const { id } = await createAgent(publisher, { ...listed, tools: ["wait", ...held], config });
    const { agent_id, held_tools } = await install(id);
    expect(held_tools).toEqual(held);
    const api = apiOf(service, other.key);
    const at = `/api-agents?id=${agent_id}`;
    expect(fieldsOf(await api.get(at))).toMatchObject({ tools: ["wait"], config });
    expect(fieldsOf(await api.patch(at, { tools: ["wait", ...held] }))).toMatchObject({
      tools: ["wait", ...held],
      config,
    });
  },
);

verifies("marketplace.install.counts-once", "a workspace counts once, each install creates a copy", async () => {
  const { id, updated_at } = await createAgent(publisher, listed);
  const first = await install(id);
  const second = await install(id);
  const own = await install(id, service.keys.api);
  expect([first, second, own].map((answer) => answer.install_count)).toEqual([1, 1, 2]);
  expect(new Set([id, first.agent_id, second.agent_id, own.agent_id]).size).toBe(4);
  const third = await addWorkspace(service.databaseUrl);
  expect(await install(id, third.key)).toMatchObject({ install_count: 3 });
  expect(fieldsOf(await ask("GET", `/${id}`))).toMatchObject({ install_count: 3 });
  expect(await readAgent(publisher, id)).toMatchObject({ updated_at });
  await publisher.delete(`/api-agents?id=${id}`);
  const left = await sql(service.databaseUrl, "select from marketplace_installs where agent_id = $1", [id]);
  expect(left).toEqual([]);
});

verifies("marketplace.install.concurrent", "installs at the same time count each workspace once", async () => {
  const { id } = await createAgent(publisher, listed);
  const keys = [other.key, (await addWorkspace(service.databaseUrl)).key];
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => install(id, keys[i % 2])));
  expect(new Set(answers.map((answer) => answer.agent_id)).size).toBe(20);
  expect(Math.max(...answers.map((answer) => answer.install_count))).toBe(2);
  expect(await readAgent(publisher, id)).toMatchObject({ install_count: 2 });
});

verifies("marketplace.install.not-offered", "an unlisted agent is not installed, and nothing is created", async () => {
  const { id } = await createAgent(publisher, { ...listed, is_marketplace: false });
  const api = apiOf(service, other.key);
  const before = idsOf(await api.get("/api-agents?limit=200"));
  for (const unlisted of [id, UNKNOWN]) {
    const answer = await ask("POST", `/${unlisted}/install`);
    expect(refusal(answer)).toMatchObject({ status: 404, code: "not_found", message: "Agent not found" });
  }
  expect(refusal(await ask("POST", "/x/install"))).toMatchObject({ status: 400, paths: ["id"] });
  expect(idsOf(await api.get("/api-agents?limit=200"))).toEqual(before);
  expect(await readAgent(publisher, id)).toMatchObject({ install_count: 0 });
});

verifies("marketplace.install.needs-member", "a reader may look and not install; a stranger may not look", async () => {
  const { id } = await createAgent(publisher, listed);
  const key = await addKey(service.databaseUrl, { ...other, scopes: ["read"] });
  expect((await ask("GET", `/${id}`, { key })).status).toBe(200);
  expect(refusal(await ask("POST", `/${id}/install`, { key }))).toMatchObject({ status: 403, code: "forbidden" });
  expect(refusal(await ask("GET", "", { key: "mst_wrong" }))).toMatchObject({ status: 401 });
});
