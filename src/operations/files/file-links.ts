import { createHmac } from "node:crypto";
import { areEqual } from "#lib/security/equal-texts.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";

/** The lifetime of a file's URL, in seconds. */
export const LINK_SECONDS = 86_400;

/** The signed paths of a file, each with its query, relative to the service's origin. */
export interface FilePaths {
  readonly download: string;
  readonly preview: string;
}

/** Creates and verifies URLs that give access to a file without a key, for a day. */
export interface FileLinks {
  /** The download path of {@link FileLinks.pathsOf}. */
  pathOf(fileId: string, now?: Date): string;
  /** Both paths; one signature is valid for both. */
  pathsOf(fileId: string, now?: Date): FilePaths;
  /** Verifies a link. `expires` and `signature` are the raw query parameters. */
  check(link: { readonly fileId: string; readonly expires: string; readonly signature: string }, now?: Date): LinkState;
}

/** The result of {@link FileLinks.check}. */
export type LinkState = "good" | "expired" | "forged";

/** Creates links with a key derived from the instance's encryption key: every process accepts every other's. */
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
      if (!areEqual(signature, sign(fileId, expires))) return "forged";
      return Number(expires) * 1_000 > now.getTime() ? "good" : "expired";
    },
  };
}
