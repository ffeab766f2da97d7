import { z } from "zod";
import { line, vendorIdOrUrl } from "./config/fields.ts";
import { spreadsheetId } from "./config/vendor-url.ts";
import { defineDestination } from "./define-destination.ts";
import { UTF_16, truncate } from "./message/truncate.ts";

/** A cell is limited to 50,000 characters, including the note of the full length. */
const MAX_RESULT = 49_900;
const COLUMNS = "A:F";

/** Appends a row (https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/append). */
export default defineDestination({
  type: "google_sheets",
  title: "Google Sheets",
  description: "Appends a row: Timestamp, Event, Task Title, Agent, Status, Result.",
  guide: {
    setup:
      "The spreadsheet's ID is the long part of its URL; the whole URL will do. The connected account must be allowed to edit it.",
    example: { spreadsheet_id: "1AbCdEfGhIjKlMnOpQrStUvWxYz", sheet_name: "Results" },
  },
  account: "google",
  vendor: { setting: "GOOGLE_API_BASE", base: "https://sheets.googleapis.com" },
  config: z.strictObject({
    spreadsheet_id: vendorIdOrUrl("Spreadsheet ID", {
      idOf: spreadsheetId,
      pattern: /^[\w-]+$/,
      message: "must be the spreadsheet's URL, or the long part of it after /d/",
    }),
    sheet_name: line("Sheet Name", 100)
      .optional()
      .meta({ title: "Sheet Name", description: "Default: the first sheet." }),
  }),
  async deliver(context, { spreadsheet_id: id, sheet_name: sheet }, payload) {
    // A range without a sheet name refers to the first sheet.
    const range = sheet === undefined ? COLUMNS : `'${sheet.replaceAll("'", "''")}'!${COLUMNS}`;
    const path = `/v4/spreadsheets/${encodeURIComponent(id)}/values/${encodeURIComponent(range)}:append`;
    const { timestamp, event, task_title: title, agent_name: agent, status, result_full: result } = payload;
    // RAW: a result that begins with = is stored as text, not as a formula.
    await context.callApi(`${path}?valueInputOption=RAW&insertDataOption=INSERT_ROWS`, {
      headers: { authorization: `Bearer ${await context.googleAccessToken()}` },
      json: { values: [[timestamp, event, title, agent, status, truncate(result, MAX_RESULT, UTF_16)]] },
    });
  },
});
