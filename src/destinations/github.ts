import { z } from "zod";
import { nameList, token } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import { itemBody, itemTitle } from "./message/describe.ts";
import { clip, truncate } from "./message/truncate.ts";

const API_VERSION = "2022-11-28";
/** A body is limited to 65,536 characters, including the lines above the result. */
const MAX_RESULT = 60_000;
const MAX_TITLE = 256;
const REPOSITORY = /^[A-Za-z0-9-]{1,39}\/(?!\.{1,2}$)[\w.-]{1,100}$/;

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
    repository: z
      .string()
      .trim()
      .regex(REPOSITORY, "must be owner/repo")
      .meta({ title: "Repository", description: "owner/repo" }),
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
        body: itemBody(payload, truncate(payload.result_full, MAX_RESULT)),
        labels,
        assignees,
      },
    });
  },
});
