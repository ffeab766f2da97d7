import { useQueryClient } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import { openLive } from "../../api/live.ts";
import type { Change, RunEvent } from "../../api/live.ts";
import { LiveContext } from "./live-context.tsx";
import type { Live } from "./live-context.tsx";

const GATHER_MS = 300;
const LOST_MS = 5_000;
const HIDDEN_MS = 15_000;
/** Which queries show what a kind of change is about. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  run: ["runs", "run"],
  question: ["questions", "runs", "run"],
  agent: ["agents"],
};

/** Keeps one stream open for the tab, and what is on the page up to date. It closes while the tab is hidden. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const [isConnected, setConnected] = useState(true);
  const [isOutdated, setOutdated] = useState(false);
  const [connection] = useState(createConnection);
  const client = useQueryClient();
  const [invalidate] = useState(() => createInvalidation(client));
  const build = useRef<string>(undefined);
  const isVisible = useIsVisible();

  useEffect(() => {
    if (!isVisible) return;
    let lost: ReturnType<typeof setTimeout> | undefined;
    const stop = connection.open({
      onHello(name) {
        build.current ??= name;
        setOutdated(name !== build.current);
      },
      onChange: invalidate,
      onResync: () => invalidate(Object.keys(QUERIES).map((kind) => ({ kind, id: "" }))),
      onConnection(isOpen) {
        clearTimeout(lost);
        if (isOpen) setConnected(true);
        else lost = setTimeout(() => setConnected(false), LOST_MS);
      },
    });
    return () => {
      clearTimeout(lost);
      stop();
    };
  }, [connection, invalidate, isVisible]);

  const live = useMemo<Live>(
    () => ({ isConnected, isOutdated, follow: connection.follow }),
    [connection, isConnected, isOutdated],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}

type Handlers = Omit<Parameters<typeof openLive>[1], "onEvent">;

/** The stream itself: following another run means to connect again. */
function createConnection() {
  const positions = new Map<string, number>();
  const listeners = new Map<string, Set<(event: RunEvent) => void>>();
  let handlers: Handlers | undefined;
  let current: AbortController | undefined;

  function connect(): void {
    current?.abort();
    if (handlers === undefined) return;
    current = new AbortController();
    const onEvent = (event: RunEvent) => listeners.get(event.run)?.forEach((listener) => listener(event));
    void openLive(positions, { ...handlers, onEvent }, current.signal);
  }

  return {
    open(next: Handlers): () => void {
      handlers = next;
      connect();
      return () => {
        handlers = undefined;
        current?.abort();
      };
    },
    follow(run: string, seq: number, listener: (event: RunEvent) => void): () => void {
      const known = listeners.get(run) ?? new Set();
      listeners.set(run, known.add(listener));
      positions.set(run, seq);
      connect();
      return () => {
        known.delete(listener);
        if (known.size > 0) return;
        listeners.delete(run);
        positions.delete(run);
        connect();
      };
    },
  };
}

/** Gathers changes for a moment, then has the queries that show them fetched again. */
function createInvalidation(client: QueryClient): (changes: readonly Change[]) => void {
  const keys = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (changes) => {
    for (const { kind } of changes) for (const key of QUERIES[kind] ?? []) keys.add(key);
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const key of keys) void client.invalidateQueries({ queryKey: [key] });
      keys.clear();
    }, GATHER_MS);
  };
}

/** Whether somebody can see the tab; it may be away for 15 s. */
function useIsVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function onChange(): void {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setVisible(false), HIDDEN_MS);
      else setVisible(true);
    }
    document.addEventListener("visibilitychange", onChange);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onChange);
    };
  }, []);
  return isVisible;
}
