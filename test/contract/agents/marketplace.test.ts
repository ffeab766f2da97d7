import { Client } from "pg";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { V2, apiOf, consoleOf, fieldsOf, idsOf, listOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { createTool } from "../../support/custom-tools.ts";
import { createRoute } from "../../support/destinations/deliveries.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, readAgent } from "../../support/work.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

/** What only the agent's own workspace may see, in any field of a response. */
const HIDDEN = {
  system_prompt: "hidden-in-prompt",
  fallback_model: "gpt-4o",
  voice_profile: { tone: "Custom", custom_instructions: "hidden-in-voice" },
  output_template: { type: "Custom", body: "hidden-in-template" },
  config: { note: "hidden-in-config" },
  tools: ["wait", "mcp:hidden-in-server/find"],
};
const LISTED = {
  ...HIDDEN,
  name: "Summariser",
  description: "Makes 100% short texts",
  tags: ["text"],
  marketplace_tags: ["writing", "short"],
  is_marketplace: true,
};

let service: SharedService;
let publisher: Api;
/** The same with a tool and an output route of its workspace. */
let listed: typeof LISTED & { readonly output_route_ids: readonly string[] };
let routeId: string;
let other: TestWorkspace;

beforeAll(async () => {
  service = await useSharedService();
  publisher = apiOf(service, service.keys.api);
  const toolId = await createTool(service, { name: "hidden_tool" });
  routeId = (await createRoute(consoleOf(service, service.keys.api), "https://example.com/")).id;
  listed = { ...LISTED, tools: [`custom:${toolId}`, ...LISTED.tools], output_route_ids: [routeId] };
  other = await addWorkspace(service.databaseUrl);
  await sql(
    service.databaseUrl,
    `with server as (
       insert into mcp_servers (id, workspace_id, name, url, timeout_ms, info)
       values (gen_random_uuid(), $1, 'hidden-in-server', 'https://mcp.example/mcp', 1000, '{}') returning id)
     insert into mcp_tools (workspace_id, server_id, name, position, description, input_schema, annotations)
     select $1, id, 'find', 0, '', '{}', '{}' from server`,
    [service.workspaceId],
  );
});

function ask(
  method: string,
  path: string,
  { key = other.key, ...headers }: { key?: string } & Record<string, string> = {},
) {
  return send(method, `${service.url}/console/api/marketplace${path}`, { headers: { "x-api-key": key, ...headers } });
}

async function install(id: string, key = other.key): Promise<{ install_count: number; agent_id: string }> {
  const answer = await ask("POST", `/${id}/install`, { key });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return z.strictObject({ install_count: z.int(), agent_id: z.uuid() }).parse(answer.body);
}

function expectHidden({ text }: Answer, ids: readonly string[] = []): void {
  for (const secret of ["hidden-in", "fallback", routeId, service.workspaceId, service.ownerId, ...ids]) {
    expect(text).not.toContain(secret);
  }
}

verifies(
  ["marketplace.list.across-workspaces", "marketplace.description-shown", "marketplace.prompt-hidden"],
  "another workspace sees what is public of a listed agent, and nothing else",
  async () => {
    const { id, created_at } = await createAgent(publisher, listed);
    const unlisted = await createAgent(publisher, { ...listed, is_marketplace: false });
    const shown = {
      id,
      name: "Summariser",
      description: "Makes 100% short texts",
      model: "demo",
      provider: "demo",
      tags: ["text"],
      marketplace_tags: ["writing", "short"],
      tools: ["wait"],
      install_count: 0,
      publisher: expect.stringMatching(/./),
      created_at,
    };
    const list = await ask("GET", "");
    expect(listOf(list)[0]).toEqual(shown);
    const one = await ask("GET", `/${id}`);
    expect([one.status, one.body]).toEqual([200, shown]);
    for (const answer of [list, one]) expectHidden(answer, [unlisted.id]);
    const hidden = await ask("GET", `/${unlisted.id}`);
    expect(refusal(hidden)).toEqual(refusal(await ask("GET", `/${UNKNOWN}`)));
    expect(refusal(hidden)).toMatchObject({ status: 404, code: "not_found", message: "Agent not found" });
    expect(refusal(await apiOf(service, other.key).get(`/api-agents?id=${id}`)).status).toBe(404);

    await publisher.patch(`/api-agents?id=${id}`, { is_marketplace: false });
    expect((await ask("GET", `/${id}`)).status).toBe(404);
    expect(idsOf(await ask("GET", "?limit=200"))).not.toContain(id);
  },
);

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

const pageOf = z.object({
  data: z.strictObject({
    items: z.array(z.looseObject({ id: z.uuid() })),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  }),
});

/** Reads a list to its end in pages of this size. */
async function readAll(query: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { data } = pageOf.parse((await ask("GET", `?${query}&limit=${limit}${at}`, V2)).body);
    ids.push(...data.items.map(({ id }) => id));
    cursor = data.next_cursor;
    expect(data.has_more).toBe(cursor !== null);
  } while (cursor !== null);
  return ids;
}

