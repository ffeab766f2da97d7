import { nearest } from "#lib/text/nearest.ts";

/** What the parser says of a value that is none of those allowed, or of an option without a value. */
const REJECTED =
  /^(?:option '(--[\w-]+)[^']*' argument|command-argument value) '(.*?)' is invalid(?: for argument '([\w-]+)')?\. (.*)$/s;
const CHOICES = /^Allowed choices are (.*?)\.?$/s;

/** The parser's message in our words: which value is wrong, and which are right. */
export function usageMessage(message: string): string {
  const plain = message.replace(/^error: /, "");
  const [, option, value = "", argument, why = ""] = REJECTED.exec(plain) ?? [];
  const name = option ?? (argument === undefined ? undefined : `<${argument}>`);
  if (name === undefined) return sentence(plain);
  const [, allowed] = CHOICES.exec(why) ?? [];
  if (allowed === undefined) return `${name}: ${why}`;
  const near = nearest(value, allowed.split(", "));
  return `${name} must be one of ${allowed}, not "${value}".${near === undefined ? "" : ` Did you mean ${near}?`}`;
}

function sentence(text: string): string {
  const [first = "", ...more] = text.split("\n");
  return [`${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, "")}.`, ...more].join("\n");
}
