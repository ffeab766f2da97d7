import { useState } from "react";
import { useBlockedBy } from "../../api/use-session.ts";
import { asProblem } from "../../api/problem.ts";
import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/field.tsx";
import { RetryIcon, StopIcon } from "../../ui/icons.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useSetRunStatus } from "./queries.ts";
import type { RunHead } from "./records.ts";

/** What one can do with a run in its state: cancel it, or run it again. */
export function RunActions({ head }: { readonly head: RunHead }) {
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending, error, reset } = useSetRunStatus(head);
  const blockedBy = useBlockedBy("member");
  const isOver = hasEnded(stateOf(head));
  const runAgain = () => mutate("again", { onError: (failure) => showToast(asProblem(failure).message) });
  useShortcuts({
    x: () => blockedBy === undefined && !isOver && setAsking(true),
    R: () => blockedBy === undefined && isOver && runAgain(),
  });
  if (isOver) {
    return (
      <Button icon={RetryIcon} isBusy={isPending} blockedBy={blockedBy} onClick={runAgain} title="Run again (R)">
        Run again
      </Button>
    );
  }
  return (
    <>
      <Button
        look="danger"
        icon={StopIcon}
        isBusy={isPending}
        blockedBy={blockedBy}
        title="Cancel run (x)"
        onClick={() => {
          reset();
          setAsking(true);
        }}
      >
        {isPending ? "Cancelling …" : "Cancel run"}
      </Button>
      <Dialog
        title="Cancel this run?"
        description={<>“{head.title}” stops at once. What it has done so far stays in its record.</>}
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
