import { afterAll, beforeAll, expect, test } from "vitest";
import { simpleParser } from "mailparser";
import { ACCESS_TOKEN, DELIVERY_ID, FAILED, PAYLOAD, deliver } from "../../support/destinations/deliver.ts";
import { SAMPLES } from "../../support/destinations/samples.ts";
import * as vendor from "../../support/destinations/vendor-requests.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer, SeenRequest } from "../../support/fake-server.ts";
import { verifies } from "../../support/verifies.ts";

const LONG = { ...PAYLOAD, result_full: "ß".repeat(5_000) };
const TITLE = "[Service] Weekly report — completed";
const BODY =
  "Event: task.completed\nAgent: Writer\nStatus: completed\nTimestamp: 2026-11-20T10:30:00.000Z\n\nAll is well.";

let server: FakeServer;

beforeAll(async () => {
  server = await startFakeServer((request, response) => {
    const isLinear = request.path === "/graphql";
    answerJson(response, isLinear ? SAMPLES["linear"]?.reply?.(request) : { ok: true });
  });
});
afterAll(() => server.close());

/** Delivers by a sample's configuration; returns the requests that arrived. */
async function requestsOf(type: string, options: Partial<Parameters<typeof deliver>[0]> = {}): Promise<SeenRequest[]> {
  const before = server.seen.length;
  const config = SAMPLES[type]?.config(server.url) ?? {};
  const outcome = await deliver({ type, config, base: server.url, ...options });
  expect(outcome).toMatchObject({ status: "success", error: null });
  return server.seen.slice(before);
}

/** The only request of a delivery. */
async function requestOf(...args: Parameters<typeof requestsOf>): Promise<SeenRequest> {
  const [request, ...others] = await requestsOf(...args);
  expect(others).toEqual([]);
  if (request === undefined) throw new Error("Nothing was sent.");
  return request;
}

verifies(["destinations.http", "routes.payload.identical"], "http posts the payload as it is", async () => {
  const { method, path, headers, body } = await requestOf("http", { payload: LONG });
  expect([method, path, headers["content-type"]]).toEqual(["POST", "/results", "application/json"]);
  expect(JSON.parse(body)).toEqual(LONG);
});

verifies(
  ["destinations.slack", "destinations.slack.truncation", "destinations.slack.truncation-note"],
  "slack gets a coloured block with at most 2,900 characters of the result",
  async () => {
    const [done] = vendor.slackRequest.parse(
      JSON.parse((await requestOf("slack", { payload: LONG })).body),
    ).attachments;
    expect(done?.color).toBe("#2ea043");
    expect(done?.blocks.map(({ text }) => text.text)).toEqual([
      TITLE,
      "Agent: Writer",
      `${"ß".repeat(2_900)}… (5,000 chars)`,
    ]);
    const failed = vendor.slackRequest.parse(JSON.parse((await requestOf("slack", { payload: FAILED })).body));
    expect(failed.attachments[0]?.color).toBe("#d1242f");
    expect(failed.attachments[0]?.blocks.map(({ text }) => text.text)).toEqual([
      "[Service] Weekly report — failed",
      "Agent: Writer",
      "Error: The model is overloaded.",
    ]);
  },
);

verifies(
  ["destinations.discord", "destinations.discord.truncation"],
  "discord gets an embed whose result has at most 1,000 characters",
  async () => {
    const { embeds } = vendor.discordRequest.parse(JSON.parse((await requestOf("discord", { payload: LONG })).body));
    expect(embeds[0]).toMatchObject({ title: TITLE, color: 0x2e_a0_43 });
    expect(embeds[0]?.fields.map(({ name, value }) => [name, value])).toEqual([
      ["Agent", "Writer"],
      ["Status", "completed"],
      ["Title", "Weekly report"],
      ["Result", `${"ß".repeat(1_000)}… (5,000 chars)`],
    ]);
    const failed = vendor.discordRequest.parse(JSON.parse((await requestOf("discord", { payload: FAILED })).body));
    expect(failed.embeds[0]?.color).toBe(0xd1_24_2f);
    expect(failed.embeds[0]?.fields.at(-2)).toMatchObject({ name: "Error", value: "The model is overloaded." });
  },
);

verifies(
  ["destinations.telegram", "destinations.telegram.truncation"],
  "telegram sends at most 3,500 characters of the result to a number, a group or a channel",
  async () => {
    for (const chat of ["42", "-1001234567890", "@results", 42]) {
      const config = { bot_token: "123:abc_DEF-1", chat_id: chat };
      const { path, body } = await requestOf("telegram", { config, payload: LONG });
      expect(path).toBe("/bot123:abc_DEF-1/sendMessage");
      expect(JSON.parse(body)).toMatchObject({
        chat_id: String(chat),
        text: `${TITLE}\n\nAgent: Writer\n\n${"ß".repeat(3_500)}… (5,000 chars)`,
      });
    }
    const wrong = await deliver({
      type: "telegram",
      config: { bot_token: "1:a", chat_id: "results" },
      base: server.url,
    });
    expect(wrong.error).toContain("@channelname");
  },
);

