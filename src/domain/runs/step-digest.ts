import { createHash } from "node:crypto";

/** What differs between any two runs and says nothing of what they did. */
const IGNORED: ReadonlySet<string> = new Set(["id", "toolCallId", "interactionId", "usage", "provider", "model"]);
const LENGTH = 12;

/**
 * A digest of what a step was given and what came of it: steps of two runs that did the same have the same one. Ids and
 * counts of tokens play no part.
 * @param result what is recorded as its result, as JSON
 */
export function stepDigest(request: unknown, result: string): string {
  const parts: unknown = [request, JSON.parse(result)];
  const text = JSON.stringify(parts, (name, value: unknown) => (IGNORED.has(name) ? undefined : value));
  return createHash("sha256").update(text).digest("base64url").slice(0, LENGTH);
}
