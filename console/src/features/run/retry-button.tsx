import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { RetryIcon } from "../../ui/icons.tsx";
import type { FailureActions } from "./banner.tsx";

/** Continues an ended run from the step at which it ended; nothing where that cannot be done. */
export function RetryButton({
  failure: { onRetry, isRetrying },
  look,
}: {
  readonly failure: Pick<FailureActions, "onRetry" | "isRetrying">;
  /** In the head of the page it is the primary action; beside a message it is small. */
  readonly look: "primary" | "small";
}) {
  const blockedBy = useBlockedBy("member");
  if (onRetry === undefined) return null;
  return (
    <Button
      {...(look === "small" ? { size: "small" } : { look })}
      icon={RetryIcon}
      isBusy={isRetrying}
      blockedBy={blockedBy}
      className="print:hidden"
      onClick={onRetry}
    >
      Retry from step
    </Button>
  );
}
