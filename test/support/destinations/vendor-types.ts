/// <reference types="@maxim_mazurok/gapi.client.calendar-v3" />
/// <reference types="@maxim_mazurok/gapi.client.drive-v3" />
/// <reference types="@maxim_mazurok/gapi.client.gmail-v1" />
/// <reference types="@maxim_mazurok/gapi.client.sheets-v4" />
import type { ApiMethods } from "@grammyjs/types";
import type { LinearDocument } from "@linear/sdk";
import type { CreatePageParameters } from "@notionhq/client";
import type { paths } from "@octokit/openapi-types";
import type { IncomingWebhookSendArguments } from "@slack/webhook";
import type { CreateEmailOptions } from "resend";

/**
 * The bodies that vendors take, by the types that they publish, or that are generated from the description of their
 * API: GitHub's OpenAPI, Google's discovery documents, Linear's GraphQL schema, Telegram's reference.
 */
export interface VendorRequests {
  readonly slack: IncomingWebhookSendArguments;
  readonly telegram: Parameters<ApiMethods<never>["sendMessage"]>[0];
  readonly notion: CreatePageParameters;
  readonly github: paths["/repos/{owner}/{repo}/issues"]["post"]["requestBody"]["content"]["application/json"];
  readonly email: CreateEmailOptions;
  readonly linear: { readonly query: string; readonly variables: LinearDocument.MutationIssueCreateArgs };
  readonly google_sheets: gapi.client.sheets.ValueRange;
  readonly google_gmail: gapi.client.gmail.Message;
  readonly google_docs: gapi.client.drive.File;
  readonly google_calendar: gapi.client.calendar.Event;
}
