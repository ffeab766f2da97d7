import { useEffect } from "react";
import type { ReactNode } from "react";
import { Logo } from "../../ui/logo.tsx";

/** The frame of pages without a workspace: one narrow column. */
export function AccountPage({
  title,
  intro,
  children,
  footer,
}: {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Muster`;
  }, [title]);
  return (
    <div className="flex min-h-dvh flex-col items-center px-page pt-[14vh] pb-12 max-sm:pt-12">
      <main className="w-full max-w-[22.5rem]">
        <Logo className="size-9" />
        <h1 className="mt-6 text-h1 font-semibold tracking-tight">{title}</h1>
        {intro !== undefined && <p className="mt-1 text-ink-2">{intro}</p>}
        <div className="mt-6">{children}</div>
        {footer !== undefined && <div className="mt-6 border-t border-line pt-4 text-ink-2">{footer}</div>}
      </main>
    </div>
  );
}
