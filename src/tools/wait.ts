import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";

const MAX_SECONDS = 60;

/** Lets an agent pause, for example before it checks again on something that takes a while. */
export default defineTool({
  name: "wait",
  description: `Waits for a number of seconds (at most ${MAX_SECONDS}) before you continue.`,
  input: z.strictObject({ seconds: z.number().min(0).max(MAX_SECONDS) }),
  async execute({ seconds }, { signal }) {
    await sleep(seconds * 1_000, undefined, { signal });
    return `Waited ${seconds} s.`;
  },
});
