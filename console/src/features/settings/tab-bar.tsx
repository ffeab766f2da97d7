import type { ReactNode } from "react";

/** What a tab of the settings is about, and its one button, if there is one. */
export function TabBar({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-page py-3 max-sm:border-b max-sm:border-line">
      <p className="text-ink-2">{text}</p>
      {children}
    </div>
  );
}
