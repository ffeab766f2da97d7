import { useMemo, useState } from "react";
import type { RunRow } from "./records.ts";

/** The selected rows, for actions on many of them. */
export interface Selection {
  readonly rows: readonly RunRow[];
  has(id: string): boolean;
  toggle(id: string): void;
  /** Selects all rows that are loaded, up to the maximum of one request; or none. */
  toggleAll(): void;
  clear(): void;
}

/** As many as one request changes. */
const MAX_SELECTED = 500;

/** Keeps which rows are selected; rows that leave the list are selected no more. @param list what makes it another list */
export function useSelection(rows: readonly RunRow[], list: string): Selection {
  const [state, setState] = useState<{ readonly list: string; readonly ids: ReadonlySet<string> }>({
    list,
    ids: new Set(),
  });
  const ids = useMemo(() => (state.list === list ? state.ids : new Set<string>()), [state, list]);
  const selected = rows.filter(({ id }) => ids.has(id));
  const set = (next: Iterable<string>) => setState({ list, ids: new Set(next) });
  return {
    rows: selected,
    has: (id) => ids.has(id),
    toggle: (id) => set(ids.has(id) ? [...ids].filter((each) => each !== id) : [...ids, id]),
    toggleAll: () => set(selected.length > 0 ? [] : rows.slice(0, MAX_SELECTED).map(({ id }) => id)),
    clear: () => set([]),
  };
}
