import { useMemo, useSyncExternalStore } from "react";
import type { RunEvent } from "../../../api/live-stream.ts";
import { useLive, useRunEvents } from "../../live/live-context.tsx";
import type { RunHead } from "../../records/run-head.ts";
import { createLogStore } from "./log-store.ts";
import type { LogSnapshot, LogStore } from "./log-store.ts";

/** Parts of texts: they change no row. */
const PARTS: ReadonlySet<string> = new Set(["TEXT_MESSAGE_CONTENT", "REASONING_MESSAGE_CONTENT", "TOOL_CALL_ARGS"]);

/**
 * The log of an attempt, from its first event on, as it grows. What happens has the steps fetched again.
 * @param isOn false: nothing is fetched
 * @param seq the newest event that the page's steps know
 */
export function useRunLog(
  { id, log_id: log, attempt }: Pick<RunHead, "id" | "log_id" | "attempt">,
  isOn: boolean,
  seq: number,
): LogStore {
  // oxlint-disable-next-line react/exhaustive-deps -- another log or switch begins at the first event in a new store
  const store = useMemo(() => createLogStore(attempt), [log, attempt, isOn]);
  const { refresh } = useLive();
  useRunEvents(log, isOn, (event: RunEvent) => {
    store.add(event);
    if (event.seq > seq && !PARTS.has(event.type)) refresh([["run", id]]);
  });
  return store;
}

/** The current content of the log; renders again as it grows. */
export function useLog(store: LogStore): LogSnapshot {
  return useSyncExternalStore(store.subscribe, store.snapshot);
}
