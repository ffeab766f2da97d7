import { ErrorState, LoadingRows } from "../../ui/states.tsx";

/** In the place of what is not read yet: that it is loading, or why it failed. */
export function PendingPart({
  query,
}: {
  readonly query: { readonly data: unknown; readonly error: Error | null; readonly refetch: () => unknown };
}) {
  if (query.data !== undefined) return null;
  if (query.error === null) return <LoadingRows rows={3} />;
  return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
}