verifies("marketplace.list.pages", "each order is read page by page, ties included", async () => {
  const tag = "paged";
  const made: string[] = [];
  for (let n = 0; n < 7; n++) made.push((await createAgent(publisher, { ...listed, marketplace_tags: [tag] })).id);
  // Ties in both orders.
  await sql(service.databaseUrl, "update agents set created_at = '2026-01-01T00:00:00Z' where id = any ($1::uuid[])", [
    made.slice(2, 5),
  ]);
  for (const id of [made[0], made[3], made[6]]) await install(id ?? "");
  const expected = async (order: string) => {
    const rows = await sql<{ id: string }>(
      service.databaseUrl,
      `select id from agents where is_marketplace and marketplace_tags = '{paged}' order by ${order} desc, id desc`,
    );
    return rows.map(({ id }) => id);
  };
  for (const limit of [1, 2, 3, 7, 50]) {
    expect(await readAll(`tag=${tag}`, limit)).toEqual(await expected("created_at"));
    expect(await readAll(`tag=${tag}&sort=installs`, limit)).toEqual(await expected("install_count"));
  }
  const bare = await ask("GET", `?tag=${tag}&limit=2`);
  expect(listOf(bare)).toHaveLength(2);
  expect(bare.headers.get("link")).toMatch(/cursor=.*rel="next"/);
  for (const wrong of ["?cursor=x", "?sort=installs&cursor=x", "?sort=installs&cursor=2026-01-01T00:00:00Z"]) {
    expect(refusal(await ask("GET", wrong))).toMatchObject({ status: 400, paths: ["cursor"] });
  }
  expect(refusal(await ask("GET", "?sort=best&limit=0"))).toMatchObject({ status: 400, paths: ["limit", "sort"] });
});

verifies("marketplace.list.search", "a text and a tag filter the list; neither is a pattern", async () => {
  const mine = async (fields: object) => (await createAgent(publisher, { ...listed, ...fields })).id;
  const byName = await mine({ name: "The Zebra_Keeper", description: "", marketplace_tags: ["zoo"] });
  const byText = await mine({ name: "Two", description: "Feeds a ZEBRA 50%", marketplace_tags: ["zoo"] });
  const found = async (query: string) => idsOf(await ask("GET", `?${query}`));
  expect(await found("q=zebra")).toEqual([byText, byName]);
  expect(await found("q=zebra_")).toEqual([byName]);
  expect(await found("q=zebra%2050%25")).toEqual([byText]);
  expect(await found("q=z_bra")).toEqual([]);
  expect(await found("q=hidden-in-prompt")).toEqual([]);
  expect(await found("tag=zoo")).toEqual([byText, byName]);
  expect(await found("tag=zoo&q=keeper")).toEqual([byName]);
  expect(await found("tag=Zoo")).toEqual([]);
});

verifies("marketplace.tags", "marketplace_tags obeys its limits on create and on change", async () => {
  const { id } = await createAgent(publisher);
  const tagged = (marketplace_tags: unknown) => publisher.patch(`/api-agents?id=${id}`, { marketplace_tags });
  for (const wrong of [["a", "a"], Array.from({ length: 21 }, (_, n) => `t${n}`)]) {
    expect(refusal(await tagged(wrong))).toMatchObject({ status: 400, paths: ["marketplace_tags"] });
    const body = { name: "A", model: "demo", marketplace_tags: wrong };
    expect(refusal(await publisher.post("/api-agents", body))).toMatchObject({ status: 400 });
  }
  expect(refusal(await tagged(["x".repeat(51)]))).toMatchObject({ status: 400, paths: ["marketplace_tags.0"] });
  expect(refusal(await tagged([""]))).toMatchObject({ status: 400, paths: ["marketplace_tags.0"] });
  expect((await tagged(Array.from({ length: 20 }, (_, n) => `t${n}`))).status).toBe(200);
});

verifies(
  "marketplace.database",
  "the role of requests has the public columns, one copy, and no way past them",
  async () => {
    const { id } = await createAgent(publisher, listed);
    const unlisted = await createAgent(publisher, { ...listed, is_marketplace: false });
    const client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
    const as = async (role: string, workspaceId: string | undefined, statement: string) => {
      await client.query(`begin; set local role ${role}`);
      if (workspaceId !== undefined) await client.query(`set local muster.workspace_id = '${workspaceId}'`);
      const rows = await client.query<Record<string, unknown>>(statement).then(
        (result) => result.rows,
        (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
      );
      await client.query("rollback");
      return rows;
    };
    const own = other.workspaceId;
    try {
      for (const wanted of ["agents", "agent_records", "agent_exports"]) {
        expect(await as("muster_admin", own, `select from ${wanted} where id = '${id}'`)).toEqual([]);
      }
      const listing = await as("muster_viewer", own, `select to_json(m)::text as text from marketplace_agents m`);
      expect(JSON.stringify(listing)).toContain(id);
      expect(JSON.stringify(listing)).not.toContain("hidden-in");
      expect(JSON.stringify(listing)).not.toContain(unlisted.id);
      expect(await as("muster_viewer", undefined, "select from marketplace_agents")).toEqual([]);
      const copy = `install_marketplace_agent('${id}', gen_random_uuid(), null)`;
      expect(await as("muster_app", own, `select ${copy} as count`)).toEqual([{ count: 1 }]);
      expect(await as("muster_app", own, `select ${copy.replace(id, unlisted.id)} as count`)).toEqual([
        { count: null },
      ]);
      expect(await as("muster_app", undefined, `select ${copy}`)).toBe("23502");
      expect(await as("muster_viewer", own, `select ${copy}`)).toBe("42501");
      for (const write of ["update marketplace_agents set name = 'X'", "delete from marketplace_agents"]) {
        expect(await as("muster_admin", own, write)).toBe("42501");
      }
    } finally {
      await client.end();
    }
  },
);
