import { useState } from "react";

/** The columns of the list whose width can be changed, with their widths in CSS pixels; the title takes what is left. */
export const COLUMNS = [
  { id: "by", head: "By", width: 160, look: "max-md:hidden" },
  { id: "source", head: "Source", width: 88, look: "max-md:hidden" },
  { id: "started", head: "Started", width: 104, look: "max-md:hidden" },
  { id: "duration", head: "Duration", width: 96, look: "text-end max-sm:hidden" },
  { id: "tokens", head: "Tokens", width: 72, look: "text-end max-md:hidden" },
  { id: "cost", head: "Cost", width: 80, look: "text-end" },
] as const;

/** The name of a column of {@link COLUMNS}. */
export type ColumnId = (typeof COLUMNS)[number]["id"];

/** The narrowest and the widest width of a column. */
export const WIDTHS = { min: 56, max: 400 } as const;

const KEY = "muster.runs-columns";

/** The widths of the columns, as this browser has stored them. */
export interface ColumnWidths {
  readonly of: (id: ColumnId) => number;
  /** Stores a width; undefined for the first one. */
  readonly set: (id: ColumnId, width: number | undefined) => void;
  /** For the grid of the head and of the rows, as custom properties. */
  readonly style: Readonly<Record<`--${string}`, string>>;
}

/** See {@link ColumnWidths}. */
export function useColumnWidths(): ColumnWidths {
  const [stored, setStored] = useState(readStored);
  const of = (id: ColumnId) => stored.get(id) ?? COLUMNS.find((column) => column.id === id)?.width ?? WIDTHS.min;
  return {
    of,
    set(id, width) {
      const next = new Map(stored);
      if (width === undefined) next.delete(id);
      else next.set(id, clamp(width));
      setStored(next);
      localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(next)));
    },
    style: Object.fromEntries(COLUMNS.map(({ id }) => [`--column-${id}`, `${of(id)}px`])),
  };
}

function clamp(width: number): number {
  return Math.round(Math.min(Math.max(width, WIDTHS.min), WIDTHS.max));
}

function readStored(): ReadonlyMap<ColumnId, number> {
  const stored = parsed(localStorage.getItem(KEY) ?? "{}");
  return new Map(
    COLUMNS.flatMap(({ id }) => {
      const width = stored.get(id);
      return typeof width === "number" && Number.isFinite(width) ? [[id, clamp(width)] as const] : [];
    }),
  );
}

/** Another program, or an earlier version, may have written something else. */
function parsed(text: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}
