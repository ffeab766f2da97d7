import { z } from "zod";
import { CONTENT, heading, timeoutMs } from "#domain/tasks/interaction.ts";
import { defineTool } from "./define-tool.ts";

/** Lets an agent ask for a form to be filled in. */
export default defineTool({
  name: "request_form",
  description: 'Asks the user to fill in a form and waits for {"values": …}, by the keys of its fields.',
  input: z.strictObject({ ...heading, ...CONTENT.form, timeoutMs }),
  execute: async ({ timeoutMs, ...input }) => ({
    kind: "prompt",
    prompt: { type: "form", ...input },
    timeoutMs,
  }),
});
