import { useMemo, useState } from "react";
import type { RunRow } from "../records/run-row.ts";

/** The selected rows, for actions on many of them. */
export interface Selection {
  readonly rows: readonly RunRow[];
  /** Whether every loaded row is selected. */
  readonly hasAllLoaded: boolean;
  has(id: string): boolean;
  toggle(id: string): void;
  /** Gives the row the other state, and with it all rows from the one that was toggled last. */
  toggleTo(id: string): void;
  /** Selects all rows that are loaded; or none. */
  toggleAll(): void;
  /** Selects these rows, loaded or not. */
  select(rows: readonly RunRow[]): void;
  clear(): void;
}

interface Selected {
  /** What makes it another list: its filters. */
  readonly list: string;
  readonly ids: ReadonlySet<string>;
  /** Selected rows that may not be loaded, as they were when they were selected. */
  readonly others: readonly RunRow[];
  /** The row that was toggled last. */
  readonly anchor?: string;
}

/** Keeps which rows are selected; loaded rows that leave the list are selected no more. @param list what makes it another list */
export function useSelection(rows: readonly RunRow[], list: string): Selection {
  const [state, setState] = useState<Selected>({ list, ids: new Set(), others: [] });
  const { ids, others, anchor } = useMemo<Selected>(
    () => (state.list === list ? state : { list, ids: new Set(), others: [] }),
    [state, list],
  );
  const selected = useMemo(() => {
    const loaded = new Set(rows.map(({ id }) => id));
    return [...rows, ...others.filter(({ id }) => !loaded.has(id))].filter(({ id }) => ids.has(id));
  }, [rows, others, ids]);
  const set = (next: Partial<Selected>) => setState({ list, ids, others, ...next });
  return {
    rows: selected,
    hasAllLoaded: rows.length > 0 && rows.every(({ id }) => ids.has(id)),
    has: (id) => ids.has(id),
    toggle: (id) => set({ ids: changed(ids, [id], !ids.has(id)), anchor: id }),
    toggleTo: (id) => set({ ids: changed(ids, idsBetween(rows, anchor ?? id, id), !ids.has(id)), anchor: id }),
    toggleAll: () => set({ ids: new Set(selected.length > 0 ? [] : rows.map(({ id }) => id)), others: [] }),
    select: (chosen) => set({ ids: new Set(chosen.map(({ id }) => id)), others: chosen }),
    clear: () => set({ ids: new Set(), others: [] }),
  };
}

function changed(ids: ReadonlySet<string>, some: readonly string[], isSelected: boolean): ReadonlySet<string> {
  return new Set(isSelected ? [...ids, ...some] : [...ids].filter((id) => !some.includes(id)));
}

/** The rows from one to another, in either direction. */
function idsBetween(rows: readonly RunRow[], from: string, to: string): readonly string[] {
  const [a, b] = [from, to].map((id) => rows.findIndex((row) => row.id === id)).toSorted((x, y) => x - y);
  // The other row may have left the list.
  if (a === undefined || b === undefined || a === -1) return [to];
  return rows.slice(a, b + 1).map(({ id }) => id);
}
