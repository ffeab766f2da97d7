import { useState } from "react";
import type { ReactNode } from "react";

/** What is read by those who want to know more. Its content is drawn, and so fetched, once it is opened. */
export function Folded({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="box" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="px-3 py-2 font-medium touch:py-3">{title}</summary>
      <div className="border-t border-line px-3 py-2">{isOpen && children}</div>
    </details>
  );
}
