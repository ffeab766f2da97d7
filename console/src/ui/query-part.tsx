import type { ReactNode } from "react";
import { asProblem } from "../api/problem.ts";
import { Button } from "./button.tsx";
import { ErrorState, LoadingRows } from "./states.tsx";

/** What a part of a screen needs of the query that feeds it. */
export interface PartQuery<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** A part of a screen that loads, fails and is tried again on its own; what it has stays while it is read again. */
export function QueryPart<T>({
  query: { data, error, refetch },
  children,
}: {
  readonly query: PartQuery<T>;
  readonly children: (data: T) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  return error === null ? <LoadingRows rows={3} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
}

/** In a form: that the choices of a field could not be loaded. */
export function ChoicesError({ query: { data, error, refetch } }: { readonly query: PartQuery<unknown> }) {
  if (error === null || data !== undefined) return null;
  return (
    <p role="alert" className="flex flex-wrap items-center gap-2 text-small text-failed">
      {asProblem(error).message}
      <Button size="small" onClick={() => void refetch()}>
        Retry
      </Button>
    </p>
  );
}

/** Whether a query has never had an answer. It does not become true again when a failed query is tried once more. */
export function isFirstTry(query: { readonly isPending: boolean; readonly isFetched: boolean }): boolean {
  return query.isPending && !query.isFetched;
}
