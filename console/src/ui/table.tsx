import { useRef } from "react";
import type { ReactNode, RefObject } from "react";
import { useRowKeys } from "../lib/row-keys.ts";
import { widthAtUsualText } from "../lib/text-scale.ts";
import { ColumnHandle, MIN_TITLE } from "./column-handle.tsx";
import { useColumnSizes } from "./column-sizes.ts";

/** One column of a {@link Table}. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned at the end. */
  readonly align?: "end";
  /** The narrowest window in which it is shown: 640, 900 or 1200 px. Always when absent. */
  readonly from?: keyof typeof FROM;
  /** Classes for its width, such as `w-24`; the column without one takes what is left. */
  readonly width?: string;
}

const FROM = { sm: "max-sm:hidden", md: "max-md:hidden", lg: "max-lg:hidden" } as const;

/** Where a line has room for a word or two, the cells of a row are below each other. */
const STACKED = "max-xs:block max-xs:h-auto max-xs:w-auto max-xs:py-0 max-xs:ps-4 max-xs:pe-4 max-xs:text-start";

/** A list of up to some hundred rows; `j` and `k` move between those that are links. */
export function Table<Row>({
  label,
  list,
  columns,
  rows,
  keyOf,
  isStale = false,
}: {
  readonly label: string;
  /** The name under which the browser keeps the widths of its columns; without one they cannot be changed. */
  readonly list?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** While other rows are fetched. */
  readonly isStale?: boolean;
}) {
  const head = useRef<HTMLTableRowElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const sizes = useColumnSizes(list);
  const title = columns.findIndex(({ width }) => width === undefined);

  function resize(index: number, width: number | undefined): void {
    const name = columns[index]?.head ?? "";
    const cells = head.current?.cells;
    sizes.set(name, width === undefined || cells === undefined ? undefined : shareOf(cells, { index, title, width }));
  }

  return (
    <table aria-label={label} className={`w-full table-fixed max-xs:block ${isStale ? "opacity-50" : ""}`}>
      <colgroup>
        {columns.map((column) => (
          <Col key={column.head} column={column} share={sizes.get(column.head)} />
        ))}
      </colgroup>
      <Heads ref={head} columns={columns} isResizable={list !== undefined} title={title} onResize={resize} />
      <tbody ref={body} className="max-xs:block">
        {rows.map((row) => (
          <tr key={keyOf(row)} className="row relative max-xs:block max-xs:py-3">
            {columns.map((column) => (
              <td
                key={column.head}
                className={`h-(--row-height) py-(--row-padding) max-sm:h-16 ${column.from === undefined ? STACKED : ""} ${classOf(column, columns)}`}
              >
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Heads<Row>({
  ref,
  columns,
  isResizable,
  title,
  onResize,
}: {
  readonly ref: RefObject<HTMLTableRowElement | null>;
  readonly columns: readonly Column<Row>[];
  readonly isResizable: boolean;
  /** The index of the column that takes what is left. */
  readonly title: number;
  readonly onResize: (index: number, width: number | undefined) => void;
}) {
  return (
    <thead className="border-b border-line bg-surface max-sm:sr-only">
      <tr ref={ref}>
        {columns.map((column, index) => (
          <th
            key={column.head}
            scope="col"
            aria-label={isResizable ? column.head : undefined}
            className={`relative h-8 text-caption font-medium text-ink-3 ${classOf(column, columns)}`}
          >
            {isResizable && index !== title && (
              <ColumnHandle
                name={column.head}
                at={index < title ? "end" : "start"}
                onChange={(width) => onResize(index, width)}
              />
            )}
            {column.head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A column with its width; what a person has chosen is a percentage of the table, so that it fits into any window. */
function Col<Row>({
  column: { from, width = "" },
  share,
}: {
  readonly column: Column<Row>;
  readonly share?: number | undefined;
}) {
  const shown = from === undefined ? "" : FROM[from];
  if (share === undefined) return <col className={`${shown} ${width}`} />;
  return <col className={`${shown} ${width} md:w-(--share)`} style={{ "--share": `${share}%` }} />;
}

/** The percentage of the table that a column gets; the title keeps a least width. */
function shareOf(
  cells: HTMLCollectionOf<HTMLTableCellElement>,
  { index, title, width }: { readonly index: number; readonly title: number; readonly width: number },
): number {
  const widths = [...cells].map(widthAtUsualText);
  const all = widths.reduce((sum, each) => sum + each, 0);
  const room = Math.max(0, (widths[title] ?? 0) - MIN_TITLE);
  return (Math.min(width, (widths[index] ?? 0) + room) / all) * 100;
}

function classOf<Row>(column: Column<Row>, columns: readonly Column<Row>[]): string {
  const { align, from, width = "" } = column;
  const shown = from === undefined ? "" : FROM[from];
  const atEnd = isAtPhoneEnd(column, columns) ? "max-sm:text-end" : "";
  return `px-2 ${edgesOf(column, columns)} ${align === "end" ? "text-end" : "text-start"} ${atEnd} ${shown} ${width}`;
}

/** On a phone what follows a name, such as a state, ends where the line does. */
function isAtPhoneEnd<Row>(column: Column<Row>, columns: readonly Column<Row>[]): boolean {
  return column.width !== undefined && columns.findLast(({ from }) => from === undefined) === column;
}

/** The margin of the page, at the first and the last of the columns that a window of each width shows. */
const WINDOWS = [
  { without: ["sm", "md", "lg"], start: "max-sm:ps-4", end: "max-sm:pe-4" },
  { without: ["md", "lg"], start: "sm:max-md:ps-6", end: "sm:max-md:pe-6" },
  { without: ["lg"], start: "md:max-lg:ps-6", end: "md:max-lg:pe-6" },
  { without: [], start: "lg:ps-6", end: "lg:pe-6" },
] as const satisfies readonly { without: readonly (keyof typeof FROM)[]; start: string; end: string }[];

function edgesOf<Row>(column: Column<Row>, columns: readonly Column<Row>[]): string {
  return WINDOWS.flatMap(({ without, start, end }) => {
    const shown = columns.filter(({ from }) => !without.some((each) => each === from));
    return [shown[0] === column ? start : "", shown.at(-1) === column ? end : ""];
  }).join(" ");
}
