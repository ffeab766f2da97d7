import { useState } from "react";
import { useBlockedBy } from "../../api/use-session.ts";
import { asProblem } from "../../api/problem.ts";
import { plural } from "../../lib/format.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/field.tsx";
import { StopIcon } from "../../ui/icons.ts";
import { useSetRunStatus } from "../records/run-queries.ts";
import type { RunHead } from "../records/run-head.ts";

const MAX_NAMES = 3;

/** Cancels a run after a confirmation, which lists what is running and what is kept. */
export function CancelRun({
  head,
  running,
}: {
  readonly head: RunHead;
  /** What the steps that are running are called. */
  readonly running: readonly string[];
}) {
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending, isSuccess, error, reset } = useSetRunStatus(head);
  const blockedBy = useBlockedBy("member");
  const ask = () => {
    reset();
    setAsking(true);
  };
  useShortcuts({ x: () => blockedBy === undefined && ask() });
  const isCancelling = isPending || isSuccess;
  return (
    <>
      <Button
        look="danger"
        icon={StopIcon}
        isBusy={isCancelling}
        blockedBy={blockedBy}
        title="Cancel run (x)"
        onClick={ask}
      >
        {isCancelling ? "Cancelling …" : "Cancel run"}
      </Button>
      <Dialog
        title="Cancel this run?"
        description={
          <>
            “<Bdi>{head.title}</Bdi>” stops at once
            {running.length > 0 && <RunningNames names={running} />}. Finished steps and what they have cost stay in its
            record.
          </>
        }
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        width="small"
      >
        {error !== null && <FormError>{asProblem(error).message}</FormError>}
        <DialogActions>
          <Button onClick={() => setAsking(false)}>Keep running</Button>
          <Button
            look="dangerFilled"
            isBusy={isPending}
            autoFocus
            onClick={() => mutate("cancel", { onSuccess: () => setAsking(false) })}
          >
            Cancel run
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

/** The first of them by name, the others as a number. */
function RunningNames({ names }: { readonly names: readonly string[] }) {
  const rest = names.length - MAX_NAMES;
  return (
    <>
      , with <Bdi>{names.slice(0, MAX_NAMES).join(", ")}</Bdi>
      {rest > 0 && ` and ${plural(rest, "more step")}`}
    </>
  );
}
