const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * What is wrong with a URL that deliveries are sent to, as far as its text shows; undefined for a valid one. It must be
 * https without credentials; plain http is allowed to this machine itself, if the operator allows private URLs.
 */
export function outgoingUrlIssue(url: URL, { allowPrivate }: { readonly allowPrivate: boolean }): string | undefined {
  if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
  if (!allowPrivate && LOOPBACK.test(url.hostname)) return "must not lead to this machine itself";
  if (url.protocol === "https:") return undefined;
  if (!allowPrivate) return "must begin with https://";
  if (url.protocol === "http:" && LOOPBACK.test(url.hostname)) return undefined;
  return "must begin with https://, or with http:// on this machine itself";
}
