import type { ReactNode } from "react";

/** The buttons of an answer: at the thumb on a phone, above its keyboard. */
export function AnswerActions({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:sticky max-sm:bottom-0 max-sm:-mx-4 max-sm:border-t max-sm:border-line max-sm:bg-canvas max-sm:px-4 max-sm:py-3 max-sm:[&>button]:h-11 max-sm:[&>button]:flex-1">
      {children}
    </div>
  );
}
