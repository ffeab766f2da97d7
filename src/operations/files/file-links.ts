import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretBox } from "#lib/security/secret-box.ts";

/** How long an address of a file is good, in seconds. */
export const LINK_SECONDS = 86_400;

/** The paths of a file's signed addresses, each with its query, to be put after the service's origin. */
export interface FilePaths {
  readonly download: string;
  readonly preview: string;
}

/** Makes and checks addresses under which a file can be fetched without a key, for a day. */
export interface FileLinks {
  /** The download path of {@link FileLinks.pathsOf}. */
  pathOf(fileId: string, now?: Date): string;
  /** Both paths; one signature is valid for both. */
  pathsOf(fileId: string, now?: Date): FilePaths;
  /** What an address is worth: the file, nothing any more, or nothing at all. `expires` and `signature` are as they came. */
  check(link: { readonly fileId: string; readonly expires: string; readonly signature: string }, now?: Date): LinkState;
}

/** What {@link FileLinks.check} finds. */
export type LinkState = "good" | "expired" | "forged";

/** Makes addresses with a key that comes from the instance's encryption key: every process takes every other's. */
export function createFileLinks(secrets: SecretBox): FileLinks {
  const key = secrets.derive("file-links");
  const sign = (fileId: string, expires: string) =>
    createHmac("sha256", key).update(`${fileId.toLowerCase()}.${expires}`).digest("base64url");

  function pathsOf(fileId: string, now = new Date()): FilePaths {
    const expires = String(Math.floor(now.getTime() / 1_000) + LINK_SECONDS);
    const query = `?expires=${expires}&signature=${sign(fileId, expires)}`;
    return { download: `/files/${fileId}${query}`, preview: `/files/${fileId}/preview${query}` };
  }

  return {
    pathOf: (fileId, now) => pathsOf(fileId, now).download,
    pathsOf,
    check({ fileId, expires, signature }, now = new Date()) {
      if (!isSame(signature, sign(fileId, expires))) return "forged";
      return Number(expires) * 1_000 > now.getTime() ? "good" : "expired";
    },
  };
}

/** Compares in a time that does not tell where the first difference is. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
