import { z } from "zod";
import { token, vendorId } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import { itemBody, itemTitle } from "./message/describe.ts";
import { truncate } from "./message/truncate.ts";

/** Notes are limited to 65,535 characters, including the lines above the result. */
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
    project_gid: vendorId("Project GID", { pattern: /^\d+$/, message: "must be the number in the project's URL" }),
  }),
  async deliver(context, { personal_access_token: key, project_gid: project }, payload) {
    await context.callApi("/api/1.0/tasks", {
      headers: { authorization: `Bearer ${key}` },
      json: {
        data: {
          name: itemTitle(context.serviceName, payload),
          notes: itemBody(payload, truncate(payload.result_full, MAX_RESULT)),
          projects: [project],
        },
      },
    });
  },
});
