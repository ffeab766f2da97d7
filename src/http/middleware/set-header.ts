import type { HttpContext } from "../context.ts";

const NOT_IN_HEADERS = /[^\x20-\x7e]/gu;

/**
 * Sets a header of the response; the handler's own value takes precedence. It uses Node's response: Hono would build a
 * `Headers` object for each request and copy it, a twelfth of the cost of a list request.
 */
export function setHeader({ env }: HttpContext, name: string, value: string): void {
  env.outgoing.setHeader(name, value);
}

/** Returns parameters of `WWW-Authenticate: Bearer`: what is wrong with a token (RFC 6750, 3). */
export function bearerError(error: "invalid_token" | "insufficient_scope", description: string): string {
  const text = asHeaderText(description).replaceAll(/["\\]/g, "'");
  return `error="${error}", error_description="${text}"`;
}

/** Returns a text for a header, which holds ASCII only: other characters are `?`. */
export function asHeaderText(text: string): string {
  return text.replace(NOT_IN_HEADERS, "?");
}
