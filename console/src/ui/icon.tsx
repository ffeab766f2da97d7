import type { ReactNode } from "react";

/** An icon of 16 px beside a label with the same meaning; hidden from screen readers. */
export interface IconProps {
  readonly className?: string;
}

/** Any of the icons. */
export type Icon = (props: IconProps) => ReactNode;

/** Draws an icon from the data of its path. */
export function icon(paths: string): Icon {
  return function Icon({ className = "" }) {
    return (
      <svg
        aria-hidden="true"
        viewBox="0 0 16 16"
        className={`size-4 shrink-0 ${className}`}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d={paths} />
      </svg>
    );
  };
}

// Those of every page, also of one that has failed; icons.ts has the others.
export const RetryIcon = icon("M13 8a5 5 0 1 1-1.5-3.5M13 2.8v2.7h-2.7");
export const WarningIcon = icon("M8 2.5 14 13H2zM8 6.5v3M8 11.3v0");
export const CopyIcon = icon(
  "M6.7 5.5h5.1c.7 0 1.2.5 1.2 1.2v5.1c0 .7-.5 1.2-1.2 1.2H6.7c-.7 0-1.2-.5-1.2-1.2V6.7c0-.7.5-1.2 1.2-1.2M10.5 3H4.2C3.5 3 3 3.5 3 4.2v6.3",
);
export const CheckIcon = icon("m3 8.5 3.2 3.2L13 4.8");
