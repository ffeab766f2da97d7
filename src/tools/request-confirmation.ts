import { z } from "zod";
import { CONTENT, heading, timeoutMs } from "#domain/tasks/interaction.ts";
import { defineTool } from "./define-tool.ts";

/** Lets an agent have data checked and corrected. */
export default defineTool({
  name: "request_confirmation",
  description: 'Shows the user data to confirm and waits: {"approved": …, "data": …}, the data as the user left it.',
  input: z.strictObject({ ...heading, ...CONTENT.confirm_data, timeoutMs }),
  execute: async ({ timeoutMs, ...input }) => ({
    kind: "prompt",
    prompt: { type: "confirm_data", ...input },
    timeoutMs,
  }),
});
