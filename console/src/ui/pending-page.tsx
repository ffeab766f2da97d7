import { asProblem } from "../api/problem.ts";
import { BackLink } from "./back-link.tsx";
import type { ParentList } from "./back-link.tsx";
import { Page } from "./page.tsx";
import { ErrorState, LoadingRows } from "./states.tsx";

/** The page of a record until it is loaded, or the reason why it is not. */
export function PendingPage({
  noun,
  list,
  error,
  onRetry,
}: {
  /** What it is: `Schedule`. */
  readonly noun: string;
  readonly list: ParentList;
  readonly error: Error | null;
  readonly onRetry: () => void;
}) {
  // 400: the URL has no valid id.
  const { status, code } = asProblem(error);
  const isGone = error !== null && [400, 404].includes(status);
  return (
    <Page
      title={isGone ? `${noun} ${code === "deleted" ? "deleted" : "not found"}` : noun}
      above={<BackLink {...list} />}
    >
      {error === null ? (
        <LoadingRows rows={6} />
      ) : isGone ? (
        <ErrorState error={error} action={<BackLink {...list} isButton />} />
      ) : (
        <ErrorState error={error} onRetry={onRetry} />
      )}
    </Page>
  );
}
