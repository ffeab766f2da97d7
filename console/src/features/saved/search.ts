import { textOf } from "../../lib/search.ts";

/** The search parameters of the voices and the output templates. */
export interface SavedSearch {
  /** The id of the one that is open, or {@link NEW_SAVED}. */
  readonly open?: string;
}

/** The form of one that is yet to be made. */
export const NEW_SAVED = "new";

/** Reads it; unknown parameters are dropped. */
export function readSavedSearch(search: Record<string, unknown>): SavedSearch {
  const open = textOf(search["open"]);
  return open === undefined ? {} : { open };
}
