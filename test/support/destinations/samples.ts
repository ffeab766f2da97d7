import type { z } from "zod";
import type { SeenRequest } from "../fake-server.ts";
import * as vendor from "./vendor-requests.ts";

/** What the suite of all destinations needs to know of one. */
export interface Sample {
  /** A valid configuration, with all optional fields; `url` is the fake vendor's. */
  config(url: string): Readonly<Record<string, unknown>>;
  /** What the vendor documents of the request that carries the result; it throws on any other. */
  readonly request: z.ZodType;
  /** The text of the result in that request. */
  resultOf(request: SeenRequest): string;
  /** The number of emoji that are sent before the note of the full length; absent when all are sent. */
  readonly limit?: number;
  /** What the vendor replies to a request, where success needs more than a status. */
  reply?(request: SeenRequest): unknown;
}

const json = <Schema extends z.ZodType>(schema: Schema, request: SeenRequest): z.output<Schema> =>
  schema.parse(JSON.parse(request.body));
const TO = "ada@example.com, Bob.B@example.org";
const team = {
  id: "team-1",
  labels: {
    nodes: [
      { id: "label-1", name: "Agent" },
      { id: "label-2", name: "Other" },
    ],
  },
};

/** A sample of each destination that speaks HTTP, by its type. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  http: {
    config: (url) => ({ url: `${url}/results`, secret: "signing-secret-1" }),
    request: vendor.httpRequest,
    resultOf: (request) => json(vendor.httpRequest, request).result_full,
  },
  slack: {
    config: (url) => ({ webhook_url: `${url}/services/T000/B000/secret-path-1` }),
    request: vendor.slackRequest,
    resultOf: (request) => json(vendor.slackRequest, request).attachments[0]?.blocks.at(-1)?.text.text ?? "",
    limit: 2_900,
  },
  discord: {
    config: (url) => ({ webhook_url: `${url}/api/webhooks/1/secret-path-2` }),
    request: vendor.discordRequest,
    resultOf: (request) =>
      json(vendor.discordRequest, request).embeds[0]?.fields.find(({ name }) => name === "Result")?.value ?? "",
    limit: 1_000,
  },
  telegram: {
    config: () => ({ bot_token: "123456:secret-bot-token", chat_id: "@results" }),
    request: vendor.telegramRequest,
    resultOf: (request) => json(vendor.telegramRequest, request).text.split("\n\n").at(-1) ?? "",
    limit: 1_750,
  },
  teams: {
    config: (url) => ({ webhook_url: `${url}/webhookb2/secret-path-3` }),
    request: vendor.teamsRequest,
    resultOf: (request) => vendor.lastText(json(vendor.teamsRequest, request)),
    limit: 2_000,
  },
  asana: {
    config: () => ({ personal_access_token: "asana-secret-token", project_gid: "1200" }),
    request: vendor.asanaRequest,
    resultOf: (request) => afterFacts(json(vendor.asanaRequest, request).data.notes),
    limit: 15_000,
  },
  trello: {
    config: () => ({
      api_key: "trello-secret-key",
      token: "trello-secret-token",
      board_id: "board1",
      default_list_id: "list1",
      review_list_id: "list2",
    }),
    request: vendor.trelloCard,
    resultOf: (request) => afterFacts(json(vendor.trelloCard, request).desc),
    limit: 7_500,
  },
  notion: {
    config: () => ({ integration_token: "notion-secret-token", database_id: "database1" }),
    request: vendor.notionRequest,
    resultOf: (request) => afterFacts(vendor.notionText(json(vendor.notionRequest, request))),
    limit: 90_000,
    reply: () => ({ object: "database", data_sources: [{ id: "source1", name: "Reports" }, { id: "source2" }] }),
  },
  github: {
    config: () => ({
      personal_access_token: "github-secret-token",
      repository: "acme/results",
      labels: "agent, report",
      assignees: "ada",
    }),
    request: vendor.githubRequest,
    resultOf: (request) => afterFacts(json(vendor.githubRequest, request).body),
    limit: 60_000,
  },
  email: {
    config: () => ({
      api_key: "resend-secret-key",
      from_email: "Muster <muster@example.com>",
      to_emails: TO,
      subject_template: "{{agent}}: {{title}} is {{status}}",
    }),
    request: vendor.resendRequest,
    resultOf: (request) => afterFacts(json(vendor.resendRequest, request).text),
  },
  linear: {
    config: () => ({ api_key: "linear-secret-key", team_key: "ENG", labels: "agent, unknown" }),
    request: vendor.linearRequest,
    resultOf: (request) => afterFacts(json(vendor.linearRequest, request).variables.input.description),
    limit: 30_000,
    reply: ({ body }) =>
      body.includes("issueCreate")
        ? { data: { issueCreate: { success: true } } }
        : { data: { teams: { nodes: [team] } } },
  },
  google_sheets: {
    config: () => ({ spreadsheet_id: "sheet-1", sheet_name: "Bob's runs" }),
    request: vendor.sheetsRequest,
    resultOf: (request) => json(vendor.sheetsRequest, request).values[0]?.[5] ?? "",
    limit: 24_950,
  },
  google_gmail: {
    config: () => ({ to_emails: TO, subject_template: "{{title}}" }),
    request: vendor.gmailRequest,
    resultOf: (request) => vendor.resultOfMail(json(vendor.gmailRequest, request).raw),
  },
  google_docs: {
    config: () => ({ drive_folder_id: "folder1" }),
    request: vendor.docsUpload,
    resultOf: (request) => vendor.partsOf(request)[1] ?? "",
  },
  google_calendar: {
    config: () => ({ calendar_id: "team@group.calendar.google.com", duration_minutes: 45 }),
    request: vendor.calendarRequest,
    resultOf: (request) => afterFacts(json(vendor.calendarRequest, request).description),
    limit: 3_500,
  },
};

/** What follows the facts above a result. */
function afterFacts(text: string): string {
  return text.split("\n\n").slice(1).join("\n\n");
}
