import { z } from "zod";
import { token, vendorId } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import { itemBody, itemTitle } from "./message/describe.ts";
import { chunk, truncate } from "./message/truncate.ts";

/** The last API version that creates pages in a database by database id. */
const VERSION = "2022-06-28";
/**
 * The limits of a text object, and of children per request (https://developers.notion.com/reference/request-limits).
 */
const MAX_TEXT = 2_000;
/** Keeps the request below 500 KB and 100 paragraphs. */
const MAX_RESULT = 90_000;

/** Creates a page in a database (https://developers.notion.com/reference/post-page). */
export default defineDestination({
  type: "notion",
  title: "Notion",
  description: "Creates a page in a database that the integration may write to.",
  guide: {
    setup:
      "Create an [internal integration](https://www.notion.so/profile/integrations) and add it to the database as a connection. The database's ID is in its URL.",
    example: { integration_token: "ntn_0123456789", database_id: "0123456789abcdef0123456789abcdef" },
  },
  vendor: { setting: "NOTION_API_BASE", base: "https://api.notion.com" },
  config: z.strictObject({
    integration_token: token("Integration Token"),
    database_id: vendorId("Database ID"),
  }),
  async deliver(context, { integration_token: key, database_id: database }, payload) {
    const paragraphs = chunk(itemBody(payload, truncate(payload.result_full, MAX_RESULT)), MAX_TEXT);
    await context.callApi("/v1/pages", {
      headers: { authorization: `Bearer ${key}`, "notion-version": VERSION },
      json: {
        parent: { database_id: database },
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

function textOf(content: string) {
  return { type: "text", text: { content } };
}
