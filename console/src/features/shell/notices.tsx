import { Button } from "../../ui/button.tsx";
import { useLive } from "../live/live-context.tsx";

/** What is worth a line over every screen: the stream is lost, or the page is older than the service. */
export function Notices() {
  const { isConnected, isOutdated } = useLive();
  return (
    <div role="status">
      {!isConnected && (
        <p className="bg-waiting-soft px-6 py-1.5 text-waiting max-sm:px-4">Updates paused, reconnecting …</p>
      )}
      {isOutdated && (
        <p className="flex items-center gap-3 bg-accent-soft px-6 py-1.5 max-sm:px-4">
          A new version is here.
          <Button size="small" onClick={() => location.reload()}>
            Reload
          </Button>
        </p>
      )}
    </div>
  );
}
