import type { ReactNode } from "react";
import { Page } from "./page.tsx";
import { ErrorState, LoadingRows } from "./states.tsx";

/** The page of a record that is not there yet, or was not found. */
export function PendingPage({
  noun,
  above,
  error,
  onRetry,
}: {
  /** What it is, such as `Schedule`. */
  readonly noun: string;
  /** The way back. */
  readonly above: ReactNode;
  readonly error: Error | null;
  readonly onRetry: () => void;
}) {
  return (
    <Page title={error === null ? noun : `${noun} not found`} above={above}>
      {error === null ? <LoadingRows rows={6} /> : <ErrorState error={error} onRetry={onRetry} />}
    </Page>
  );
}
