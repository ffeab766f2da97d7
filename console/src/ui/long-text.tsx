import { Suspense, lazy } from "react";
import type { ReactNode } from "react";
import { loadPart } from "../lib/load-part.ts";

/** A longer text, in characters, takes long to lay out and is not read to its end. */
const MAX_SHOWN = 100_000;
const VeryLongText = lazy(() =>
  loadPart(async () => ({ default: (await import("./very-long-text.tsx")).VeryLongText })),
);

/**
 * Shows a text, or the beginning of a very long one with ways to the rest.
 * @param children draws a text, or its beginning
 */
export function LongText({
  text,
  children,
}: {
  readonly text: string;
  readonly children: (shown: string) => ReactNode;
}) {
  if (text.length <= MAX_SHOWN) return children(text);
  return (
    <Suspense>
      <VeryLongText text={text} length={MAX_SHOWN}>
        {children}
      </VeryLongText>
    </Suspense>
  );
}
