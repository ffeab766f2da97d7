import type { HttpContext } from "../context.ts";

/**
 * Sets a header of the answer, whatever answer it will be; one that the answer brings itself counts more. It goes to
 * Node's response: Hono's own way builds a `Headers` object for each request before there is an answer, and takes
 * it apart again, which is a twelfth of what a list costs.
 */
export function setHeader({ env }: HttpContext, name: string, value: string): void {
  env.outgoing.setHeader(name, value);
}
