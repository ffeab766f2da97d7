import type { ReactNode } from "react";
import { Logo } from "../../ui/logo.tsx";

/** The frame of a page with one question and nothing else, made for a phone. */
export function StandalonePage({
  workspace,
  aside,
  children,
}: {
  readonly workspace: string;
  /** At the other end of the line with the workspace. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-[35rem] flex-col px-page py-6 max-sm:pb-0">
      <header className="flex items-center gap-2.5 text-ink-2">
        <Logo className="size-7" />
        <span dir="auto" className="font-medium">
          {workspace}
        </span>
        {aside !== undefined && <span className="ms-auto flex">{aside}</span>}
      </header>
      <main className="flex flex-1 flex-col pt-8">{children}</main>
    </div>
  );
}
