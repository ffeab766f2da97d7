import { z } from "zod";
import { heading, timeoutMs, wizardSteps } from "#domain/tasks/interaction.ts";
import { defineTool } from "./define-tool.ts";

/** Lets an agent ask a person several questions, some of which depend on earlier answers. */
export default defineTool({
  name: "request_wizard",
  description:
    "Leads the user through several questions and waits for all answers, by stepId. " +
    'A step with a condition is asked only if it holds. The user may cancel: {"cancelled": true}.',
  input: z.strictObject({
    ...heading,
    steps: wizardSteps,
    timeoutMs: timeoutMs.describe("How long to wait for each step's answer, in milliseconds."),
  }),
  execute: async ({ timeoutMs, ...input }) => ({ kind: "wizard", ...input, timeoutMs }),
});
