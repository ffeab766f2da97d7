import { oneOf, textOf } from "../../lib/search.ts";

/** How the marketplace is ordered: newest first, or most installed first. */
export const MARKETPLACE_SORTS = ["newest", "installs"] as const;

/** What is searched for, and the listing that is open. */
export interface MarketplaceSearch {
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly sort?: (typeof MARKETPLACE_SORTS)[number] | undefined;
  readonly id?: string | undefined;
}

/** Reads the parameters; unknown ones are dropped. */
export function readMarketplaceSearch(search: Record<string, unknown>): MarketplaceSearch {
  const [q, tag, id] = [textOf(search["q"]), textOf(search["tag"]), textOf(search["id"])];
  const sort = oneOf(search["sort"], MARKETPLACE_SORTS);
  return {
    ...(q !== undefined && { q }),
    ...(tag !== undefined && { tag }),
    ...(sort !== undefined && { sort }),
    ...(id !== undefined && { id }),
  };
}
