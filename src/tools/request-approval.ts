import { z } from "zod";
import { CONTENT, heading, timeoutMs } from "#domain/tasks/interaction.ts";
import { defineTool } from "./define-tool.ts";

/** Lets an agent ask for approval. */
export default defineTool({
  name: "request_approval",
  description: 'Asks the user to approve or reject something and waits for the answer: {"approved": true or false}.',
  input: z.strictObject({ ...heading, ...CONTENT.approval, timeoutMs }),
  execute: async ({ timeoutMs, ...input }) => ({
    kind: "prompt",
    prompt: { type: "approval", ...input },
    timeoutMs,
  }),
});
