import { numberOf, oneOf, textOf } from "../../lib/search.ts";

/** The ways to look at the steps of a run. */
export const RUN_VIEWS = ["timeline", "list", "conversation", "events"] as const;

/** What the address of a run says. */
export interface RunSearch {
  readonly attempt?: number;
  readonly step?: string;
  readonly tab?: string;
  readonly view?: (typeof RUN_VIEWS)[number];
}

/** Reads the search parameters of a run; unknown ones are dropped. */
export function readRunSearch(search: Record<string, unknown>): RunSearch {
  const attempt = numberOf(search["attempt"]);
  const step = textOf(search["step"]);
  const tab = textOf(search["tab"]);
  const view = oneOf(search["view"], RUN_VIEWS);
  return {
    ...(attempt !== undefined && { attempt }),
    ...(step !== undefined && { step }),
    ...(tab !== undefined && { tab }),
    ...(view !== undefined && { view }),
  };
}