verifies(
  ["destinations.teams", "destinations.teams.truncation"],
  "teams gets a card with header, facts, monospace result of at most 2,000 characters, and the error",
  async () => {
    const cardOf = async (payload: typeof PAYLOAD) =>
      vendor.teamsRequest.parse(JSON.parse((await requestOf("teams", { payload })).body)).attachments[0].content;
    const done = await cardOf(LONG);
    expect(done.version).toBe("1.4");
    expect(done.body).toMatchObject([
      { text: TITLE, size: "Large", color: "Good" },
      {
        facts: [
          { title: "Task", value: "Weekly report" },
          { title: "Agent", value: "Writer" },
          { title: "Status", value: "completed" },
        ],
      },
      { text: `${"ß".repeat(2_000)}… (5,000 chars)`, fontType: "Monospace" },
    ]);
    const failed = await cardOf({ ...FAILED, event: "team_run.failed", agent_name: "Writers" });
    expect(failed.body).toMatchObject([
      { color: "Attention" },
      { facts: [{ title: "Task" }, { title: "Team", value: "Writers" }, { value: "failed" }] },
      { text: "The model is overloaded.", color: "Attention" },
    ]);
    expect(failed.body).toHaveLength(3);
  },
);

verifies(
  [
    "destinations.asana",
    "destinations.notion",
    "destinations.github",
    "destinations.trello",
    "destinations.created-item.title",
    "destinations.created-item.body",
    "names.service-name",
  ],
  "tasks, pages, issues and cards have the title and the body of the contract",
  async () => {
    const asana = await requestOf("asana");
    expect([asana.path, asana.headers["authorization"]]).toEqual(["/api/1.0/tasks", "Bearer asana-secret-token"]);
    expect(JSON.parse(asana.body)).toEqual({ data: { name: TITLE, notes: BODY, projects: ["1200"] } });

    const notion = await requestOf("notion");
    expect([notion.path, notion.headers["notion-version"]]).toEqual(["/v1/pages", "2022-06-28"]);
    const page = vendor.notionRequest.parse(JSON.parse(notion.body));
    expect(page.parent).toEqual({ database_id: "database1" });
    expect(page.properties.title.title[0]?.text.content).toBe(TITLE);
    expect(vendor.notionText(page)).toBe(BODY);

    const github = await requestOf("github");
    expect([github.path, github.headers["authorization"]]).toEqual([
      "/repos/acme/results/issues",
      "Bearer github-secret-token",
    ]);
    const issue = { title: TITLE, body: BODY, labels: ["agent", "report"], assignees: ["ada"] };
    expect(JSON.parse(github.body)).toEqual(issue);

    const trello = await requestOf("trello");
    expect([trello.method, trello.path]).toEqual(["POST", "/1/cards?key=trello-secret-key&token=trello-secret-token"]);
    expect(JSON.parse(trello.body)).toEqual({ idList: "list1", name: TITLE, desc: BODY });
    const named = await requestOf("trello", { settings: { serviceName: "Acme" } });
    expect(JSON.parse(named.body)).toMatchObject({ name: "[Acme] Weekly report — completed" });
  },
);

test("trello moves the card of a task to the Review list, then comments on it", async () => {
  const query = "?key=trello-secret-key&token=trello-secret-token";
  const requests = await requestsOf("trello", { mappedCardId: "card7" });
  expect(requests.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
    ["PUT", `/1/cards/card7${query}`, { idList: "list2" }],
    ["POST", `/1/cards/card7/actions/comments${query}`, { text: BODY }],
  ]);
});

verifies(
  ["destinations.linear", "destinations.linear.labels"],
  "linear creates an issue in the team with those labels that it has",
  async () => {
    const [find, create] = await requestsOf("linear");
    expect(find?.headers["authorization"]).toBe("linear-secret-key");
    expect(JSON.parse(find?.body ?? "")).toMatchObject({ variables: { key: "ENG" } });
    const { variables } = vendor.linearRequest.parse(JSON.parse(create?.body ?? ""));
    expect(variables.input).toEqual({ teamId: "team-1", title: TITLE, description: BODY, labelIds: ["label-1"] });
  },
);

test("linear fails for an unknown team, and for errors that come with status 200", async () => {
  let reply: unknown = { data: { teams: { nodes: [] } } };
  const linear = await startFakeServer((_, response) => answerJson(response, reply));
  const errorOf = async () => {
    const { status, error } = await deliver({
      type: "linear",
      config: SAMPLES["linear"]?.config("") ?? {},
      base: linear.url,
    });
    return [status, error];
  };
  expect(await errorOf()).toEqual(["failed", "There is no team with the key ENG."]);
  reply = { errors: [{ message: "Authentication required" }] };
  expect(await errorOf()).toEqual(["failed", "Authentication required"]);
  reply = "not what it documents";
  expect(await errorOf()).toEqual(["failed", "The reply is not what the API documents: no JSON object."]);
  reply = { data: { teams: 7 } };
  expect(await errorOf()).toEqual(["failed", 'The reply is not what the API documents: its field "data.teams".']);
  await linear.close();
});

