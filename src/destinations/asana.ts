import { z } from "zod";
import { token, vendorIdOrUrl } from "./config/fields.ts";
import { asanaProject } from "./config/vendor-url.ts";
import { defineDestination } from "./define-destination.ts";
import { itemBody, itemTitle } from "./message/describe.ts";
import { BYTES, truncate } from "./message/truncate.ts";

/** Notes are limited to 65,535 bytes, including the lines above the result. */
const MAX_RESULT = 60_000;

/** Creates a task in a project (https://developers.asana.com/reference/createtask). */
export default defineDestination({
  type: "asana",
  title: "Asana",
  description: "Creates a task in a project.",
  guide: {
    setup:
      "Create a personal access token in the [developer console](https://app.asana.com/0/my-apps). The project's GID is the number in its URL.",
    example: {
      personal_access_token: "2/1200000000000001/1200000000000002:0123456789abcdef",
      project_gid: "1200000000000003",
    },
  },
  vendor: { setting: "ASANA_API_BASE", base: "https://app.asana.com" },
  config: z.strictObject({
    personal_access_token: token("Personal Access Token"),
    project_gid: vendorIdOrUrl("Project GID", {
      idOf: asanaProject,
      pattern: /^\d+$/,
      message: "must be the project's URL, or the number in it",
    }),
  }),
  async deliver(context, { personal_access_token: key, project_gid: project }, payload) {
    await context.callApi("/api/1.0/tasks", {
      headers: { authorization: `Bearer ${key}` },
      json: {
        data: {
          name: itemTitle(context.serviceName, payload),
          notes: itemBody(payload, truncate(payload.result_full, MAX_RESULT, BYTES)),
          projects: [project],
        },
      },
    });
  },
});
