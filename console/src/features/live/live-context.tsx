import { createContext, use, useEffect, useRef } from "react";
import type { RunEvent } from "../../api/live.ts";

/** The stream of news of this tab. */
export interface Live {
  /** False after 5 s without a stream: what is shown may be old. */
  readonly isConnected: boolean;
  /** The service runs another version than this page. */
  readonly isOutdated: boolean;
  /** Asks for the events of a run after `seq`; gives what ends that. */
  readonly follow: (run: string, seq: number, onEvent: (event: RunEvent) => void) => () => void;
}

/** Filled by {@link LiveProvider}. */
export const LiveContext = createContext<Live | undefined>(undefined);

/** The stream of news. */
export function useLive(): Live {
  const live = use(LiveContext);
  if (live === undefined) throw new Error("This needs a LiveProvider around it.");
  return live;
}

/**
 * Follows the events of a run while the component is there, from the first one on.
 * @param onEvent is called once for each, in order, also after a broken connection
 */
export function useRunEvents(run: string, isOn: boolean, onEvent: (event: RunEvent) => void): void {
  const { follow } = useLive();
  const current = useRef(onEvent);
  useEffect(() => {
    current.current = onEvent;
  });
  useEffect(() => (isOn ? follow(run, 0, (event) => current.current(event)) : undefined), [follow, run, isOn]);
}
