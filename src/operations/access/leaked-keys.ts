import { z } from "zod";
import { hashKey } from "#domain/access/api-key.ts";
import { revokeLeakedKeys } from "#db/queries/access/keys.ts";
import { admitAttempt } from "../accounts/attempts.ts";
import type { Client } from "../accounts/client.ts";
import type { Services } from "../context.ts";

const key = z.string().regex(/^mst_[\w-]{16,200}$/, "must be a key of Muster: mst_ and at least 16 characters");

/** The body of POST /auth/keys/leaked. */
export const leakedKeys = z.strictObject({
  keys: z.array(key).min(1).max(100).describe("The keys that were found, of any workspace."),
});

/**
 * Revokes keys that were found where they do not belong, immediately and in every process. To know a key is enough to end
 * it. Nothing tells the caller which of them existed; the audit logs of their workspaces do.
 * @throws AppError `rate_limit_exceeded`.
 */
export async function revokeLeaked(
  { db, keys }: Services,
  input: z.output<typeof leakedKeys>,
  { address }: Client,
): Promise<void> {
  await admitAttempt(db, { leak: address });
  const hashes = [...new Set(input.keys)].map(hashKey);
  const revoked = await db.transaction((tx) => revokeLeakedKeys(tx, hashes));
  for (const hash of revoked) keys.evict(hash);
}
