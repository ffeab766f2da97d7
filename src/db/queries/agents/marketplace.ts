import type { MarketplaceSort } from "#domain/agents/marketplace.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A position in a sorted list: after the agent with this value in the sort column and this id. */
export interface MarketplacePlace {
  /** ISO 8601 with microseconds when sorted by `newest`, a count when sorted by `installs`. */
  readonly value: string;
  readonly id: string;
}

/** The start of each list: before every value. */
const START: Readonly<Record<MarketplaceSort, MarketplacePlace>> = {
  newest: { value: "infinity", id: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
  installs: { value: "2147483647", id: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
};

/** A query of the marketplace. */
export interface MarketplaceQuery {
  readonly sort: MarketplaceSort;
  readonly limit: number;
  readonly after?: MarketplacePlace | undefined;
  /** Only agents whose name or description contains this text, ignoring case. */
  readonly text?: string | undefined;
  /** Only agents with this marketplace tag. */
  readonly tag?: string | undefined;
}

/** A page of the marketplace, as JSON. */
export interface MarketplacePage {
  /** The records separated by commas. */
  readonly items: JsonText;
  /** The last row shown; null when no more follow. */
  readonly next: MarketplacePlace | null;
}

const RECORD = `
  select m.id, m.name, m.description, m.model, m.provider, m.tags, m.marketplace_tags, m.tools, m.install_count,
    m.publisher, iso(m.created_at) as created_at
  from marketplace_agents m where m.id =`;

const LIST = {
  newest: statement({
    name: "list-marketplace-newest",
    text: listBy({ column: "created_at", type: "timestamptz", shown: "iso(created_at)" }),
  }),
  installs: statement({
    name: "list-marketplace-installs",
    text: listBy({ column: "install_count", type: "integer", shown: "install_count::text" }),
  }),
};

// Walks the order's index until the page is full; one more row shows whether another page follows.
function listBy({ column, type, shown }: { readonly column: string; readonly type: string; readonly shown: string }) {
  return `
    with page as (
      select l.id, l.${column}, row_number() over (order by l.${column} desc, l.id desc) as n
      from marketplace_agents l
      where (l.${column}, l.id) < ($1::${type}, $2::uuid)
        and ($4::text is null or position(lower($4) in lower(l.name || ' ' || l.description)) > 0)
        and ($5::text is null or $5 = any (l.marketplace_tags))
      order by l.${column} desc, l.id desc limit $3::integer + 1
    )
    select
      coalesce((
        select string_agg(to_json(r)::text, ',' order by p.n)
        from page p cross join lateral (${RECORD} p.id) r where p.n <= $3), '') as items,
      (select ${shown} from page where n = $3) as value,
      (select id from page where n = $3) as id,
      (select true from page where n = $3 + 1) as more`;
}

interface ListRow {
  readonly items: JsonText;
  readonly value: string | null;
  readonly id: string | null;
  readonly more: true | null;
}

/** Reads a page of the agents listed by all workspaces. */
export async function listMarketplace(db: WorkspaceDatabase, query: MarketplaceQuery): Promise<MarketplacePage> {
  const { sort, limit, after = START[sort], text = null, tag = null } = query;
  const values = [after.value, after.id, limit, text, tag];
  const [row] = await db.query<ListRow>(LIST[sort], values);
  if (row === undefined) throw new Error("A list query gives one row.");
  const { items, value, id, more } = row;
  return { items, next: more === null || value === null || id === null ? null : { value, id } };
}

const READ = statement({
  name: "read-marketplace-agent",
  text: `select to_json(r)::text as record from (${RECORD} $1) r`,
});

/** Reads a listed agent as the marketplace shows it; undefined when it is not listed. */
export async function readListing(db: WorkspaceDatabase, id: string): Promise<JsonText | undefined> {
  const [row] = await db.query<{ record: JsonText }>(READ, [id]);
  return row?.record;
}

const INSTALL = statement({
  name: "install-marketplace-agent",
  text: `select install_marketplace_agent($1, $2, $3) as count`,
});

const READ_COPY = statement({
  name: "read-marketplace-copy",
  text: `
    select a.needs_review, array(
        select tool from marketplace_agents m cross join unnest(m.tools) with ordinality as t (tool, n)
        where m.id = $1 and tool <> all (a.tools) order by n) as held_tools
    from agents a where a.id = $2`,
});

/** What a person must decide about a new copy of an agent. */
export interface CopyReview {
  /** Whether it waits for a review. */
  readonly needs_review: boolean;
  /** The listed tools that it does not have. */
  readonly held_tools: readonly string[];
}

/** Reads what a person must decide about a new copy. */
export async function readCopy(
  tx: Transaction,
  { listedId, copyId }: { readonly listedId: string; readonly copyId: string },
): Promise<CopyReview> {
  const [copy] = await tx.query<CopyReview>(READ_COPY, [listedId, copyId]);
  if (copy === undefined) throw new Error("An installed agent must exist.");
  return copy;
}

/**
 * Copies a listed agent into the transaction's workspace under the given id. Returns the number of workspaces that have
 * installed it; null when the agent is not listed.
 */
export async function installListing(
  tx: Transaction,
  install: { readonly listedId: string; readonly copyId: string; readonly installedBy: string },
): Promise<number | null> {
  const values = [install.listedId, install.copyId, install.installedBy];
  const [row] = await tx.query<{ count: number | null }>(INSTALL, values);
  return row?.count ?? null;
}

const READ_CONFIG = statement({ name: "read-copied-config", text: `select config from agents where id = $1` });

/** Reads the config of a copy. */
export async function readConfig(tx: Transaction, agentId: string): Promise<unknown> {
  const [row] = await tx.query<{ config: unknown }>(READ_CONFIG, [agentId]);
  return row?.config;
}
