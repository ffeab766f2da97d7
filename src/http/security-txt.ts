import type { HttpContext, HttpServices } from "./context.ts";
import { originOf } from "./middleware/origin.ts";

/** The contact counts as current for this long: the operator changes the setting, not the text. */
const VALID_MS = 180 * 86_400_000;

/** Responds with whom to tell of a vulnerability: https://www.rfc-editor.org/rfc/rfc9116. */
export function securityTxt(services: Pick<HttpServices, "publicUrl">, contact: string): (c: HttpContext) => Response {
  return (c) => {
    const expires = new Date(Date.now() + VALID_MS).toISOString();
    const canonical = `${originOf(c, services)}/.well-known/security.txt`;
    return c.text(`Contact: ${contact}\nExpires: ${expires}\nCanonical: ${canonical}\n`);
  };
}
