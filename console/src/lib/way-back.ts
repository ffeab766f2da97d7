import { useRouter } from "@tanstack/react-router";
import type { RouterHistory } from "@tanstack/react-router";
import { useCallback } from "react";

const KEY = "muster.visited";

/** The paths of this tab's pages, by their place in its history; a reload keeps them. */
const visited: (string | null)[] = [];

/** Notes where in the history each page is, for {@link useWayBack}. */
export function noteVisits(history: RouterHistory): void {
  visited.push(...JSON.parse(sessionStorage.getItem(KEY) ?? "[]"));
  const note = () => {
    visited[history.location.state.__TSR_index] = history.location.pathname;
    sessionStorage.setItem(KEY, JSON.stringify(visited));
  };
  note();
  history.subscribe(note);
}

/**
 * Leads back to the page of a workspace from which the person came to this one, as the person left it, such as with its
 * filters. Returns false when there is none.
 */
export function useWayBack(): () => boolean {
  const { history } = useRouter();
  return useCallback(() => {
    const steps = stepsBack(visited, history.location.state.__TSR_index);
    if (steps === undefined) return false;
    history.go(-steps);
    return true;
  }, [history]);
}

/** How far back the nearest other page of a workspace is; several entries of one page are states of it. */
export function stepsBack(paths: readonly (string | null | undefined)[], now: number): number | undefined {
  const before = paths.slice(0, now).findLastIndex((path) => path?.startsWith("/w/") === true && path !== paths[now]);
  return before === -1 ? undefined : now - before;
}
