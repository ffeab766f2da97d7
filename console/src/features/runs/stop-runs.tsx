import { useState } from "react";
import { useBlockedBy } from "../../api/use-session.ts";
import { plural } from "../../lib/format.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { StopIcon } from "../../ui/icons.ts";
import { showToast } from "../../ui/messages.ts";
import { VanishingButton } from "../../ui/vanishing-button.tsx";
import { useOpenRunCount, useStopAll } from "./stop-all.ts";
import type { Worker } from "./stop-all.ts";

/** Stops all runs of an agent or a team after a confirmation, and reports their number. */
export function StopRuns({ worker, isNamed = false }: { readonly worker: Worker; readonly isNamed?: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const blockedBy = useBlockedBy("member");
  return (
    <>
      <VanishingButton
        look="danger"
        icon={StopIcon}
        blockedBy={blockedBy}
        aria-label={isNamed ? `Stop all runs of ${visibleText(worker.name)}` : undefined}
        {...(isNamed && { size: "small" as const })}
        onClick={() => setAsking(true)}
      >
        Stop all runs
      </VanishingButton>
      {isAsking && <StopDialog worker={worker} onClose={() => setAsking(false)} />}
    </>
  );
}

function StopDialog({ worker, onClose }: { readonly worker: Worker; readonly onClose: () => void }) {
  const open = useOpenRunCount(worker);
  const stopAll = useStopAll();
  return (
    <Confirm
      title={`Stop all runs of “${visibleText(worker.name)}”?`}
      action="Stop all runs"
      onClose={onClose}
      onConfirm={async () => {
        const stopped = await stopAll(worker);
        showToast(stopped === 0 ? "No run was left to stop." : `${plural(stopped, "run")} stopped.`);
      }}
    >
      <p>
        {open !== undefined && `It has ${open.more ? "more than " : ""}${plural(open.count, "open run")}. `}
        What is queued, running or waiting for an answer is cancelled at once. Finished steps and what they have cost
        stay in the records.
      </p>
      <p>
        {worker.kind === "agent" && "Runs of teams in which it takes part continue. "}
        New work still starts, unless it is paused in Usage.
      </p>
    </Confirm>
  );
}
