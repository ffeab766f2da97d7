import { beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { openMarketplace } from "../../support/marketplace.ts";
import type { Marketplace } from "../../support/marketplace.ts";
import { rawTable, tableClient } from "../../support/table-api.ts";
import type { TableClient } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";
import { addKey } from "../../support/workspace.ts";

/** The columns of another workspace's agent that have a value. */
const PUBLIC =
  "id name description model provider tags marketplace_tags tools install_count is_marketplace created_at".split(" ");

let service: Marketplace["service"];
let other: Marketplace["other"];
let reader: TableClient;
let raw: ReturnType<typeof rawTable>;
let own: Awaited<ReturnType<typeof createAgent>>;
let foreign: Awaited<ReturnType<typeof createAgent>>;
let unlisted: Awaited<ReturnType<typeof createAgent>>;
let both: readonly string[];

beforeAll(async () => {
  const marketplace = await openMarketplace();
  ({ service, other } = marketplace);
  const { publisher, listed } = marketplace;
  const key = await addKey(service.databaseUrl, { ...other, kind: "table" });
  reader = tableClient(service, key);
  raw = rawTable(service, key);
  const fields = { ...listed, max_tokens: 123, marketplace_tags: ["shelf"] };
  own = await createAgent(apiOf(service, other.key), {
    name: "Own",
    is_marketplace: true,
    marketplace_tags: ["shelf"],
  });
  foreign = await createAgent(publisher, fields);
  unlisted = await createAgent(publisher, { ...fields, name: "12 secrets", is_marketplace: false });
  await createTask(publisher, { title: "hidden-in-task", assigned_agent_id: foreign.id });
  both = [own.id, foreign.id].toSorted();
});

function shelf(columns = "*") {
  return reader.from("agents").select(columns).eq("is_marketplace", true).contains("marketplace_tags", ["shelf"]);
}

async function ids(query: string): Promise<unknown> {
  const { body } = await raw("GET", `/agents?select=id&marketplace_tags=cs.{shelf}&order=id&${query}`);
  return Array.isArray(body) ? body.map(({ id }: { id: string }) => id) : body;
}

verifies(
  "table-api.marketplace.listed",
  "the filter is_marketplace lists agents of all workspaces, with null in every private column",
  async () => {
    const { data } = await shelf().order("id").throwOnError();
    const rows: readonly Record<string, unknown>[] = JSON.parse(JSON.stringify(data));
    expect(rows.map(({ id }) => id)).toEqual(both);
    const mine = rows.find(({ id }) => id === own.id);
    expect(mine).toMatchObject({
      workspace_id: other.workspaceId,
      status: "idle",
      temperature: 0.7,
      is_marketplace: true,
    });
    const theirs = rows.find(({ id }) => id === foreign.id) ?? {};
    const shown = Object.entries(theirs).filter(([, value]) => value !== null);
    expect(new Set(shown.map(([name]) => name))).toEqual(new Set(PUBLIC));
    expect(theirs).toMatchObject({ name: "Summariser", tools: ["wait"], is_marketplace: true, install_count: 0 });
    expect(JSON.stringify(theirs)).not.toMatch(/hidden-in/);
    expect(Object.keys(theirs)).toEqual(Object.keys(mine ?? {}));
  },
);

verifies("table-api.marketplace.relation", "filters, orders, counts and pages apply to all listed agents", async () => {
  expect(await ids("is_marketplace=is.true")).toEqual(both);
  expect(await ids(`is_marketplace=eq.true&workspace_id=eq.${other.workspaceId}`)).toEqual([own.id]);
  expect(await ids("is_marketplace=eq.true&workspace_id=is.null")).toEqual([foreign.id]);
  const counted = await shelf("name").order("name", { ascending: false }).range(0, 0);
  expect(counted.data).toEqual([{ name: "Summariser" }]);
  const total = await reader
    .from("agents")
    .select("*", { count: "exact", head: true })
    .match({ is_marketplace: true })
    .contains("marketplace_tags", ["shelf"]);
  expect(total.count).toBe(2);
  const csv = await raw(
    "GET",
    "/agents?select=name,system_prompt&is_marketplace=eq.true&marketplace_tags=cs.{shelf}&order=name",
    {
      headers: { accept: "text/csv" },
    },
  );
  expect(csv.text).toBe('name,system_prompt\nOwn,"You are a helpful AI assistant."\nSummariser,');
});

verifies(
  "table-api.marketplace.no-oracle",
  "no filter, order or embedding tells what a private column holds",
  async () => {
    for (const query of [
      "system_prompt=like.*hidden*",
      "system_prompt=not.like.nothing*&workspace_id=is.null",
      "fallback_model=eq.gpt-4o",
      "config->>note=eq.hidden-in-config",
      "max_tokens=gte.100",
      "max_tokens=isdistinct.0&max_tokens=not.is.null",
      "voice_profile->>custom_instructions=match.hidden",
      `workspace_id=eq.${service.workspaceId}`,
      `created_by=eq.${service.ownerId}`,
      "tools=ov.{mcp:hidden-in-server/find}",
      "status=eq.idle&workspace_id=is.null",
      "or=(is_mcp_published.is.true,is_a2a_published.is.false)&workspace_id=is.null",
    ]) {
      expect([query, await ids(`is_marketplace=eq.true&${query}`)]).toEqual([query, []]);
    }
    // Rows that differ only in private columns stay in the order of the next key.
    const order = "order=max_tokens.desc.nullslast,config->>note.asc,id&is_marketplace=eq.true&workspace_id=is.null";
    expect((await raw("GET", `/agents?select=max_tokens&marketplace_tags=cs.{shelf}&${order}`)).body).toEqual([
      { max_tokens: null },
    ]);
    const embedded = await shelf("id,tasks(title),team_members(id),usage_records(id)").eq("id", foreign.id).single();
    expect(embedded.data).toEqual({ id: foreign.id, tasks: [], team_members: [], usage_records: [] });
  },
);

verifies(
  "table-api.marketplace.no-oracle",
  "agents that are not listed are reached by no filter and no cast",
  async () => {
    expect(await ids(`is_marketplace=eq.true&id=eq.${unlisted.id}`)).toEqual([]);
    // A cast that fails would show the name in its error.
    const cast = await raw("GET", `/agents?select=name::integer&is_marketplace=eq.true&id=eq.${unlisted.id}`);
    expect([cast.status, cast.body]).toEqual([200, []]);
  },
);

verifies(
  "table-api.marketplace.only-reads",
  "writes, other filters and embedded agents keep to the own rows",
  async () => {
    for (const query of [
      "",
      "is_marketplace=not.is.false",
      "is_marketplace=not.eq.false",
      "is_marketplace=in.(true)",
      "or=(is_marketplace.is.true,name.eq.x)",
    ]) {
      expect([query, await ids(query)]).toEqual([query, [own.id]]);
    }
    const embedded = await raw("GET", "/teams?select=agents(id)&agents.is_marketplace=eq.true");
    expect(embedded.text).not.toContain(foreign.id);
    const all = "/agents?is_marketplace=eq.true&marketplace_tags=cs.{shelf}&select=id";
    const headers = { prefer: "return=representation" };
    const changed = await raw("PATCH", all, { body: { description: "Changed" }, headers });
    expect(changed.body).toEqual([{ id: own.id }]);
    const deleted = await raw("DELETE", all, { headers });
    expect(deleted.body).toEqual([{ id: own.id }]);
    expect(await ids("is_marketplace=eq.true")).toEqual([foreign.id]);
    const record = await apiOf(service, service.keys.api).get(`/api-agents?id=${foreign.id}`);
    expect(record.body).toMatchObject({ description: "Makes 100% short texts" });
  },
);
