import { Client } from "pg";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { V2, apiOf, idsOf, listOf, refusal } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { openMarketplace } from "../../support/marketplace.ts";
import type { Marketplace } from "../../support/marketplace.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: Marketplace["service"];
let publisher: Marketplace["publisher"];
let listed: Marketplace["listed"];
let routeId: Marketplace["routeId"];
let other: Marketplace["other"];
let ask: Marketplace["ask"];
let install: Marketplace["install"];

beforeAll(async () => {
  ({ service, publisher, listed, routeId, other, ask, install } = await openMarketplace());
});

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
