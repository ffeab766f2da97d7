import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { issuesOf, invalid } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { clientSection } from "#domain/tasks/client-context.ts";

const MAX_LENGTH = 100_000;
const MAX_ITEMS = 1_000;

/** Values are texts in AG-UI; some clients send JSON. */
const value = z.unknown().transform((given) => (typeof given === "string" ? given : JSON.stringify(given ?? null)));
const context = z
  .array(z.looseObject({ description: z.string(), value }))
  .max(MAX_ITEMS)
  .nullish();

const text = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().default("") }))
    .transform((parts) => parts.map((part) => part.text).join("")),
]);
const instruction = z.looseObject({ role: z.enum(["system", "developer"]), content: text });

/**
 * Reads what a client gives with a message: its `context`, and its own system and developer messages. Returns the
 * section of the prompt that holds them; undefined for nothing.
 * @throws AppError `bad_request`.
 */
export function readClientSection(messages: readonly unknown[], given: unknown): string | undefined {
  const items = context.safeParse(given, { error: plainMessage });
  if (!items.success) throw invalid("body", issuesOf(items.error, ["context"]));
  const instructions = messages.flatMap((message) => instruction.safeParse(message).data?.content ?? []);
  const section = clientSection(instructions, items.data ?? []);
  if (section === undefined || section.length <= MAX_LENGTH) return section;
  throw new AppError(
    "bad_request",
    `context and the system messages have ${section.length} characters together, more than ${MAX_LENGTH}.`,
  );
}
