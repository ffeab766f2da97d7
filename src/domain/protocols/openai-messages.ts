import { z } from "zod";
import type { Utterance } from "../run-job.ts";

const MAX_MESSAGES = 1_000;

const textPart = z.object({ type: z.enum(["text", "input_text", "output_text"]), text: z.string() });
const content = z.union([z.string(), z.array(textPart)], { error: "must be a string or an array of text parts" });

/** A message of a request in the form of Chat Completions or Responses, as far as agents take it: text. */
export const openAiMessage = z
  .object({
    role: z.enum(["system", "developer", "user", "assistant"]),
    content,
  })
  .transform(({ role, content: given }): Utterance => {
    const text = typeof given === "string" ? given : given.map((part) => part.text).join("\n");
    // The agent has a system prompt of its own: what a caller adds to it counts as said by the user.
    return { role: role === "assistant" ? "assistant" : "user", content: text };
  });

/** The messages of a request, the newest last: it has to be the user's. */
export const openAiMessages = z
  .array(openAiMessage)
  .min(1, { error: "must have at least one message" })
  .max(MAX_MESSAGES)
  .refine((messages) => messages.at(-1)?.role === "user", { error: "must end with a user message" });

const none = (what: string) =>
  z
    .array(z.unknown())
    .max(0, { error: `${what} are not supported: list them on the agent` })
    .nullish();

/** Fields of a request that would change what an agent does, and are therefore rejected rather than ignored. */
export const unsupportedTools = { tools: none("tools of the caller"), functions: none("functions of the caller") };
