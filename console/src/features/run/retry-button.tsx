import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { RetryIcon } from "../../ui/icon.tsx";
import type { FailureActions } from "./failure/actions.ts";

/** Continues an ended run from the step at which it ended; nothing where that cannot be done. */
export function RetryButton({
  failure: { onRetry, isRetrying },
  look,
}: {
  readonly failure: Pick<FailureActions, "onRetry" | "isRetrying">;
  /** Primary, unless something else has to be done first. */
  readonly look: "primary" | "plain";
}) {
  const blockedBy = useBlockedBy("member");
  if (onRetry === undefined) return null;
  return (
    <Button
      look={look}
      icon={RetryIcon}
      isBusy={isRetrying}
      blockedBy={blockedBy}
      className="print:hidden"
      onClick={onRetry}
    >
      <span>
        Retry<span className="max-sm:sr-only"> from step</span>
      </span>
    </Button>
  );
}
