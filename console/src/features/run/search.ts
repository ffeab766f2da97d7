import { numberOf, oneOf, textOf } from "../../lib/search.ts";

/** The views of a run. On wide screens the output is beside the steps. */
export const RUN_VIEWS = ["output", "timeline", "list", "graph", "conversation", "events"] as const;

/** One of {@link RUN_VIEWS}. */
export type RunView = (typeof RUN_VIEWS)[number];

/** The parts of the inspector. Which ones there are depends on what is selected. */
export const INSPECTOR_TABS = ["output", "prompt", "attempts", "raw", "input", "details"] as const;

/** One of {@link INSPECTOR_TABS}. */
export type InspectorTab = (typeof INSPECTOR_TABS)[number];

/** Which steps can be shown alone. */
export const STEP_FILTERS = ["failed", "model", "tool", "question", "slowest", "costliest", "last"] as const;

/** One of {@link STEP_FILTERS}. */
export type StepFilter = (typeof STEP_FILTERS)[number];

/** The search parameters of a run's page. */
export interface RunSearch {
  /** The newest one when absent. */
  readonly attempt?: number;
  /** The key of the step that is selected. */
  readonly step?: string;
  readonly tab?: InspectorTab;
  readonly view?: RunView;
  /** Which steps alone are shown. */
  readonly show?: StepFilter | undefined;
  /** The step from which a fork is being prepared. */
  readonly fork?: string;
  /** The page offers its requests, until it is closed: it is the run of a newcomer's first task. */
  readonly offer?: "api" | undefined;
}

/** Reads the search parameters of a run; unknown ones are dropped. */
export function readRunSearch(search: Record<string, unknown>): RunSearch {
  const attempt = numberOf(search["attempt"]);
  const step = textOf(search["step"]);
  const tab = oneOf(search["tab"], INSPECTOR_TABS);
  const view = oneOf(search["view"], RUN_VIEWS);
  const fork = textOf(search["fork"]);
  const show = oneOf(search["show"], STEP_FILTERS);
  const offer = oneOf(search["offer"], ["api"]);
  return {
    ...(attempt !== undefined && { attempt }),
    ...(step !== undefined && { step }),
    ...(tab !== undefined && { tab }),
    ...(view !== undefined && { view }),
    ...(fork !== undefined && { fork }),
    ...(show !== undefined && { show }),
    ...(offer !== undefined && { offer }),
  };
}
