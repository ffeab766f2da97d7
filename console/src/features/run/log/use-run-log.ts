import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { RunEvent } from "../../../api/run-stream.ts";
import { useRunEvents } from "../../live/live-context.tsx";
import { createLogStore } from "./log-store.ts";
import type { LogSnapshot, LogStore } from "./log-store.ts";

/** Steps are fetched again at most so often, however much happens. */
const REFRESH_MS = 700;
/** Parts of texts: they change no row. */
const PARTS: ReadonlySet<string> = new Set(["TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS"]);

/**
 * The log of an attempt, from its first event on, as it grows. What happens has the steps fetched again.
 * @param isOn false: nothing is fetched
 * @param seq the newest event that the page's steps know
 */
export function useRunLog(
  { id, attempt }: { readonly id: string; readonly attempt: number },
  isOn: boolean,
  seq: number,
): LogStore {
  // A new store when the switch turns: the stream then begins at the first event again.
  // oxlint-disable-next-line react/exhaustive-deps
  const store = useMemo(() => createLogStore(attempt), [id, attempt, isOn]);
  const refresh = useRefresh(id);
  useRunEvents(id, isOn, (event: RunEvent) => {
    store.add(event);
    if (event.seq > seq && !PARTS.has(event.type)) refresh();
  });
  return store;
}

function useRefresh(id: string): () => void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: ["run", id] });
    }, REFRESH_MS);
  };
}

/** What is in the log now, drawn again as it grows. */
export function useLog(store: LogStore): LogSnapshot {
  return useSyncExternalStore(store.subscribe, store.snapshot);
}
