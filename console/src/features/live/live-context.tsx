import { createContext, use, useEffect, useRef } from "react";
import type { RunEvent } from "../../api/run-stream.ts";

/** The news of this tab. */
export interface Live {
  /** False after 5 s without a stream that should be open: what is shown may be old. */
  readonly isConnected: boolean;
  /** The service has another build of the console than this page. */
  readonly isOutdated: boolean;
  /** Asks for the events of a run, from the first one on; gives what ends that. */
  readonly follow: (run: string, onEvent: (event: RunEvent) => void) => () => void;
}

/** Filled by the provider. */
export const LiveContext = createContext<Live | undefined>(undefined);

/** The news of this tab. */
export function useLive(): Live {
  const live = use(LiveContext);
  if (live === undefined) throw new Error("This needs a LiveProvider around it.");
  return live;
}

/** Whether news come by themselves; without a {@link LiveProvider} they do not. */
export function useIsConnected(): boolean {
  return use(LiveContext)?.isConnected === true;
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
  useEffect(() => (isOn ? follow(run, (event) => current.current(event)) : undefined), [follow, run, isOn]);
}
