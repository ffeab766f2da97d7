import type { HttpContext } from "../context.ts";

/**
 * Sets a header of the response; the handler's own value takes precedence. It uses Node's response: Hono would build a
 * `Headers` object for each request and copy it, a twelfth of the cost of a list request.
 */
export function setHeader({ env }: HttpContext, name: string, value: string): void {
  env.outgoing.setHeader(name, value);
}
