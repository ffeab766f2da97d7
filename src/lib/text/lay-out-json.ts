declare global {
  interface JSON {
    /** Text that JSON.stringify writes as it is. */
    rawJSON(text: string): unknown;
  }
}

/** Deeper JSON would be more spaces than text. */
const MAX_DEPTH = 50;

/**
 * Lays JSON out over lines, two spaces for each level. Numbers keep their digits, also those that JavaScript would
 * round; JSON that is nested deeper than {@link MAX_DEPTH} stays as it is.
 * @throws SyntaxError when it is no JSON.
 */
export function layOutJson(text: string): string {
  if (isDeep(JSON.parse(text), MAX_DEPTH)) return text;
  const exact: unknown = JSON.parse(text, withDigits);
  return JSON.stringify(exact, null, 2);
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeep(child, levels - 1));
}

/** Node passes the text of a value too, of which the compiler's library does not know (tc39/proposal-json-parse-with-source). */
function withDigits(_: string, value: unknown, ...[context]: readonly { readonly source?: string }[]): unknown {
  return typeof value === "number" && context?.source !== undefined ? JSON.rawJSON(context.source) : value;
}
