import { useEffect, useSyncExternalStore } from "react";

/** A request of the screen, as a program would make it. */
export interface ApiCall {
  /** What it does: `List runs`. */
  readonly title: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** With the real ids and parameters. */
  readonly path: string;
  readonly body?: object;
  /** The same on the command line, without `muster`. */
  readonly command?: string;
}

let current: readonly ApiCall[] = [];
const listeners = new Set<() => void>();

function set(calls: readonly ApiCall[]): void {
  current = calls;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Lists the requests of this screen: its read and its primary action. */
export function useApiCalls(calls: readonly ApiCall[]): void {
  const text = JSON.stringify(calls);
  useEffect(() => {
    set(JSON.parse(text));
    return () => set([]);
  }, [text]);
}

/** The requests of the screen that is open. */
export function useCurrentCalls(): readonly ApiCall[] {
  return useSyncExternalStore(subscribe, () => current);
}
