import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode } from "react";
import { duration } from "../../../lib/format.ts";
import { STATE_LABELS } from "../../../lib/run-state.ts";
import { textScale } from "../../../lib/text-scale.ts";
import { useShortcuts } from "../../../lib/shortcuts.ts";
import type { FlatRow } from "../model/flatten.ts";
import type { LiveWords } from "../model/live-words.ts";
import { waitReason } from "../log/budget-waits.ts";
import type { BudgetWaits } from "../log/budget-waits.ts";
import { kindLabel, nameOf } from "../model/names.ts";
import type { StepNote } from "../model/notes.ts";
import type { StepRow } from "../../records/run-head.ts";
import { STEP_COLUMNS, StepCells, WAITS } from "./step-row.tsx";
import type { StepTree as Tree } from "./use-step-tree.ts";
import type { Scale } from "./waterfall.tsx";

/** In pixels at the usual size of text, as the others here. */
const ROW_HEIGHT = 28;
const TOUCH_ROW_HEIGHT = 36;
/** What fingers touch, however small the text. */
const MIN_TOUCH_HEIGHT = 44;
/** Rows before and after what is seen; with a tall window still fewer than 60 in the document. */
const OVERSCAN = 4;
/** How high what sticks above the rows is. */
const HEAD_HEIGHT = 76;

/** To which step the person wants to go; another object each time, also for the same step. */
export interface Revealed {
  readonly key: string;
}

/** What {@link StepTree} takes. */
interface StepTreeProps {
  readonly tree: Tree;
  readonly look: "timeline" | "list";
  readonly scale: Scale;
  /** What the steps stream now, by key. */
  readonly words: ReadonlyMap<string, LiveWords>;
  readonly waits: BudgetWaits;
  /** The heads of the columns. */
  readonly heads: ReactNode;
  readonly selected: string | undefined;
  /** The step that the banner above the tree is about: it is selected by itself, which must not scroll that away. */
  readonly explained: string | undefined;
  readonly revealed: Revealed | undefined;
  readonly scroller: () => HTMLElement | null;
  readonly agentNameOf: (row: StepRow) => string | undefined;
  readonly noteOf: (row: StepRow) => StepNote | undefined;
  readonly onSelect: (key: string) => void;
  /** Opens a step, by a click or by Enter. */
  readonly onOpen: (key: string) => void;
  readonly onHover: (row: StepRow) => void;
}

/** The steps of a run as a tree of which only the visible rows are in the document. Arrow keys walk through it. */
export function StepTree(props: StepTreeProps) {
  const { tree, look, waits, heads, selected, scroller, onOpen } = props;
  const { flat, setOpen } = tree;
  const hasGroups = flat.some(({ isOpen }) => isOpen !== undefined);
  const id = useId();
  const { virtual, measure, offset, rowHeight } = useVirtualRows(flat, scroller);
  const at = flat.findIndex(({ node }) => node.row.key === selected);
  const select = useSelection(props, (to) => virtual.scrollToIndex(to, { align: "auto" }));
  useTreeShortcuts(flat, at, select);

  function onKey(event: KeyboardEvent): void {
    const move = moves({ flat, at, setOpen, select, onOpen })[event.key];
    if (move === undefined || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    move();
  }

  /** One listener for all rows; the keys of the tree do the same. */
  function onClick({ target }: MouseEvent): void {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-step]") : null;
    if (row?.dataset["step"] !== undefined) onOpen(row.dataset["step"]);
  }

  return (
    <div
      role="treegrid"
      aria-label="Steps"
      aria-rowcount={flat.length + 1}
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      tabIndex={0}
      onKeyDown={onKey}
      onClick={onClick}
      className="group/tree -outline-offset-2"
    >
      {heads}
      <div ref={measure} role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = flat[index];
          return (
            row && (
              <TreeRow
                key={key}
                id={`${id}-${index}`}
                row={row}
                index={index}
                isSelected={index === at}
                look={look}
                style={{ height: rowHeight, transform: `translateY(${start - offset}px)` }}
                isWaiting={waitReason(waits, row.node.row) !== undefined}
                onHover={props.onHover}
              >
                <StepCells {...cellsOf(props, row)} hasGroups={hasGroups} />
              </TreeRow>
            )
          );
        })}
      </div>
    </div>
  );
}

/** What the cells of a row show. */
function cellsOf({ tree, look, scale, waits, words, explained, agentNameOf, noteOf }: StepTreeProps, flat: FlatRow) {
  const { row } = flat.node;
  return {
    flat,
    look,
    scale,
    waits,
    totalUsd: tree.totalUsd,
    words: flat.isOpen === true ? undefined : words.get(row.key),
    agentName: agentNameOf(row),
    note: noteOf(row),
    isExplained: row.key === explained,
    onToggle: () => tree.setOpen(row.key, flat.isOpen !== true),
  };
}

