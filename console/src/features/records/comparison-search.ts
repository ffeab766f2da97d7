import { oneOf, textOf } from "../../lib/search.ts";

/** One attempt of a run. */
export interface RunRef {
  readonly id: string;
  /** The newest one when absent. */
  readonly attempt?: number;
}

/** The search parameters of a comparison. */
export interface CompareSearch {
  readonly a?: string;
  readonly b?: string;
  /** The pair of steps that is open. */
  readonly pair?: string | undefined;
  readonly tab?: CompareTab;
  /** Whether equal steps are shown, too. */
  readonly equal?: "shown";
}

/** What of two steps is compared. */
export const COMPARE_TABS = ["output", "prompt"] as const;

/** One of {@link COMPARE_TABS}. */
export type CompareTab = (typeof COMPARE_TABS)[number];

/** Reads the search parameters of a comparison; unknown ones are dropped. */
export function readCompareSearch(search: Record<string, unknown>): CompareSearch {
  const [a, b, pair] = [textOf(search["a"]), textOf(search["b"]), textOf(search["pair"])];
  const tab = oneOf(search["tab"], COMPARE_TABS);
  const equal = oneOf(search["equal"], ["shown"]);
  return {
    ...(a !== undefined && { a }),
    ...(b !== undefined && { b }),
    ...(pair !== undefined && { pair }),
    ...(tab !== undefined && { tab }),
    ...(equal !== undefined && { equal }),
  };
}

/** An attempt as URLs of comparisons name it: `<id>.<attempt>`. */
function writeRef({ id, attempt }: RunRef): string {
  return attempt === undefined ? id : `${id}.${attempt}`;
}

/** Reads what {@link writeRef} writes; undefined for anything else. */
export function readRef(text: string | undefined): RunRef | undefined {
  const [, id, attempt] = /^([\w-]+)(?:\.([1-9]\d{0,8}))?$/.exec(text ?? "") ?? [];
  if (id === undefined) return undefined;
  return { id, ...(attempt !== undefined && { attempt: Number(attempt) }) };
}

/** The search parameters of a comparison of two attempts; without the second one it is still to be chosen. */
export function comparisonOf(a: RunRef, b?: RunRef): CompareSearch {
  return { a: writeRef(a), ...(b !== undefined && { b: writeRef(b) }) };
}
