import { z } from "zod";
import { CONTENT, heading, timeoutMs } from "#domain/tasks/interaction.ts";
import { defineTool } from "./define-tool.ts";

/** Lets an agent ask for a text. */
export default defineTool({
  name: "request_input",
  description: 'Asks the user a question that is answered in words and waits for {"text": …}.',
  input: z.strictObject({ ...heading, ...CONTENT.text_input, timeoutMs }),
  execute: async ({ timeoutMs, ...input }) => ({
    kind: "prompt",
    prompt: { type: "text_input", ...input },
    timeoutMs,
  }),
});
