import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef, useState } from "react";
import { useWorkspace } from "../../api/use-session.ts";
import { cost, duration, exactCost, plural, tokens } from "../../lib/format.ts";
import { useDensity } from "../../lib/density.ts";
import { useRowKeys } from "../../lib/row-keys.ts";
import { stateOf } from "../../lib/run-state.ts";
import { textScale, widthAtUsualText } from "../../lib/text-scale.ts";
import { useMatches } from "../../lib/use-matches.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { ColumnHandle, MIN_TITLE } from "../../ui/column-handle.tsx";
import { NoteIcon, ThumbDownIcon, ThumbUpIcon } from "../feedback/icons.ts";
import { StateIcon } from "../../ui/state.tsx";
import { Countdown, Duration, Time } from "../../ui/time.tsx";
import { COLUMNS, useColumnWidths } from "./columns.ts";
import type { ColumnId, ColumnWidths } from "./columns.ts";
import type { RunRow } from "../records/run-row.ts";
import type { Selection } from "./selection.ts";
import { sourceLabel } from "../records/run-source.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { ROW_LINK } from "../../ui/row-link.ts";

/** In pixels at the usual size of text; as in base.css. */
const ROW_HEIGHT = { comfortable: 40, compact: 32 } as const;
const PHONE_ROW_HEIGHT = 64;
/** With a title of two lines. */
const NARROW_ROW_HEIGHT = 86;
/** Rows before and after what is seen; with a tall window still fewer than 60 in the document. */
const OVERSCAN = 6;

/** What {@link RunTable} takes. */
interface RunTableProps {
  readonly rows: readonly RunRow[];
  /** How many rows before them are not kept. */
  readonly dropped: number;
  /** Where rows can be selected. */
  readonly selection?: Selection;
  /** While other filters are fetched. */
  readonly isStale: boolean;
  /** Rows before the first one come into view. */
  readonly onStart: () => void;
  /** The last row comes into view. */
  readonly onEnd: () => void;
}

