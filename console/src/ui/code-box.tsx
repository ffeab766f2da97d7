import type { ComponentProps } from "react";

/** A text in the font of code that scrolls by itself, in the frame that `className` gives it. */
export function CodeBox({ className = "", ...rest }: ComponentProps<"pre">) {
  return (
    <pre
      dir="auto"
      tabIndex={0}
      {...rest}
      className={`max-h-[60vh] overflow-auto font-mono text-mono whitespace-pre-wrap ${className}`}
    />
  );
}
