import { useState } from "react";
import type { RunRow } from "../records/run-row.ts";

/** Rows without those that came after the list was opened, and how many those are. */
export interface HeldRows {
  readonly rows: readonly RunRow[];
  readonly news: number;
  readonly showNews: () => void;
}

/**
 * Keeps new rows from pushing others down: they are counted until a person shows them. Rows change in place.
 * @param list what makes a list another one: its filters
 */
export function useHeldRows(all: readonly RunRow[], list: string, isLoaded: boolean): HeldRows {
  const [held, setHeld] = useState<{ readonly list: string; readonly ids: ReadonlySet<string> }>();
  if (isLoaded && held?.list !== list) setHeld({ list, ids: new Set(all.map(({ id }) => id)) });
  if (held === undefined || held.list !== list) return { rows: all, news: 0, showNews: () => undefined };
  // What is below the first known row came by scrolling; only what is above it is new.
  const firstKnown = all.findIndex(({ id }) => held.ids.has(id));
  const rows = firstKnown <= 0 ? all : all.filter(({ id }, index) => index >= firstKnown || held.ids.has(id));
  return {
    rows,
    news: all.length - rows.length,
    showNews: () => setHeld({ list, ids: new Set(all.map(({ id }) => id)) }),
  };
}
