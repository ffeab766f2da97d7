import { createHash } from "node:crypto";

/** Fields that differ between any two runs without significance. */
const IGNORED: ReadonlySet<string> = new Set([
  "id",
  "toolCallId",
  "interactionId",
  "messageId",
  "answeredAt",
  "usage",
  "provider",
  "model",
  "billing",
]);
const LENGTH = 12;

/**
 * Returns a digest of a step's input and result: equal steps of two runs have the same one. Ids, times and token
 * counts are ignored.
 * @param result its recorded result, as JSON
 */
export function stepDigest(request: unknown, result: string): string {
  const parts: unknown = [request, JSON.parse(result)];
  const text = JSON.stringify(parts, (name, value: unknown) => (IGNORED.has(name) ? undefined : value));
  return createHash("sha256").update(text).digest("base64url").slice(0, LENGTH);
}
