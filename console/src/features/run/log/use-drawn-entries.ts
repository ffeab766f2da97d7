import { useVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { scrollerOf } from "../../../lib/scroller-of.ts";
import { textScale } from "../../../lib/text-scale.ts";
import type { Entry } from "./transcript.ts";

/** Of fewer entries all are in the document. */
const DRAWN_IN_PART_FROM = 200;
/** Entries before and after what is seen. */
const OVERSCAN = 8;
/** In pixels at the usual size of text, as the others here. */
const GAP = 16;
const CALL_HEIGHT = 38;
const LINE_HEIGHT = 20;
/** In characters. */
const LINE_LENGTH = 80;

/** What tells an entry from the others of its transcript. */
export function keyOf({ kind, id }: Entry): string {
  return `${kind}-${id}`;
}

/**
 * Which entries of a transcript are in the document, and the space that the others take. Few are measured as well, so
 * that nothing moves when they become many.
 */
export function useDrawnEntries(entries: readonly Entry[]) {
  const list = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState<number>();
  const offset = above ?? 0;
  const scale = useMemo(textScale, []);
  const gap = GAP * scale;
  const virtual = useVirtualizer({
    count: entries.length,
    // Once the list is in the document: it scrolls to where it starts, which must be where the person already is.
    enabled: above !== undefined,
    initialOffset: () => scrollerOf(list.current)?.scrollTop ?? 0,
    getScrollElement: () => scrollerOf(list.current),
    estimateSize: (index) => estimatedHeight(entries[index]) * scale,
    overscan: OVERSCAN,
    gap,
    scrollMargin: offset,
    getItemKey(index) {
      const entry = entries[index];
      return entry === undefined ? index : keyOf(entry);
    },
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index;
  // Measured again with each change: what is above it grows and shrinks, such as a question.
  useLayoutEffect(() => {
    const scroller = scrollerOf(list.current);
    if (list.current === null || scroller === null) return;
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    setAbove(Math.round(top + scroller.scrollTop));
  }, [entries, first]);
  if (anchorsScroll()) virtual.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  const parts = { listRef: list, entryRef: virtual.measureElement };
  if (entries.length < DRAWN_IN_PART_FROM) {
    return { ...parts, drawn: entries.map((entry, index) => ({ entry, index })), isPart: false, before: 0, after: 0 };
  }
  return {
    ...parts,
    drawn: items.flatMap(({ index }) => {
      const entry = entries[index];
      return entry === undefined ? [] : [{ entry, index }];
    }),
    isPart: true,
    before: Math.max(0, (items[0]?.start ?? 0) - offset - gap),
    after: Math.max(0, virtual.getTotalSize() + offset - (items.at(-1)?.end ?? offset) - gap),
  };
}

/**
 * Whether the browser keeps what is seen in its place when something above it takes another height. It also does so
 * while it scrolls by a key; a script that scrolls then would stop it on its way.
 */
function anchorsScroll(): boolean {
  return CSS.supports("overflow-anchor", "auto");
}

function estimatedHeight(entry: Entry | undefined): number {
  if (entry?.kind === "tool" || entry?.kind === "thought") return CALL_HEIGHT;
  if (entry?.kind !== "message") return LINE_HEIGHT;
  return LINE_HEIGHT * (Math.ceil(entry.text.length / LINE_LENGTH) + 1);
}
