import type { ReactNode } from "react";

/** An option with its radio button, in a frame that is marked while it is chosen. */
export function ChoiceCard({
  className = "",
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <label
      className={`${CHOSEN} flex gap-3 rounded-panel border border-line px-3 py-2.5 transition-colors ${className}`}
    >
      {children}
    </label>
  );
}

const CHOSEN = "has-checked:border-accent has-checked:bg-accent-soft";