verifies(
  ["destinations.email", "destinations.subject-template"],
  "email sends to every address with the subject of the template, once however often it is tried",
  async () => {
    const { path, headers, body } = await requestOf("email");
    expect([path, headers["authorization"], headers["idempotency-key"]]).toEqual([
      "/emails",
      "Bearer resend-secret-key",
      DELIVERY_ID,
    ]);
    expect(JSON.parse(body)).toMatchObject({
      from: "Muster <muster@example.com>",
      to: ["ada@example.com", "Bob.B@example.org"],
      subject: "Writer: Weekly report is completed",
      text: BODY,
    });
    const { subject_template: _, ...plain } = SAMPLES["email"]?.config("") ?? {};
    const title = "<b>{{status}}</b>\nof\tmine";
    const other = await requestOf("email", { config: plain, payload: { ...PAYLOAD, task_title: title } });
    expect(JSON.parse(other.body)).toMatchObject({ subject: "[Service] <b>{{status}}</b> of mine — completed" });
    expect(other.body).toContain("&lt;b&gt;");
  },
);

verifies(
  ["destinations.google-sheets", "destinations.google-sheets.default-sheet"],
  "google_sheets appends a row to the named sheet, or to the first",
  async () => {
    const { path, headers, body } = await requestOf("google_sheets");
    const append = ":append?valueInputOption=RAW&insertDataOption=INSERT_ROWS";
    expect(path).toBe(`/v4/spreadsheets/sheet-1/values/${encodeURIComponent("'Bob''s runs'!A:F")}${append}`);
    expect(headers["authorization"]).toBe(`Bearer ${ACCESS_TOKEN}`);
    const row = [PAYLOAD.timestamp, "task.completed", "Weekly report", "Writer", "completed", "All is well."];
    expect(JSON.parse(body)).toEqual({ values: [row] });
    const first = await requestOf("google_sheets", { config: { spreadsheet_id: "sheet-1" } });
    expect(first.path).toBe(`/v4/spreadsheets/sheet-1/values/A%3AF${append}`);
  },
);

verifies("destinations.google-gmail", "google_gmail sends HTML as the connected user", async () => {
  const { path, headers, body } = await requestOf("google_gmail", { payload: { ...PAYLOAD, task_title: "Grüße 😀" } });
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
    const request = await requestOf("google_docs", { payload: LONG });
    expect(request.path).toBe("/upload/drive/v3/files?uploadType=multipart&supportsAllDrives=true");
    const [metadata = "", text] = vendor.partsOf(request);
    const document = {
      name: "[Service] Weekly report — 2026-11-20T10:30:00.000Z",
      mimeType: "application/vnd.google-apps.document",
    };
    expect(JSON.parse(metadata)).toEqual({ ...document, parents: ["folder1"] });
    expect(text).toBe(LONG.result_full);
    const top = await requestOf("google_docs", { config: {} });
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
    const usual = await requestOf("google_calendar", { config: {} });
    expect(usual.path).toBe("/calendar/v3/calendars/primary/events");
    expect(JSON.parse(usual.body)).toEqual({
      id: DELIVERY_ID.replaceAll("-", ""),
      summary: TITLE,
      description: `Title: ${PAYLOAD.task_title}\n${BODY}`,
      start: { dateTime: "2026-11-20T11:30:00.000Z" },
      end: { dateTime: "2026-11-20T12:00:00.000Z" },
    });
    const own = await requestOf("google_calendar");
    expect(own.path).toBe("/calendar/v3/calendars/team%40group.calendar.google.com/events");
    expect(JSON.parse(own.body)).toMatchObject({ end: { dateTime: "2026-11-20T12:15:00.000Z" } });

    const taken = await startFakeServer((_, response) => answerJson(response, { error: "duplicate" }, 409));
    expect(await deliver({ type: "google_calendar", config: {}, base: taken.url })).toMatchObject({
      status: "success",
    });
    await taken.close();
  },
);

verifies(
  "routes.vendor-bases",
  "a setting replaces the base URL of a vendor, and the origin of its webhooks",
  async () => {
    const config = { webhook_url: "https://hooks.slack.com/services/T0/B0/x?a=b" };
    const settings = { vendorBases: { SLACK_API_BASE: `${server.url}/proxy` }, reach: "public" } as const;
    const { path } = await requestOf("slack", { config, settings });
    expect(path).toBe("/proxy/services/T0/B0/x?a=b");
  },
);
