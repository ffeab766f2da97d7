import type { ReactNode } from "react";
import type { Pages } from "../api/use-pages.ts";
import { VanishingButton } from "./vanishing-button.tsx";
import { ErrorState, LoadingRows } from "./states.tsx";

/** A list in each of its states: loading, failed, empty, and its rows with a way to more of them. */
export function PagedList<Row>({
  pages,
  empty,
  children,
}: {
  readonly pages: Pages<Row>;
  readonly empty: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}) {
  const { rows, error, isStale, refetch } = pages;
  if (rows === undefined) return error === null ? <LoadingRows /> : <ErrorState error={error} onRetry={refetch} />;
  // That other filters have found nothing says nothing about these.
  if (rows.length === 0) return isStale ? <LoadingRows /> : empty;
  return (
    <>
      {children(rows)}
      <ShowMore pages={pages} />
    </>
  );
}

/** The way to more rows of a list, where there are more. */
export function ShowMore({
  pages: { hasMore, isFetchingMore, fetchMore },
}: {
  readonly pages: Pick<Pages<unknown>, "hasMore" | "isFetchingMore" | "fetchMore">;
}) {
  if (!hasMore) return null;
  return (
    <div className="flex justify-center py-4">
      <VanishingButton isBusy={isFetchingMore} onClick={fetchMore}>
        Show more
      </VanishingButton>
    </div>
  );
}
