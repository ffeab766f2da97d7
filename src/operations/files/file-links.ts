import { createHmac } from "node:crypto";
import { areEqual } from "#lib/security/equal-texts.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import type { FileLinks, FilePaths } from "../ports.ts";

/** The lifetime of a file's URL, in seconds. */
export const LINK_SECONDS = 86_400;
const PURPOSE = "file-links";

/** Creates links with a key derived from the instance's encryption key: every process accepts every other's. */
export function createFileLinks(secrets: SecretBox): FileLinks {
  const signWith = (key: Buffer, fileId: string, expires: string) =>
    createHmac("sha256", key).update(`${fileId.toLowerCase()}.${expires}`).digest("base64url");

  function pathsOf(fileId: string, now = new Date()): FilePaths {
    const expires = String(Math.floor(now.getTime() / 1_000) + LINK_SECONDS);
    const query = `?expires=${expires}&signature=${signWith(secrets.derive(PURPOSE), fileId, expires)}`;
    return { download: `/files/${fileId}${query}`, preview: `/files/${fileId}/preview${query}` };
  }

  return {
    pathOf: (fileId, now) => pathsOf(fileId, now).download,
    pathsOf,
    check({ fileId, expires, signature }, now = new Date()) {
      const isOurs = secrets.deriveAll(PURPOSE).some((key) => areEqual(signature, signWith(key, fileId, expires)));
      if (!isOurs) return "forged";
      return Number(expires) * 1_000 > now.getTime() ? "good" : "expired";
    },
  };
}
