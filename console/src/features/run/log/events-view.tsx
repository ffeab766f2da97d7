import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useState } from "react";
import type { RunEvent } from "../../../api/live-stream.ts";
import { clockWithMs } from "../../../lib/format.ts";
import { textScale } from "../../../lib/text-scale.ts";
import { visibleText } from "../../../lib/visible-text.ts";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.tsx";
import { CopyIcon } from "../../../ui/icon.tsx";
import { showToast } from "../../../ui/messages.ts";

const ROW_HEIGHT = 28;
const OVERSCAN = 6;
/** More of an event is in the copy. */
const SHOWN_LENGTH = 300;

/** The log of a run with its numbers, one line each. */
export function EventsView({
  events,
  scroller,
}: {
  readonly events: readonly RunEvent[];
  readonly scroller: () => HTMLElement | null;
}) {
  const [offset, setOffset] = useState(0);
  const measure = useCallback((element: HTMLDivElement | null) => {
    if (element !== null) setOffset(element.offsetTop);
  }, []);
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: scroller,
    estimateSize: () => ROW_HEIGHT * textScale(),
    overscan: OVERSCAN,
    scrollMargin: offset,
  });
  return (
    <div className="px-page py-3">
      <Button
        size="small"
        icon={CopyIcon}
        className="mb-2"
        onClick={() => {
          void copyText(events.map((event) => JSON.stringify(event)).join("\n")).then(
            (isCopied) => isCopied && showToast(`${events.length} events copied as NDJSON`),
          );
        }}
      >
        Copy as NDJSON
      </Button>
      <div
        ref={measure}
        role="table"
        aria-label="Events"
        aria-rowcount={events.length}
        className="relative"
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const event = events[index];
          return (
            event && (
              <div
                key={event.seq}
                role="row"
                aria-rowindex={index + 1}
                className="absolute inset-x-0 event-columns border-b border-line font-mono text-small"
                style={{ height: size, transform: `translateY(${start - offset}px)` }}
              >
                <EventCells event={event} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

function EventCells({ event }: { readonly event: RunEvent }) {
  const { run: _, seq, type, timestamp, ...rest } = event;
  return (
    <>
      <span role="cell" className="text-end text-ink-3">
        {seq}
      </span>
      <span role="cell" className="text-ink-3 max-sm:hidden">
        {typeof timestamp === "number" && clockWithMs(new Date(timestamp))}
      </span>
      <span role="cell" className="truncate">
        {type}
      </span>
      <span role="cell" dir="auto" className="truncate text-ink-2 max-sm:hidden">
        {visibleText(JSON.stringify(rest).slice(0, SHOWN_LENGTH))}
      </span>
    </>
  );
}
