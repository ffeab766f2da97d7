import { z } from "zod";
import { token, vendorId } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import { itemBody, itemTitle } from "./message/describe.ts";
import { WITH_BREAKS, breakMarkdownMentions } from "./message/mentions.ts";
import { UTF_16, truncate } from "./message/truncate.ts";
import type { Unit } from "./message/truncate.ts";

/** Descriptions and comments are limited to 16,384 characters, including the lines above the result. */
const MAX_RESULT = 15_000;
const SIZE: Unit = (codePoint) => Math.max(UTF_16(codePoint), WITH_BREAKS(codePoint));

/**
 * Creates a card, or comments on the card that created the task (https://developer.atlassian.com/cloud/trello/rest).
 */
export default defineDestination({
  type: "trello",
  title: "Trello",
  description: "Creates a card; for a task that came from a card, comments on it and moves it to the Review list.",
  guide: {
    setup:
      "Take the API key and a token from [Power-Ups admin](https://trello.com/power-ups/admin). The IDs of board and lists are in the board's JSON: add `.json` to its URL.",
    example: {
      api_key: "0123456789abcdef0123456789abcdef",
      token: "ATTA0123456789",
      board_id: "5f0000000000000000000001",
      default_list_id: "5f0000000000000000000002",
      review_list_id: "5f0000000000000000000003",
    },
  },
  vendor: { setting: "TRELLO_API_BASE", base: "https://api.trello.com" },
  config: z.strictObject({
    api_key: token("API Key"),
    token: token("Token"),
    board_id: vendorId("Board ID"),
    default_list_id: vendorId("Default List ID"),
    review_list_id: vendorId("Review List ID").optional().meta({ title: "Review List ID" }),
  }),
  async deliver(context, config, payload) {
    const query = new URLSearchParams({ key: config.api_key, token: config.token }).toString();
    // A comment notifies everyone that it mentions; `@board` is everyone.
    const text = breakMarkdownMentions(itemBody(payload, truncate(payload.result_full, MAX_RESULT, SIZE)));
    const card = context.mappedCardId;
    if (card === null) {
      const json = { idList: config.default_list_id, name: itemTitle(context.serviceName, payload), desc: text };
      await context.callApi(`/1/cards?${query}`, { json });
      return;
    }
    // Moves first: repeating the move is harmless, but a repeated comment would be a duplicate.
    if (config.review_list_id !== undefined) {
      await context.callApi(`/1/cards/${card}?${query}`, { method: "PUT", json: { idList: config.review_list_id } });
    }
    await context.callApi(`/1/cards/${card}/actions/comments?${query}`, { json: { text } });
  },
});
