import { z } from "zod";
import { CONTENT, heading, timeoutMs } from "#domain/tasks/interaction.ts";
import { defineTool } from "./define-tool.ts";

/** Lets an agent offer a choice. */
export default defineTool({
  name: "request_choice",
  description: 'Asks the user to choose one of several options and waits for {"selectedOptionId": …}.',
  input: z.strictObject({ ...heading, ...CONTENT.choice, timeoutMs }),
  execute: async ({ timeoutMs, ...input }) => ({
    kind: "prompt",
    prompt: { type: "choice", ...input },
    timeoutMs,
  }),
});
