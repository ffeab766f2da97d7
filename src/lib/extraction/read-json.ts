import { body } from "./block.ts";
import type { Block } from "./block.ts";
import { ExtractionError, issueOf } from "./limits.ts";
import { digitsOf, parseExactly } from "../text/exact-json.ts";
import { parseJson } from "../text/parse-json.ts";
import { decodeText } from "./read-text.ts";

/** Deeper levels are written as JSON. */
const DEEPEST = 12;

/** The values of a JSON document, each with its path; the items of a top-level list become paragraphs. */
export function readJson(content: Uint8Array): Block[] {
  const value = parse(decodeText(content));
  const members = Array.isArray(value) ? value : [value];
  return members.map((member) => body(linesOf(member, []).join("\n")));
}

function parse(text: string): unknown {
  try {
    // A byte order mark is not valid JSON, but some programs write one.
    return parseJson(text.replace(/^\uFEFF/, ""), parseExactly);
  } catch (cause) {
    throw new ExtractionError(`It is not JSON that can be read: ${issueOf(cause)}`, { cause });
  }
}

function linesOf(value: unknown, path: readonly string[]): string[] {
  const name = path.join(".");
  const digits = digitsOf(value);
  if (digits !== undefined) return linesOf(digits, path);
  if (typeof value !== "object" || value === null) return [name === "" ? String(value) : `${name}: ${String(value)}`];
  if (path.length >= DEEPEST) return [`${name}: ${JSON.stringify(value)}`];
  const isList = Array.isArray(value) && value.every((member) => typeof member !== "object" || digitsOf(member));
  if (isList)
    return [`${name === "" ? "" : `${name}: `}${value.map((member) => digitsOf(member) ?? member).join(", ")}`];
  return Object.entries(value).flatMap(([key, member]) => linesOf(member, [...path, key]));
}
