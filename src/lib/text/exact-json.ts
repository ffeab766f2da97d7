declare global {
  // Missing in TypeScript's library: https://github.com/tc39/proposal-json-parse-with-source
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
  }
}

const INTEGER = /^-?\d+$/;
/** As many digits as the smallest integer that a number cannot hold has. */
const LONG_INTEGER = /\d{16}/;

/**
 * Parses JSON so that `JSON.stringify` writes the same digits again: an integer that a number cannot hold becomes an
 * opaque object of `JSON.rawJSON`. For values that are passed on, not computed with.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  // A reviver makes parsing four times as expensive.
  return hasLongIntegers(text) ? JSON.parse(text, exactInteger) : JSON.parse(text);
}

/** True if a JSON text may hold integers that a number cannot hold. */
export function hasLongIntegers(text: string): boolean {
  return LONG_INTEGER.test(text);
}

/** The digits of an integer that {@link parseExactly} has kept as they are; undefined for any other value. */
export function digitsOf(value: unknown): string | undefined {
  return JSON.isRawJSON(value) ? value.rawJSON : undefined;
}

/** A reviver. TypeScript's library does not know its third argument, which is therefore optional. */
function exactInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  const isExact = typeof value !== "number" || Number.isSafeInteger(value);
  return isExact || source === undefined || !INTEGER.test(source) ? value : JSON.rawJSON(source);
}
