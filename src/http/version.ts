import packageFile from "../../package.json" with { type: "json" };
import type { HttpContext } from "./context.ts";

/** Responds with the name and the version of the service; needs no key. */
export function version(c: HttpContext): Response {
  return c.json({ name: "muster", version: packageFile.version });
}
