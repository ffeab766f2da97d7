import truncatedWidth from "fast-string-truncated-width";

const ELLIPSIS = { limit: Infinity, ellipsis: "…" } as const;

/** Returns the width of a text without escape sequences, in terminal columns; wide characters take two. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width;
}

/** Clips a text to a number of columns, with an ellipsis if it was longer. */
export function clip(text: string, columns: number): string {
  const { index, ellipsed, truncated } = truncatedWidth(text, { ...ELLIPSIS, limit: Math.max(1, columns) });
  return truncated ? text.slice(0, index) + (ellipsed ? ELLIPSIS.ellipsis : "") : text;
}
