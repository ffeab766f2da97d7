import { useColumnSizes } from "../../ui/column-sizes.ts";
import { WIDTHS } from "../../ui/column-handle.tsx";

/** The columns of the list whose width can be changed, with their widths in pixels at the usual size of text; the title takes what is left. */
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
  const { get, set } = useColumnSizes("runs");
  const of = (id: ColumnId) => clamp(get(id) ?? COLUMNS.find((column) => column.id === id)?.width ?? WIDTHS.min);
  return {
    of,
    set: (id, width) => set(id, width === undefined ? undefined : clamp(width)),
    style: Object.fromEntries(COLUMNS.map(({ id }) => [`--column-${id}`, `${of(id) / 16}rem`])),
  };
}

function clamp(width: number): number {
  return Math.round(Math.min(Math.max(width, WIDTHS.min), WIDTHS.max));
}
