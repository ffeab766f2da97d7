import { UnsafeUrl, checkUrl } from "#lib/safe-fetch/check-url.ts";
import type { Reach } from "#lib/safe-fetch/check-url.ts";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * What is wrong with a URL that deliveries are sent to, as far as its text shows; undefined for a valid one. It must be
 * https without credentials to a host that is not known to be private; plain http is allowed to this machine itself, if
 * the operator allows private URLs.
 */
export function outgoingUrlIssue(url: URL, { allowPrivate }: { readonly allowPrivate: boolean }): string | undefined {
  if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
  if (!allowPrivate && LOOPBACK.test(url.hostname)) return "must not lead to this machine itself";
  if (url.protocol === "https:") return hostIssue(url, allowPrivate ? "private" : "public");
  if (!allowPrivate) return "must begin with https://";
  if (url.protocol === "http:" && LOOPBACK.test(url.hostname)) return undefined;
  return "must begin with https://, or with http:// on this machine itself";
}

/** What a host's text shows; its name is resolved and checked at each delivery. */
function hostIssue(url: URL, reach: Reach): string | undefined {
  try {
    checkUrl(url, reach);
    return undefined;
  } catch (error) {
    if (error instanceof UnsafeUrl) return error.message;
    throw error;
  }
}
