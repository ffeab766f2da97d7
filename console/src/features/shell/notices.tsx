import { Suspense, lazy, useSyncExternalStore } from "react";
import { isPartWaiting, loadPart, onPartWaiting } from "../../lib/load-part.ts";
import { Button } from "../../ui/button.tsx";
import { useLive } from "../live/live-context.tsx";
import { useWorkspaceRecord } from "../workspace/queries.ts";

const HeldBand = lazy(() => loadPart(() => import("../workspace/held-band.tsx")));
const PausedBand = lazy(() => loadPart(() => import("../workspace/paused-band.tsx")));

/** What is worth a line over every screen: the service is away, the stream is lost, work is held or paused, the page is outdated. */
export function Notices() {
  const { isConnected, isOutdated } = useLive();
  const { data: workspace } = useWorkspaceRecord();
  const isAway = useSyncExternalStore(onPartWaiting, isPartWaiting);
  return (
    <div role="status">
      {(isAway || !isConnected) && (
        <p className="bg-waiting-soft px-page py-1.5 text-waiting">
          {isAway
            ? "The service can't be reached. What is not loaded yet opens when it responds again."
            : "Updates paused, reconnecting …"}
        </p>
      )}
      <Suspense>
        {workspace && (workspace.copy_held || workspace.held_at !== null) && <HeldBand copy={workspace.copy_held} />}
        {workspace?.paused === true && <PausedBand />}
      </Suspense>
      {isOutdated && (
        <p className="flex items-center gap-3 bg-accent-soft px-page py-1.5">
          A new version is available.
          <Button size="small" onClick={() => location.reload()}>
            Reload
          </Button>
        </p>
      )}
    </div>
  );
}