/** All work, one row each; only the rows that can be seen are in the document. */
export function RunTable(props: RunTableProps) {
  const { rows, dropped, selection, isStale } = props;
  const count = dropped + rows.length;
  const widths = useColumnWidths();
  const { virtual, items, measure, offset } = useVisibleRows(props, count);

  return (
    <div
      role="table"
      aria-label="Runs"
      aria-rowcount={count + 1}
      className={`${isStale ? "opacity-50" : ""} ${selection === undefined ? "" : "[--boxes:1rem]"}`}
      style={widths.style}
    >
      <Head selection={selection} widths={widths} />
      <div ref={measure} role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, size, key }) => {
          const row = rows[index - dropped];
          return (
            row && (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className="row edged absolute inset-x-0 run-columns pe-page has-[input:checked]:border-s-accent"
                style={{ height: size, transform: `translateY(${start - offset}px)` }}
              >
                <Cells row={row} selection={selection} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

/** The rows that can be seen, and some around them; `measure` takes the element around them. */
function useVisibleRows({ rows, dropped, onStart, onEnd }: RunTableProps, count: number) {
  const list = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  const measure = useCallback((element: HTMLDivElement | null) => {
    list.current = element;
    if (element !== null) setOffset(element.offsetTop);
  }, []);
  const isPhone = useMatches("(width < 40rem)");
  const isNarrow = useMatches("(width < 20rem)");
  const density = useDensity();
  const rowHeight = isNarrow ? NARROW_ROW_HEIGHT : isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT[density];
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => document.getElementById("content"),
    estimateSize: () => rowHeight * textScale(),
    overscan: OVERSCAN,
    scrollMargin: offset,
    getItemKey: (index) => rows[index - dropped]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => virtual.measure(), [rowHeight, virtual]);
  useEffect(() => {
    if (last >= count - OVERSCAN) onEnd();
  }, [last, count, onEnd]);
  useEffect(() => {
    if (first < dropped + OVERSCAN && dropped > 0) onStart();
  }, [first, dropped, onStart]);
  useRowKeys(list);
  return { virtual, items, measure, offset };
}

function Head({ selection, widths }: { readonly selection: Selection | undefined; readonly widths: ColumnWidths }) {
  const column = "text-caption font-medium text-ink-3";
  const title = useRef<HTMLSpanElement>(null);
  function resize(id: ColumnId, width: number | undefined): void {
    const room = Math.max(0, (title.current === null ? 0 : widthAtUsualText(title.current)) - MIN_TITLE);
    widths.set(id, width === undefined ? undefined : Math.min(width, widths.of(id) + room));
  }
  return (
    <div role="rowgroup" className="max-md:sr-only">
      <div role="row" aria-rowindex={1} className="run-columns h-8 border-b border-line bg-surface px-6">
        {selection !== undefined && (
          <span role="columnheader" className="flex max-md:hidden">
            <SelectBox
              label={selection.rows.length > 0 ? "Clear selection" : "Select all loaded runs"}
              isChecked={selection.hasAllLoaded}
              onChange={selection.toggleAll}
            />
          </span>
        )}
        <span role="columnheader">
          <span className="sr-only">Status</span>
        </span>
        <span ref={title} role="columnheader" className={column}>
          Title
        </span>
        {COLUMNS.map(({ id, head, look }) => (
          <span key={id} role="columnheader" aria-label={head} className={`relative ${column} ${look}`}>
            <ColumnHandle name={head} at="gap" onChange={(width) => resize(id, width)} />
            <span className="block truncate">{head}</span>
          </span>
        ))}
      </div>
    </div>
  );
}

function SelectBox({
  label,
  isChecked,
  onChange,
}: {
  readonly label: string;
  readonly isChecked: boolean;
  /** With whether the Shift key is held, which selects a range of rows. */
  readonly onChange: (isRange: boolean) => void;
}) {
  return (
    // The label is the target: larger than the box, and above the link that fills the row.
    <label className="relative z-10 -m-1.5 flex p-1.5 select-none">
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        onChange={({ nativeEvent: event }) => onChange(event instanceof MouseEvent && event.shiftKey)}
      />
    </label>
  );
}

function Cells({ row, selection }: { readonly row: RunRow; readonly selection: Selection | undefined }) {
  const by = row.agent?.name ?? row.team?.name;
  const at = row.started_at ?? row.queued_at;
  return (
    <>
      {selection !== undefined && (
        <span role="cell" className="flex max-sm:hidden">
          <SelectBox
            label={`Select ${row.title}`}
            isChecked={selection.has(row.id)}
            onChange={(isRange) => (isRange ? selection.toggleTo : selection.toggle)(row.id)}
          />
        </span>
      )}
      <span role="cell">
        <StateIcon state={stateOf(row)} />
      </span>
      <TitleCell row={row} by={by} at={at} />
      <span
        role="cell"
        dir="auto"
        title={by}
        className={`truncate max-md:hidden ${by === undefined ? "text-ink-3" : "text-ink-2"}`}
      >
        {by ?? "Not assigned"}
      </span>
      <span role="cell" dir="auto" title={sourceLabel(row.source)} className="truncate text-ink-2 max-md:hidden">
        {sourceLabel(row.source)}
      </span>
      <span role="cell" className="truncate text-ink-2 max-md:hidden">
        {at !== null && <Time at={at} />}
      </span>
      <span role="cell" className="truncate text-end text-ink-2 max-sm:hidden">
        <RowDuration row={row} />
      </span>
      <span role="cell" className="truncate text-end text-ink-2 max-md:hidden">
        {row.tokens > 0 && tokens(row.tokens)}
      </span>
      <span role="cell" title={exactCost(row.cost_usd)} className="truncate text-end">
        {(row.tokens > 0 || row.cost_usd !== 0) && cost(row.cost_usd)}
      </span>
    </>
  );
}

/** Its title; on a phone, below it, who works on it since when. */
function TitleCell({
  row,
  by,
  at,
}: {
  readonly row: RunRow;
  readonly by: string | undefined;
  readonly at: string | null;
}) {
  const { slug } = useWorkspace();
  return (
    <span role="cell" className="min-w-0 compact:sm:flex compact:sm:items-baseline compact:sm:gap-2">
      <span className="flex min-w-0 items-center gap-2">
        <Link
          to="/w/$workspace/runs/$id"
          params={{ workspace: slug, id: row.id }}
          data-row
          dir="auto"
          title={row.title}
          className={ROW_LINK}
        >
          {visibleText(row.title)}
        </Link>
        <GivenFeedback feedback={row.feedback} />
      </span>
      <span className="flex gap-1 text-small text-ink-3 sm:hidden">
        <Bdi className="truncate">{by ?? "Not assigned"}</Bdi>
        {at !== null && (
          <span className="shrink-0">
            {"· "}
            <Time at={at} />
          </span>
        )}
      </span>
      <Remark row={row} />
    </span>
  );
}

/** What helps to decide whether to open it: why it failed, until when it needs an answer. */
function Remark({ row }: { readonly row: RunRow }) {
  if (row.question_due !== null) {
    return (
      <span className="block truncate text-small text-waiting max-sm:hidden">
        Needs an answer in <Countdown until={row.question_due} />
      </span>
    );
  }
  if (row.status !== "failed" || row.error_code === null) return null;
  return <span className="block truncate font-mono text-caption text-failed max-sm:hidden">{row.error_code}</span>;
}

/** Whether people thought the run was good or bad; a dot for a note alone. */
function GivenFeedback({ feedback: { up, down, notes } }: { readonly feedback: RunRow["feedback"] }) {
  const words = [
    ...(up > 0 ? [`${up} good`] : []),
    ...(down > 0 ? [`${down} bad`] : []),
    ...(notes > 0 ? [plural(notes, "note")] : []),
  ].join(", ");
  if (words === "") return null;
  return (
    <span role="img" aria-label={`Feedback: ${words}`} title={words} className="flex shrink-0 gap-1">
      {up > 0 && <ThumbUpIcon className="text-completed" />}
      {down > 0 && <ThumbDownIcon className="text-failed" />}
      {up + down === 0 && <NoteIcon className="text-ink-3" />}
    </span>
  );
}

function RowDuration({ row }: { readonly row: RunRow }) {
  if (row.status === "running" && row.started_at !== null) return <Duration from={row.started_at} to={null} />;
  return row.duration_ms === null ? null : duration(row.duration_ms);
}
