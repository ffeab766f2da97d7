import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { PauseIcon, PlayIcon } from "../../ui/icons.ts";
import { useWorkspaceRecord } from "./queries.ts";
import { usePauseWork } from "./use-pause-work.ts";

/** Pauses or resumes the start of new runs. */
export function PauseSwitch() {
  const blockedBy = useBlockedBy("admin");
  const { data } = useWorkspaceRecord();
  const { mutate, isPending } = usePauseWork();
  // The layout reserves its space, so that nothing moves when the workspace is loaded.
  const isPaused = data?.paused === true;
  return (
    <Button
      icon={isPaused ? PlayIcon : PauseIcon}
      isBusy={isPending}
      blockedBy={blockedBy}
      disabled={data === undefined}
      onClick={() => mutate(!isPaused)}
    >
      {isPaused ? "Resume new work" : "Pause new work"}
    </Button>
  );
}
