import { textOf } from "../../lib/search.ts";

/** What the address of the model vendors says. */
export interface ModelsSearch {
  /** The vendor whose key is being set. */
  readonly vendor?: string;
}

/** Reads the search parameters of the model vendors; unknown ones are dropped. */
export function readModelsSearch(search: Record<string, unknown>): ModelsSearch {
  const vendor = textOf(search["vendor"]);
  return vendor === undefined ? {} : { vendor };
}
