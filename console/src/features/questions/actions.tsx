import type { ReactNode } from "react";

/** The buttons of an answer: at the thumb on a phone, above its keyboard. */
export function AnswerActions({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2 max-sm:thumb-bar">{children}</div>;
}
