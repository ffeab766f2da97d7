import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { usePauseWork } from "./use-pause-work.ts";

/** That the workspace starts no new work, over every screen. */
export default function PausedBand() {
  const blockedBy = useBlockedBy("admin");
  const { mutate, isPending } = usePauseWork();
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-waiting-soft px-page py-1.5 text-waiting">
      New work is paused: new runs wait in the queue.
      <Button size="small" isBusy={isPending} blockedBy={blockedBy} onClick={() => mutate(false)}>
        Resume
      </Button>
    </p>
  );
}
