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

/** Two queries as one: it fails with either, and has what both have. */
export function both<A, B>(a: PartQuery<A>, b: PartQuery<B>): PartQuery<readonly [A, B]> {
  return {
    data: a.data === undefined || b.data === undefined ? undefined : [a.data, b.data],
    error: a.error ?? b.error,
    refetch: () => Promise.all([a.refetch(), b.refetch()]),
  };
}

/** A part of a screen that loads, fails and is tried again on its own; what it has stays while it is read again. */
export function QueryPart<T>({
  query: { data, error, refetch },
  rows = 4,
  children,
}: {
  readonly query: PartQuery<T>;
  /** How many lines hold its place. */
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  return error === null ? <LoadingRows rows={rows} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
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
