import { createContext, use, useEffect, useRef } from "react";
import type { RunEvent } from "../../api/live-stream.ts";
import type { QueryPrefix } from "./refresher.ts";

/** The live updates of this tab. */
export interface Live {
  /** False after 5 s without the stream: what is shown may be old. */
  readonly isConnected: boolean;
  /** The service has another build of the console than this page. */
  readonly isOutdated: boolean;
  /** Gives out the events of a run's log after a number, each once and in order; returns what ends that. */
  readonly follow: (run: string, after: number, onEvent: (event: RunEvent) => void) => () => void;
  /** Has the queries with these prefixes fetched again, at most once a second. */
  readonly refresh: (prefixes: readonly QueryPrefix[]) => void;
}

/** Filled by the provider. */
export const LiveContext = createContext<Live | undefined>(undefined);

/** The live updates of this tab. */
export function useLive(): Live {
  const live = use(LiveContext);
  if (live === undefined) throw new Error("This needs a LiveProvider around it.");
  return live;
}

/**
 * Follows the log of a run from its first event while the component is mounted.
 * @param log the id under which the run's events are stored
 * @param onEvent is called once for each event, in order, also after a broken connection
 */
export function useRunEvents(log: string, isOn: boolean, onEvent: (event: RunEvent) => void): void {
  const { follow } = useLive();
  const current = useRef(onEvent);
  useEffect(() => {
    current.current = onEvent;
  });
  useEffect(() => (isOn ? follow(log, 0, (event) => current.current(event)) : undefined), [follow, log, isOn]);
}