/** Selects a row, which comes into view then; so does one that is revealed. */
function useSelection(
  { tree: { flat }, selected, explained, revealed, onSelect }: StepTreeProps,
  scrollTo: (index: number) => void,
) {
  const walkedTo = useRef<string>(undefined);
  useEffect(() => {
    const at = flat.findIndex(({ node }) => node.row.key === selected);
    const isWanted = walkedTo.current === selected || revealed?.key === selected;
    if (at >= 0 && (isWanted || selected !== explained)) scrollTo(at);
    // oxlint-disable-next-line react/exhaustive-deps -- rows inserted above must not scroll back to it
  }, [selected, revealed]);
  return useCallback(
    (row: FlatRow | undefined) => {
      if (row === undefined) return;
      walkedTo.current = row.node.row.key;
      onSelect(row.node.row.key);
    },
    [onSelect],
  );
}

interface TreeRowProps {
  readonly id: string;
  readonly row: FlatRow;
  /** Its position among the visible rows, from 0; the row of the heads is before them. */
  readonly index: number;
  readonly isSelected: boolean;
  readonly look: "timeline" | "list";
  readonly style: CSSProperties;
  /** Whether it waits for a budget. */
  readonly isWaiting: boolean;
  readonly onHover: (row: StepRow) => void;
  readonly children: ReactNode;
}

/** One row with its position in the tree, for screen readers. */
function TreeRow({ id, row, index, isSelected, look, style, isWaiting, onHover, children }: TreeRowProps) {
  const { node, level, position, count, isOpen } = row;
  return (
    <div
      id={id}
      role="row"
      aria-label={isWaiting ? `${labelOf(node.row)}, ${WAITS}` : labelOf(node.row)}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={count}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      {...(isOpen !== undefined && { "aria-expanded": isOpen })}
      tabIndex={-1}
      onMouseEnter={() => onHover(node.row)}
      data-step={node.row.key}
      className={`absolute inset-x-0 edged pe-page ${STEP_COLUMNS[look]} ${isSelected ? "marked group-focus-visible/tree:outline-2 group-focus-visible/tree:-outline-offset-2 group-focus-visible/tree:outline-accent" : "hover:bg-raised"}`}
      style={style}
    >
      {children}
    </div>
  );
}

/** The rows that are in the document; `measure` takes the element around them. */
function useVirtualRows(flat: readonly FlatRow[], scroller: () => HTMLElement | null) {
  const [offset, setOffset] = useState(0);
  const measure = useCallback((element: HTMLDivElement | null) => {
    if (element !== null) setOffset(element.offsetTop);
  }, []);
  const scale = useMemo(textScale, []);
  const rowHeight = useMemo(() => {
    if (!matchMedia("(pointer: coarse)").matches) return ROW_HEIGHT * scale;
    return Math.max(MIN_TOUCH_HEIGHT, TOUCH_ROW_HEIGHT * scale);
  }, [scale]);
  const virtual = useVirtualizer({
    count: flat.length,
    getScrollElement: scroller,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: offset,
    scrollPaddingStart: HEAD_HEIGHT * scale,
    getItemKey: (index) => flat[index]?.node.row.key ?? index,
  });
  return { virtual, measure, offset, rowHeight };
}

/** What a screen reader says of a row while one walks through the tree. */
function labelOf(row: StepRow): string {
  const { started_at: from, ended_at: to } = row;
  const took = from === undefined || to === undefined ? [] : [duration(to - from)];
  const [name, kind] = [nameOf(row), kindLabel(row)];
  const called = name.startsWith(kind) ? name : `${kind} ${name}`;
  return [called, STATE_LABELS[row.status], ...took, ...(row.error_code === undefined ? [] : [row.error_code])].join(
    ", ",
  );
}

interface Moves {
  readonly flat: readonly FlatRow[];
  readonly at: number;
  readonly setOpen: Tree["setOpen"];
  readonly select: (row: FlatRow | undefined) => void;
  readonly onOpen: (key: string) => void;
}

/** What each key of a tree does. */
function moves({ flat, at, setOpen, select, onOpen }: Moves): Readonly<Record<string, () => void>> {
  const row = flat[at];
  return {
    ArrowDown: () => select(flat[Math.min(at + 1, flat.length - 1)]),
    ArrowUp: () => select(flat[Math.max(at - 1, 0)]),
    Home: () => select(flat[0]),
    End: () => select(flat.at(-1)),
    ArrowRight() {
      if (row?.isOpen === false) setOpen(row.node.row.key, true);
      else if (row?.isOpen === true) select(flat[at + 1]);
    },
    ArrowLeft() {
      if (row?.isOpen === true) setOpen(row.node.row.key, false);
      else if (row?.group !== undefined) select(flat.find(({ node }) => node.row === row.group));
    },
    Enter: () => row && onOpen(row.node.row.key),
  };
}

/** `j` `k` next and previous, `e` `E` next and previous step that failed or is open. */
function useTreeShortcuts(flat: readonly FlatRow[], at: number, select: (row: FlatRow | undefined) => void): void {
  const isNews = ({ node }: FlatRow) => ["failed", "running", "waiting"].includes(node.row.status);
  useShortcuts({
    j: () => select(flat[Math.min(at + 1, flat.length - 1)]),
    k: () => select(flat[Math.max(at - 1, 0)]),
    e: () => select(flat.slice(at + 1).find(isNews) ?? flat.find(isNews)),
    E: () => select((at < 0 ? flat : flat.slice(0, at)).findLast(isNews) ?? flat.findLast(isNews)),
  });
}
