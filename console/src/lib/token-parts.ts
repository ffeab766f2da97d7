import { count } from "./format.ts";

/** The tokens of model calls; an absent part is 0. */
export interface TokenParts {
  readonly sent: number;
  /** Of those sent. */
  readonly cached?: number | undefined;
  /** Of those sent. */
  readonly written?: number | undefined;
  readonly received: number;
  /** Of those received. */
  readonly reasoning?: number | undefined;
}

/** `1,234 in (900 from the cache, 100 written to it), 56 out (20 reasoning)`; zeros are omitted. */
export function tokenParts({ sent, cached = 0, written = 0, received, reasoning = 0 }: TokenParts): string {
  const ofSent = inBrackets([
    [cached, "from the cache"],
    [written, "written to it"],
  ]);
  return `${count(sent)} in${ofSent}, ${count(received)} out${inBrackets([[reasoning, "reasoning"]])}`;
}

function inBrackets(parts: readonly (readonly [tokens: number, what: string])[]): string {
  const shown = parts.filter(([tokens]) => tokens > 0).map(([tokens, what]) => `${count(tokens)} ${what}`);
  return shown.length === 0 ? "" : ` (${shown.join(", ")})`;
}
