import { parseJson } from "./parse-json.ts";

declare global {
  interface JSON {
    /** Text that JSON.stringify writes unchanged. */
    rawJSON(text: string): unknown;
  }
}

/** Beyond this depth, indentation would exceed the content. */
const MAX_DEPTH = 50;

/**
 * Indents JSON with two spaces per level. Numbers keep their digits, even those that JavaScript would round; JSON
 * nested deeper than {@link MAX_DEPTH} is returned unchanged.
 * @throws JsonSyntaxError
 */
export function formatJson(text: string): string {
  if (isDeep(parseJson(text), MAX_DEPTH)) return text;
  const exact: unknown = JSON.parse(text, withDigits);
  return JSON.stringify(exact, null, 2);
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeep(child, levels - 1));
}

/**
 * Node also passes the source text, which the compiler's library does not declare
 * (tc39/proposal-json-parse-with-source).
 */
function withDigits(_: string, value: unknown, ...[context]: readonly { readonly source?: string }[]): unknown {
  return typeof value === "number" && context?.source !== undefined ? JSON.rawJSON(context.source) : value;
}
