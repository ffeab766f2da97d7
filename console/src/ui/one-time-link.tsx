import type { ReactNode } from "react";
import { CopyButton } from "./copy.tsx";

/** A link that is shown this once, with what it is good for. */
export function OneTimeLink({ link, children }: { readonly link: string; readonly children: ReactNode }) {
  return (
    <>
      <div className="flex items-center gap-2 box bg-surface ps-3">
        <code className="min-w-0 flex-1 truncate font-mono text-mono select-all">{link}</code>
        <CopyButton text={link} label="Copy link" />
      </div>
      <p className="mt-3 text-small text-ink-2">{children}</p>
    </>
  );
}
