import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import { use, useEffect } from "react";
import type { ReactNode } from "react";
import { keepInLine } from "./keep-in-view.ts";
import { OpenTabContext } from "./open-tab.ts";

/** One tab: a link, since what is open is in the URL. */
export interface Tab {
  readonly key: string;
  readonly label: ReactNode;
  readonly count?: string | undefined;
  readonly link: LinkProps;
}

/** A tab whose URL lacks a parameter differs from the tab whose URL has it. */
const ACTIVE = { exact: true } as const;

/** The only second level of navigation there is. */
export function Tabs({
  label,
  tabs,
  current,
  isInset = false,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
  /** Something stands beside them; else they reach both sides of a phone's window, at which a long line is cut off. */
  readonly isInset?: boolean;
}) {
  const setOpen = use(OpenTabContext);
  const open = tabs.find(({ key }) => key === current)?.label;
  const name = typeof open === "string" ? open : undefined;
  useEffect(() => {
    setOpen?.(name);
    return () => setOpen?.(undefined);
  }, [setOpen, name]);
  return (
    <nav aria-label={label} className={`-mb-px ${isInset ? "" : "max-sm:-mx-page"}`}>
      <div className={`flex gap-4 overflow-x-auto ${isInset ? "" : "max-sm:px-page"}`} onFocus={keepInLine}>
        {tabs.map(({ key, label: words, count, link }) => (
          <Link
            key={key}
            {...link}
            ref={key === current ? scrollTo : undefined}
            activeOptions={ACTIVE}
            aria-current={key === current ? "page" : undefined}
            className="tab"
          >
            {words}
            {count !== undefined && <span className="text-small text-ink-3">{count}</span>}
          </Link>
        ))}
      </div>
    </nav>
  );
}

/** On a phone the line is wider than the window: the open tab is in its middle. The page itself does not scroll to it. */
function scrollTo(tab: HTMLElement | null): void {
  const line = tab?.parentElement;
  if (!tab || !line) return;
  const [own, all] = [tab.getBoundingClientRect(), line.getBoundingClientRect()];
  line.scrollLeft += own.left + own.width / 2 - (all.left + all.width / 2);
}
