import { useState } from "react";

/** The sizes that a person has given the columns of a list, by their names. */
export interface ColumnSizes {
  readonly get: (column: string) => number | undefined;
  /** Stores a size; undefined for the first one. */
  readonly set: (column: string, size: number | undefined) => void;
}

/** See {@link ColumnSizes}. This browser keeps them. @param list its name in the storage; undefined has none */
export function useColumnSizes(list: string | undefined): ColumnSizes {
  const key = `muster.${list}-columns`;
  const [stored, setStored] = useState(() => readStored(list === undefined ? null : localStorage.getItem(key)));
  return {
    get: (column) => stored.get(column),
    set(column, size) {
      const next = new Map(stored);
      if (size === undefined) next.delete(column);
      else next.set(column, size);
      setStored(next);
      localStorage.setItem(key, JSON.stringify(Object.fromEntries(next)));
    },
  };
}

/** Another program, or an earlier version, may have written something else. */
function readStored(text: string | null): ReadonlyMap<string, number> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (typeof value !== "object" || value === null) return new Map();
    return new Map(Object.entries(value).filter((entry): entry is [string, number] => Number.isFinite(entry[1])));
  } catch {
    return new Map();
  }
}
