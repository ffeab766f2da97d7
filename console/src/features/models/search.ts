import { textOf } from "../../lib/search.ts";

/** The search parameters of the model providers. */
export interface ModelsSearch {
  /** The provider whose key is being set. */
  readonly provider?: string;
}

/** Reads the search parameters of the model providers; unknown ones are dropped. */
export function readModelsSearch(search: Record<string, unknown>): ModelsSearch {
  const provider = textOf(search["provider"]);
  return provider === undefined ? {} : { provider };
}
