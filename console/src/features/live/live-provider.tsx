import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { announcedAt } from "../../api/session.ts";
import { useSession } from "../../api/use-session.ts";
import { useIsNotifier } from "./notifier.ts";
import { createConnection } from "./connection.ts";
import { LiveContext } from "./live-context.tsx";
import type { Live } from "./live-context.tsx";
import { createRefresher, prefixesOf } from "./refresher.ts";

/** Without the stream, what is shown is fetched again so often. */
const POLL_MS = 5_000;
/** A tab that is hidden for this long closes its connection; a browser has six of them per service. */
const HIDDEN_MS = 15_000;

/**
 * Keeps one stream open while the tab is visible and a person is signed in. What changes in the workspace is fetched again
 * where it is shown.
 */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [isConnected, setConnected] = useState(true);
  const [builds, setBuilds] = useState<readonly (string | undefined)[]>([]);
  const [refresher] = useState(() => createRefresher(client));
  const [connection] = useState(() =>
    createConnection(
      {
        onChanges: (changes) => refresher.refresh(changes.flatMap(prefixesOf)),
        onResync: refresher.refreshAll,
        onBack: refresher.retryFailed,
        onBuild: (build) => setBuilds((known) => (known.includes(build) ? known : [...known, build])),
        onLost: (isLost) => setConnected(!isLost),
      },
      announcedAt(),
    ),
  );
  const isVisible = useIsVisible(HIDDEN_MS);
  const { kind } = useSession();
  const isNotifier = useIsNotifier();
  const isOn = (isVisible || isNotifier) && kind === "signed-in";

  useEffect(() => {
    if (!isOn) return;
    connection.open();
    return connection.close;
  }, [connection, isOn]);
  useEffect(() => refresher.stop, [refresher]);
  useEffect(() => {
    if (isConnected || !isOn) return;
    const timer = setInterval(refresher.refreshAll, POLL_MS);
    return () => clearInterval(timer);
  }, [refresher, isConnected, isOn]);

  const isOutdated = builds.length > 1;
  const live = useMemo<Live>(
    () => ({ isConnected, isOutdated, follow: connection.follow, refresh: refresher.refresh }),
    [isConnected, isOutdated, connection, refresher],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** Whether the tab is visible, or was until a moment ago. @param hiddenMs how long it may be hidden */
function useIsVisible(hiddenMs: number): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function onChange(): void {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setVisible(false), hiddenMs);
      else setVisible(true);
    }
    document.addEventListener("visibilitychange", onChange);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onChange);
    };
  }, [hiddenMs]);
  return isVisible;
}
