import type { ReactNode } from "react";
import { WarningIcon } from "./icon.tsx";

/** A line over the page that says what keeps it from working, and what to do. */
export function WarningBand({ children }: { readonly children: ReactNode }) {
  return (
    <div role="status" className="border-b border-waiting/40 bg-waiting-soft px-page py-2 text-waiting">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <WarningIcon />
        {children}
      </div>
    </div>
  );
}
