import { z } from "zod";
import { nameList, token, vendorIdOrUrl } from "./config/fields.ts";
import { githubRepository } from "./config/vendor-url.ts";
import { defineDestination } from "./define-destination.ts";
import { itemBody, itemTitle } from "./message/describe.ts";
import { WITH_BREAKS, breakMarkdownMentions } from "./message/mentions.ts";
import { clip, truncate } from "./message/truncate.ts";

const API_VERSION = "2022-11-28";
/** A body is limited to 65,536 characters, including the lines above the result. */
const MAX_RESULT = 60_000;
const MAX_TITLE = 256;
/** Owners have letters, digits and hyphens; managed users also `_` before their company's short code. */
const REPOSITORY = /^[A-Za-z0-9_-]{1,39}\/(?!\.{1,2}$)[\w.-]{1,100}$/;

/** Opens an issue (https://docs.github.com/rest/issues/issues#create-an-issue). */
export default defineDestination({
  type: "github",
  title: "GitHub Issues",
  description: "Opens an issue in a repository.",
  guide: {
    setup:
      "Create a [fine-grained token](https://github.com/settings/personal-access-tokens) for the repository that may write issues.",
    example: {
      personal_access_token: "github_pat_0123456789",
      repository: "acme/reports",
      labels: "agent, report",
      assignees: "ada",
    },
  },
  vendor: { setting: "GITHUB_API_BASE", base: "https://api.github.com" },
  config: z.strictObject({
    personal_access_token: token("Personal Access Token"),
    repository: vendorIdOrUrl("Repository", {
      idOf: githubRepository,
      pattern: REPOSITORY,
      message: "must be owner/repo, or the repository's URL",
    }).meta({ title: "Repository", description: "owner/repo" }),
    labels: nameList("Labels", "Put on each issue."),
    assignees: nameList("Assignees", "User names."),
  }),
  async deliver(context, { personal_access_token: key, repository, labels, assignees }, payload) {
    await context.callApi(`/repos/${repository}/issues`, {
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${key}`,
        "x-github-api-version": API_VERSION,
      },
      json: {
        title: clip(itemTitle(context.serviceName, payload), MAX_TITLE),
        // A mention would notify people who have nothing to do with the repository.
        body: breakMarkdownMentions(itemBody(payload, truncate(payload.result_full, MAX_RESULT, WITH_BREAKS))),
        labels,
        assignees,
      },
    });
  },
});
