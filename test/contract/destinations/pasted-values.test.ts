import { describe, expect, test } from "vitest";
import { destinationOf } from "../../support/destinations/deliver.ts";
import { verifies } from "../../support/verifies.ts";

const HEX = "0123456789abcdef0123456789abcdef";
const UUID = "01234567-89ab-cdef-0123-456789abcdef";
const CALENDAR = "team@group.calendar.google.com";

/** A field's value as deliveries use it, or its error. */
function readOf(type: string, field: string, value: unknown): unknown {
  const parsed = destinationOf(type).config.shape[field]?.safeParse(value);
  return parsed?.success === true ? parsed.data : parsed?.error?.issues[0]?.message;
}

const TAKEN: readonly (readonly [type: string, field: string, pasted: unknown, read: unknown])[] = [
  ["notion", "database_id", `https://www.notion.so/acme/Reports-${HEX}?v=${"f".repeat(32)}&pvs=4`, HEX],
  ["notion", "database_id", `https://app.notion.com/${UUID}`, UUID],
  ["notion", "database_id", UUID, UUID],
  ["google_sheets", "spreadsheet_id", "https://docs.google.com/spreadsheets/d/1AbC-d_E/edit#gid=0", "1AbC-d_E"],
  ["google_sheets", "spreadsheet_id", "https://docs.google.com/spreadsheets/u/1/d/1AbC/edit", "1AbC"],
  ["google_docs", "drive_folder_id", "https://drive.google.com/drive/u/0/folders/1AbC-d_E?usp=sharing", "1AbC-d_E"],
  ["google_docs", "drive_folder_id", "https://drive.google.com/open?id=1AbC", "1AbC"],
  ["google_calendar", "calendar_id", `https://calendar.google.com/calendar/embed?src=${CALENDAR}&ctz=UTC`, CALENDAR],
  ["google_calendar", "calendar_id", `https://calendar.google.com/calendar/u/0?cid=${btoa(CALENDAR)}`, CALENDAR],
  [
    "google_calendar",
    "calendar_id",
    `https://calendar.google.com/calendar/ical/${encodeURIComponent(CALENDAR)}/public/basic.ics`,
    CALENDAR,
  ],
  ["asana", "project_gid", "https://app.asana.com/0/1200000000000003/list", "1200000000000003"],
  ["asana", "project_gid", "https://app.asana.com/1/77/project/1200/list/9", "1200"],
  ["github", "repository", "https://github.com/acme/reports.git", "acme/reports"],
  ["github", "repository", "https://github.com/acme/reports/issues?q=is%3Aopen", "acme/reports"],
  ["github", "repository", "ada_acme/reports", "ada_acme/reports"],
  ["linear", "team_key", "https://linear.app/acme/team/ENG/active", "ENG"],
  ["telegram", "chat_id", "https://t.me/results", "@results"],
  ["smtp", "to_emails", "Ada <ada@example.com>", ["ada@example.com"]],
  [
    "smtp",
    "to_emails",
    '"Lovelace, Ada" <ada@example.com>; bob@example.org,\ncy@example.org;',
    ["ada@example.com", "bob@example.org", "cy@example.org"],
  ],
  ["email", "to_emails", "grüße@example.com", "must be an e-mail address, such as ada@example.com"],
  ["google_gmail", "to_emails", "ada@müller.example", ["ada@xn--mller-kva.example"]],
  ["email", "from_email", "Muster <muster@bücher.example>", "Muster <muster@xn--bcher-kva.example>"],
];

verifies("destinations.pasted-values", "a configuration takes what people paste", () => {
  for (const [type, field, pasted, read] of TAKEN) expect(readOf(type, field, pasted), String(pasted)).toEqual(read);
});

describe("what is none of it is rejected with what is meant", () => {
  test.each([
    ["notion", "database_id", "https://www.notion.so/acme/Reports", "must be the database's URL"],
    [
      "google_sheets",
      "spreadsheet_id",
      "https://docs.google.com/document/d/1AbC/edit",
      "must be the spreadsheet's URL",
    ],
    ["google_docs", "drive_folder_id", "https://drive.google.com/file/d/1AbC/view", "must be the folder's URL"],
    ["google_calendar", "calendar_id", "https://calendar.google.com/calendar/u/0/r", 'must be "primary"'],
    ["github", "repository", "reports", "must be owner/repo"],
    ["smtp", "to_emails", "Ada", "must be an e-mail address"],
    ["smtp", "to_emails", " ; ", "must hold at least one"],
    ["smtp", "from_email", "Ada <ada>", "must be an e-mail address"],
  ] as const)("%s %s %s", (type, field, value, message) => {
    expect(readOf(type, field, value)).toContain(message);
  });
});
