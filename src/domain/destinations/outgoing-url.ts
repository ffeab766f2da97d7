import { UnsafeUrlError, checkUrl } from "#lib/safe-fetch/check-url.ts";
import type { Reach } from "#lib/safe-fetch/check-url.ts";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Returns the issue of a delivery URL, as far as its text shows; undefined for a valid one. It is a sentence that ends
 * with a full stop, or the rest of one that begins with the field's name. It must be https without
 * credentials, to a host that is not known to be private. Plain http is allowed to this machine, if the operator allows
 * private URLs.
 */
export function outgoingUrlIssue(url: URL, { allowPrivate }: { readonly allowPrivate: boolean }): string | undefined {
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  if (!allowPrivate && LOOPBACK.test(url.hostname))
    return "must not address this machine, unless its operator sets ALLOW_PRIVATE_URLS";
  if (url.protocol === "https:") return hostIssue(url, allowPrivate ? "private" : "public");
  if (!allowPrivate) return "must start with https://";
  if (url.protocol === "http:" && LOOPBACK.test(url.hostname)) return hostIssue(url, "private");
  return "must start with https://, or with http:// for this machine";
}

/** Checks host and port by their text; each delivery resolves and checks it again. */
function hostIssue(url: URL, reach: Reach): string | undefined {
  try {
    checkUrl(url, reach);
    return undefined;
  } catch (error) {
    if (error instanceof UnsafeUrlError) return error.message;
    throw error;
  }
}
