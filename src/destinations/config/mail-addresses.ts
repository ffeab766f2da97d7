import { domainToASCII } from "node:url";
import { z } from "zod";

const MAX_RECIPIENTS = 50;
const MAX_TEXT = 20_000;
/** Parts between separators; those in quotes or angle brackets separate nothing. */
const PART = /(?:"[^"]*"|<[^<>]*>|[^,;\n])+/g;
/** `Name <address>`, or only the address. */
const NAMED = /^([^<>\r\n]{0,200})<([^<>]*)>$/;

/** An address, whose domain may be international: it becomes the form that mail servers use. */
const address = z
  .string()
  .trim()
  .transform(withAsciiDomain)
  .pipe(z.email("must be an e-mail address, such as ada@example.com").max(254));

/** E-mail addresses with or without names, 1 to 50, separated by commas, semicolons or lines. */
export function recipients(title: string) {
  return z
    .string()
    .max(MAX_TEXT)
    .transform((text) => partsOf(text).map((part) => NAMED.exec(part)?.[2] ?? part))
    .pipe(z.array(address).min(1, "must hold at least one e-mail address").max(MAX_RECIPIENTS))
    .meta({ title, description: "Separated by commas or semicolons, with or without names." });
}

/** The sender of mails: an address, or `Name <address>`. */
export function sender(title: string) {
  return z
    .string()
    .trim()
    .transform((text, context) => {
      const [, name = "", named = text] = NAMED.exec(text) ?? [];
      const parsed = address.safeParse(named);
      if (parsed.success) return name.trim() === "" ? parsed.data : `${name.trim()} <${parsed.data}>`;
      context.addIssue("must be an e-mail address, or a name and an address: Muster <muster@example.com>");
      return z.NEVER;
    })
    .meta({ title });
}

function partsOf(text: string): readonly string[] {
  const parts = text.match(PART) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The domain in Punycode (RFC 5891); unchanged if it is none. */
function withAsciiDomain(given: string): string {
  const at = given.lastIndexOf("@");
  const ascii = at === -1 ? "" : domainToASCII(given.slice(at + 1));
  return ascii === "" ? given : given.slice(0, at + 1) + ascii;
}
