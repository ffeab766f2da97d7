import { z } from "zod";
import { MARKETPLACE_SORTS } from "#domain/agents/marketplace.ts";
import { getListing, installAgent, listListings } from "#operations/agents/marketplace.ts";
import { listQuery } from "../shape/list-query.ts";
import { respond, respondItems, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { invalid } from "#domain/invalid.ts";
import type { MarketplaceSort } from "#domain/agents/marketplace.ts";
import type { MarketplacePlace } from "#db/queries/agents/marketplace.ts";
import { isUuid } from "#lib/ids.ts";
import { parseCursor } from "../shape/cursor.ts";
import { endpoint } from "../shape/endpoint.ts";

/** The digits of a count below the integer limit. */
const COUNT = /^\d{1,9}$/;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

const query = listQuery.omit({ id: true }).extend({
  sort: z.enum(MARKETPLACE_SORTS).default("newest").describe("Newest first, or most installed first."),
  q: z.string().min(1).max(200).optional().describe("Text in the name or the description; case is ignored."),
  tag: z.string().min(1).max(50).optional().describe("One of its marketplace_tags, exactly."),
});

const listing = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    description: z.string(),
    model: z.string(),
    provider: z.string(),
    tags: z.array(z.string()),
    marketplace_tags: z.array(z.string()),
    tools: z.array(z.string()),
    install_count: z.int().describe("How many workspaces have installed it."),
    publisher: z.string().describe("The name of the workspace that lists it."),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Listing" });

/** The result of an installation. */
export const installed = z
  .strictObject({
    install_count: z.int(),
    agent_id: z.uuid(),
    needs_review: z
      .boolean()
      .describe("Whether the copy waits for you to read its prompt and tools: it works when you set this to false."),
    held_tools: z
      .array(z.string())
      .describe("Tools that could send data elsewhere: the copy does not have them until you add them."),
    warnings: z
      .array(z.string())
      .describe("What was changed in its rules on approvals, which named the publisher's people."),
  })
  .meta({ id: "Installed" });

/** Adds /console/api/marketplace: agents that workspaces publish for each other. */
export default function addMarketplace(api: Api): void {
  addPath(api, "/console/api/marketplace", { tag: "Marketplace", endpoints: [list] });
  addPath(api, "/console/api/marketplace/{id}", { tag: "Marketplace", endpoints: [read] });
  addPath(api, "/console/api/marketplace/{id}/install", { tag: "Marketplace", endpoints: [install] });
}

const list = endpoint({
  method: "get",
  operationId: "listMarketplaceAgents",
  summary: "List the published agents of all workspaces; their prompts are not shown",
  query,
  success: { status: 200, schema: z.array(listing) },
  async handle({ c, workspace, query }) {
    const { q: text, cursor, ...asked } = query;
    const after = cursor === undefined ? undefined : parsePlace(asked.sort, cursor);
    const page = await listListings(workspace, { ...asked, text, after });
    return respondItems(c, page.items, page.next === null ? null : formatPlace(page.next));
  },
});

const read = endpoint({
  method: "get",
  operationId: "getMarketplaceAgent",
  summary: "Read one published agent",
  params: idQuery,
  success: { status: 200, schema: listing },
  handle: async ({ c, workspace, params }) => respond(c, await getListing(workspace, params.id)),
});

const install = endpoint({
  method: "post",
  operationId: "installMarketplaceAgent",
  summary: "Copy a published agent into your workspace",
  params: idQuery,
  success: { status: 201, schema: installed },
  handle: async ({ c, workspace, params }) => respondValue(c, await installAgent(workspace, params.id), 201),
});

/** Encodes a cursor: the sort value of the last row, and its id. */
function formatPlace({ value, id }: MarketplacePlace): string {
  return `${value}_${id}`;
}

/** Parses a cursor of a list in this order. @throws AppError `bad_request`. */
function parsePlace(sort: MarketplaceSort, cursor: string): MarketplacePlace {
  if (sort === "newest") {
    const { createdAt, id = LOWEST_ID } = parseCursor(cursor);
    return { value: createdAt, id };
  }
  const [value = "", id = "", ...rest] = cursor.split("_");
  if (COUNT.test(value) && isUuid(id) && rest.length === 0) return { value, id };
  const message = "must be a next_cursor of an earlier response with the same sort";
  throw invalid("query", [{ path: "cursor", message }]);
}
