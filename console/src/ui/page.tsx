import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { visibleText } from "../lib/visible-text.ts";
import { OpenTabContext } from "./open-tab.ts";

/** The frame of a screen: the way back, the title, the actions, and tabs below. */
export function Page({
  title,
  above,
  beside,
  actions,
  below,
  fills = false,
  children,
}: {
  readonly title: string;
  /** The way back. */
  readonly above?: ReactNode;
  /** Next to the title, such as a state. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly below?: ReactNode;
  /** The page is as high as the window: its parts scroll, not the page. */
  readonly fills?: boolean;
  readonly children: ReactNode;
}) {
  const [tab, setTab] = useState<string>();
  useEffect(() => {
    document.title = [...(tab === undefined ? [] : [tab]), title, "Muster"].join(" · ");
  }, [tab, title]);
  return (
    <div className={`flex flex-col print:block print:h-auto ${fills ? "h-full" : "min-h-full"}`}>
      <header className="sticky top-0 z-20 border-b border-line bg-canvas px-page pt-3 short:static print:static">
        {above !== undefined && <div className="text-small text-ink-3">{above}</div>}
        <div
          className={`box-content flex min-h-8 items-center gap-x-3 gap-y-2 max-sm:flex-wrap touch:min-h-11 ${below === undefined ? "pb-3" : "pb-1"}`}
        >
          <h1
            dir="auto"
            title={title}
            className="min-w-0 text-h1 max-lg:line-clamp-2 lg:truncate font-semibold tracking-tight"
          >
            {visibleText(title)}
          </h1>
          {beside}
          <div className="ms-auto flex items-center justify-end gap-1.5 max-sm:flex-wrap sm:shrink-0 sm:gap-2 print:hidden">
            {actions}
          </div>
        </div>
        <OpenTabContext value={setTab}>{below}</OpenTabContext>
      </header>
      <div className="flex min-h-0 flex-1 flex-col print:block">{children}</div>
    </div>
  );
}
