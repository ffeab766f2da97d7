import { z } from "zod";
import { customToolContext } from "#domain/custom-tool.ts";
import { SECRET_MASK, maskSecret } from "#domain/masked-secret.ts";
import type { CustomToolRow } from "#db/queries/custom-tools.ts";
import type { SecretBox } from "#lib/secret-box.ts";

/** The headers of a tool's calls by their names. */
export type Headers = Readonly<Record<string, string>>;

/** Shorter values would mask ordinary text. */
const MIN_LENGTH_MASKED = 12;
/** What stands before the secret itself, as in `Bearer …`. */
const SCHEME = /^[A-Za-z]+ +/;
const stored = z.record(z.string(), z.string());

/** Where sealed headers belong. */
export interface HeaderOwner {
  readonly workspaceId: string;
  readonly id: string;
}

/** Headers as they are stored: sealed, and what may be seen of them. */
export function sealHeaders(
  secrets: SecretBox,
  { workspaceId, id }: HeaderOwner,
  headers: Headers,
): Pick<CustomToolRow, "headers_ciphertext" | "headers_shown"> {
  const entries = Object.entries(headers);
  return {
    headers_ciphertext:
      entries.length === 0 ? null : secrets.seal(JSON.stringify(headers), customToolContext(workspaceId, id)),
    headers_shown: Object.fromEntries(entries.map(([name, value]) => [name, maskSecret(value)])),
  };
}

/** The headers that a row holds sealed. */
export function openHeaders(
  secrets: SecretBox,
  owner: HeaderOwner,
  { headers_ciphertext: sealed }: CustomToolRow,
): Headers {
  if (sealed === null) return {};
  return stored.parse(JSON.parse(secrets.open(sealed, customToolContext(owner.workspaceId, owner.id))));
}

/** New headers in place of old ones; a value that is given as it was shown stays what it was. */
export function mergeHeaders(given: Headers, old: Headers): Headers {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const before = old[name];
      return [name, before !== undefined && value === maskSecret(before) ? before : value];
    }),
  );
}

/** A text in which no header's value can be read. */
export function withoutSecrets(text: string, headers: Headers): string {
  return Object.values(headers)
    .flatMap((value) => [value, value.replace(SCHEME, "")])
    .filter((value) => value.length >= MIN_LENGTH_MASKED)
    .reduce((clean, value) => clean.replaceAll(value, SECRET_MASK), text);
}
