import { z } from "zod";
import type { Principal } from "#domain/access/principal.ts";
import { AppError } from "#domain/errors.ts";
import { bearerError } from "../middleware/set-header.ts";

/** The methods that start or change work. */
const WRITES: ReadonlySet<unknown> = new Set(["tools/call", "tasks/update", "tasks/cancel"]);

const message = z.looseObject({ method: z.unknown() });

/**
 * Checks that a connected app has the scope for its messages: without it, the response leads the app to ask its person
 * for more (https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization). The calls of keys fail as
 * tool results: nobody can allow a key more.
 * @param challenge leads to the authorization server
 * @throws AppError `forbidden` with `WWW-Authenticate`
 */
export function requireWriteOfApp({ isApp, scopes }: Principal, body: unknown, challenge: string): void {
  if (isApp !== true || scopes.includes("write")) return;
  const messages = Array.isArray(body) ? body : [body];
  if (!messages.some((each) => WRITES.has(message.safeParse(each).data?.method))) return;
  const text = "This app may only read: its person has to allow it to write.";
  throw new AppError("forbidden", text, {
    headers: { "WWW-Authenticate": `Bearer ${bearerError("insufficient_scope", text)}, ${challenge}` },
  });
}
