import { plainMessage } from "#domain/plain-messages.ts";
import { z } from "zod";
import { clientFunctions, functionFields, toToolSpec } from "#domain/tools/client-tool-input.ts";
import { NO_CLIENT_TOOLS } from "#domain/tools/client-tools.ts";
import type { ClientResults, ClientTools } from "#domain/tools/client-tools.ts";
import { isRecord } from "#lib/is-record.ts";
import { issuesOf, invalid } from "#domain/invalid.ts";

/** The same limit as for an answer to a question. */
const MAX_RESULT = 100_000;

const tools = clientFunctions(z.looseObject(functionFields).transform(toToolSpec)).nullish();
const toolMessage = z.looseObject({
  role: z.literal("tool"),
  toolCallId: z.string(),
  content: z.string().max(MAX_RESULT, `must have at most ${MAX_RESULT} characters`),
});

/** Reads the frontend tools of a client (https://docs.ag-ui.com/concepts/tools). @throws AppError `bad_request`. */
export function readClientTools(given: unknown): ClientTools {
  const parsed = tools.safeParse(given, { error: plainMessage });
  if (!parsed.success) throw invalid("body", issuesOf(parsed.error, ["tools"]));
  return { ...NO_CLIENT_TOOLS, tools: parsed.data ?? [] };
}

/**
 * Reads the tool results after the user's last message, if the newest message is one; they may include results of the
 * agent's own tools.
 * @throws AppError `bad_request` for an invalid tool message.
 */
export function readToolResults(messages: readonly unknown[]): ClientResults {
  const roles = messages.map((message) => (isRecord(message) ? message["role"] : undefined));
  if (roles.at(-1) !== "tool") return new Map();
  const start = roles.lastIndexOf("user") + 1;
  return new Map(
    messages.slice(start).flatMap((message, index) => {
      if (roles[start + index] !== "tool") return [];
      const parsed = toolMessage.safeParse(message, { error: plainMessage });
      if (!parsed.success) throw invalid("body", issuesOf(parsed.error, ["messages", start + index]));
      return [[parsed.data.toolCallId, parsed.data.content] as const];
    }),
  );
}
