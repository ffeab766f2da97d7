import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import { followRun } from "../../api/run-stream.ts";
import type { RunEvent } from "../../api/run-stream.ts";
import { useServiceOptions } from "../accounts/options.ts";
import { LiveContext } from "./live-context.tsx";
import type { Live } from "./live-context.tsx";

const LOST_MS = 5_000;
/** How old a list may get while somebody looks at it. */
const REFRESH_MS = 4_000;
/** What changes without the person's doing. */
const CHANGING = ["runs", "run"] as const;
/** Events after which a run looks different in lists. */
const MILESTONES = new Set(["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "INTERACTION_REQUEST", "INTERACTION_RESPONSE"]);

/** Keeps what is on the page up to date while somebody sees it, and gives out the events of runs that are followed. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [isConnected, setConnected] = useState(true);
  const lost = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOutdated = useIsOutdated();
  const refresh = useCallback(() => {
    for (const key of CHANGING) void client.invalidateQueries({ queryKey: [key] });
  }, [client]);

  useEffect(() => {
    const timer = setInterval(() => document.hidden || refresh(), REFRESH_MS);
    const onChange = () => document.hidden || refresh();
    document.addEventListener("visibilitychange", onChange);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onChange);
    };
  }, [refresh]);

  const follow = useCallback<Live["follow"]>(
    (run, listener) => {
      const controller = new AbortController();
      const onEvent = (event: RunEvent) => {
        listener(event);
        if (MILESTONES.has(event.type)) refresh();
      };
      const onConnection = (isOpen: boolean) => {
        clearTimeout(lost.current);
        if (isOpen) setConnected(true);
        else lost.current = setTimeout(() => setConnected(false), LOST_MS);
      };
      void followRun(run, { onEvent, onConnection }, controller.signal);
      return () => {
        controller.abort();
        clearTimeout(lost.current);
        setConnected(true);
      };
    },
    [refresh],
  );
  const live = useMemo<Live>(() => ({ isConnected, isOutdated, follow }), [isConnected, isOutdated, follow]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** Whether the service has got another build since the page was opened. */
function useIsOutdated(): boolean {
  const { data } = useServiceOptions();
  const build = data?.build ?? undefined;
  const [first, setFirst] = useState(build);
  if (first === undefined && build !== undefined) setFirst(build);
  return first !== undefined && build !== undefined && build !== first;
}
