import { z } from "zod";
import { token, vendorId, vendorIdOrUrl } from "./config/fields.ts";
import { notionId } from "./config/vendor-url.ts";
import { defineDestination } from "./define-destination.ts";
import type { DeliveryContext } from "./define-destination.ts";
import { readReply } from "./delivery/read-reply.ts";
import { itemBody, itemTitle } from "./message/describe.ts";
import { chunk, truncate } from "./message/truncate.ts";

/** The first API version with data sources (https://developers.notion.com/docs/upgrade-guide-2025-09-03). */
const VERSION = "2025-09-03";
/**
 * The limits of a text object, and of children per request (https://developers.notion.com/reference/request-limits).
 */
const MAX_TEXT = 2_000;
/** Keeps the request below 500 KB and 100 paragraphs. */
const MAX_RESULT = 90_000;

const database = z.object({ data_sources: z.array(z.object({ id: z.string() })).min(1) });

/** Creates a page in a database (https://developers.notion.com/reference/post-page). */
export default defineDestination({
  type: "notion",
  title: "Notion",
  description: "Creates a page in a database that the integration may write to.",
  guide: {
    setup:
      "Create an [internal integration](https://www.notion.so/profile/integrations) and add it to the database as a connection. The database's ID is in its URL; the whole URL will do.",
    example: {
      integration_token: "ntn_0123456789",
      database_id: "0123456789abcdef0123456789abcdef",
      data_source_id: "fedcba98-7654-3210-fedc-ba9876543210",
    },
  },
  vendor: { setting: "NOTION_API_BASE", base: "https://api.notion.com" },
  config: z.strictObject({
    integration_token: token("Integration Token"),
    database_id: vendorIdOrUrl("Database ID", {
      idOf: notionId,
      pattern: /^[\w-]+$/,
      message: "must be the database's URL, or the 32 digits in it",
    }),
    data_source_id: vendorId("Data Source ID")
      .optional()
      .meta({ title: "Data Source ID", description: "Default: the first data source of the database." }),
  }),
  async deliver(context, { integration_token: key, database_id: id, data_source_id: source }, payload) {
    const headers = { authorization: `Bearer ${key}`, "notion-version": VERSION };
    const paragraphs = chunk(itemBody(payload, truncate(payload.result_full, MAX_RESULT)), MAX_TEXT);
    await context.callApi("/v1/pages", {
      headers,
      json: {
        parent: { type: "data_source_id", data_source_id: source ?? (await firstSource(context, id, headers)) },
        // The id of the title property is "title" in every database, whatever its name.
        properties: { title: { title: [textOf(itemTitle(context.serviceName, payload))] } },
        children: paragraphs.map((text) => ({
          object: "block",
          type: "paragraph",
          paragraph: { rich_text: [textOf(text)] },
        })),
      },
    });
  },
});

/** The table of a database that has only one, or the one that it had first. */
async function firstSource(context: DeliveryContext, id: string, headers: Readonly<Record<string, string>>) {
  const { text } = await context.callApi(`/v1/databases/${encodeURIComponent(id)}`, { method: "GET", headers });
  return readReply(database, text).data_sources[0]?.id;
}

function textOf(content: string) {
  return { type: "text", text: { content } };
}
