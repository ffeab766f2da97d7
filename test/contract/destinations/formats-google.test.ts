import { afterAll, beforeAll, expect } from "vitest";
import { simpleParser } from "mailparser";
import { ACCESS_TOKEN, DELIVERY_ID, PAYLOAD, deliver } from "../../support/destinations/deliver.ts";
import * as vendor from "../../support/destinations/vendor-requests.ts";
import { BODY, LONG, TITLE, openVendorScene } from "../../support/destinations/vendor-scene.ts";
import type { VendorScene } from "../../support/destinations/vendor-scene.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import { verifies } from "../../support/verifies.ts";

let scene: VendorScene;

beforeAll(async () => {
  scene = await openVendorScene();
});
afterAll(() => scene.close());

verifies(
  ["destinations.google-sheets", "destinations.google-sheets.default-sheet"],
  "google_sheets appends a row to the named sheet, or to the first",
  async () => {
    const { path, headers, body } = await scene.requestOf("google_sheets");
    const append = ":append?valueInputOption=RAW&insertDataOption=INSERT_ROWS";
    expect(path).toBe(`/v4/spreadsheets/sheet-1/values/${encodeURIComponent("'Bob''s runs'!A:F")}${append}`);
    expect(headers["authorization"]).toBe(`Bearer ${ACCESS_TOKEN}`);
    const row = [PAYLOAD.timestamp, "task.completed", "Weekly report", "Writer", "completed", "All is well."];
    expect(JSON.parse(body)).toEqual({ values: [row] });
    const first = await scene.requestOf("google_sheets", { config: { spreadsheet_id: "sheet-1" } });
    expect(first.path).toBe(`/v4/spreadsheets/sheet-1/values/A%3AF${append}`);
  },
);

verifies("destinations.google-gmail", "google_gmail sends HTML as the connected user", async () => {
  const { path, headers, body } = await scene.requestOf("google_gmail", {
    payload: { ...PAYLOAD, task_title: "Grüße 😀" },
  });
  expect([path, headers["authorization"]]).toEqual(["/gmail/v1/users/me/messages/send", `Bearer ${ACCESS_TOKEN}`]);
  const { raw } = vendor.gmailRequest.parse(JSON.parse(body));
  const mail = await simpleParser(Buffer.from(raw, "base64url"));
  expect(mail.subject).toBe("Grüße 😀");
  expect([mail.to].flat().flatMap((to) => to?.value.map(({ address }) => address))).toEqual([
    "ada@example.com",
    "Bob.B@example.org",
  ]);
  expect(mail.html).toContain('<pre style="white-space:pre-wrap">All is well.</pre>');
  // Google fills in the account's own address.
  expect(mail.from).toBeUndefined();
});

verifies(
  ["destinations.google-docs", "destinations.google-docs.default-folder"],
  "google_docs creates a document in the folder, or at the top",
  async () => {
    const request = await scene.requestOf("google_docs", { payload: LONG });
    expect(request.path).toBe("/upload/drive/v3/files?uploadType=multipart&supportsAllDrives=true");
    const [metadata = "", text] = vendor.partsOf(request);
    const document = {
      name: "[Service] Weekly report — 2026-11-20T10:30:00.000Z",
      mimeType: "application/vnd.google-apps.document",
    };
    expect(JSON.parse(metadata)).toEqual({ ...document, parents: ["folder1"] });
    expect(text).toBe(LONG.result_full);
    const top = await scene.requestOf("google_docs", { config: {} });
    expect(JSON.parse(vendor.partsOf(top)[0] ?? "")).toEqual(document);
  },
);

verifies(
  [
    "destinations.google-calendar",
    "destinations.google-calendar.duration",
    "destinations.google-calendar.default-calendar",
  ],
  "google_calendar creates an event one hour after completion, once however often it is tried",
  async () => {
    const usual = await scene.requestOf("google_calendar", { config: {} });
    expect(usual.path).toBe("/calendar/v3/calendars/primary/events");
    expect(JSON.parse(usual.body)).toEqual({
      id: DELIVERY_ID.replaceAll("-", ""),
      summary: TITLE,
      description: `Title: ${PAYLOAD.task_title}\n${BODY}`,
      start: { dateTime: "2026-11-20T11:30:00.000Z" },
      end: { dateTime: "2026-11-20T12:00:00.000Z" },
    });
    const own = await scene.requestOf("google_calendar");
    expect(own.path).toBe("/calendar/v3/calendars/team%40group.calendar.google.com/events");
    expect(JSON.parse(own.body)).toMatchObject({ end: { dateTime: "2026-11-20T12:15:00.000Z" } });

    const taken = await startFakeServer((_, response) => answerJson(response, { error: "duplicate" }, 409));
    expect(await deliver({ type: "google_calendar", config: {}, base: taken.url })).toMatchObject({
      status: "success",
    });
    await taken.close();
  },
);
