import { nearest } from "#lib/text/nearest.ts";

/** Matches the start of the parser's message about a missing or invalid value of an option. */
const SUBJECT = /^(?:option '(--[\w-]+)(?: [^']*)?' argument|command-argument value) '/;
const IS_INVALID = "' is invalid";
const REASON = /^(?: for argument '([\w-]+)')?\. (.*)$/s;
/** The parser's suggestion is in parentheses, on its own line. */
const SUGGESTION = /^\((Did you mean .*)\)$/;
const CHOICES = /^Allowed choices are (.*?)\.?$/s;

/** Rewords the parser's message: the invalid value, and the allowed ones. */
export function usageMessage(message: string): string {
  const plain = message.replace(/^error: /, "");
  const [subject = "", option] = SUBJECT.exec(plain) ?? [];
  const end = plain.indexOf(IS_INVALID, subject.length);
  const value = plain.slice(subject.length, end);
  const [, argument, why = ""] = REASON.exec(plain.slice(end + IS_INVALID.length)) ?? [];
  const name = option ?? (argument === undefined ? undefined : `<${argument}>`);
  if (subject === "" || end < 0 || name === undefined) return sentence(plain);
  const [, allowed] = CHOICES.exec(why) ?? [];
  if (allowed === undefined) return `${name}: ${why}`;
  const near = nearest(value, allowed.split(", "));
  return `${name} must be one of ${allowed}, not "${value}".${near === undefined ? "" : ` Did you mean ${near}?`}`;
}

function sentence(text: string): string {
  const [first = "", ...more] = text.split("\n");
  const lines = [`${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, "")}.`, ...more];
  return lines.map((line) => line.replace(SUGGESTION, "$1")).join(" ");
}
