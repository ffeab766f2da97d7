import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "#client/gen/schema.ts";
import { usePages } from "../../api/use-pages.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { MarketplaceSearch } from "./search.ts";

/** An agent that a workspace offers to the others. */
export type Listing = components["schemas"]["Listing"];

const PATH = "/console/api/marketplace";

/** The path of the listings that match the filters. */
export function marketplacePath({ q, tag, sort }: MarketplaceSearch): string {
  return `${PATH}${stringifySearch({ q, tag, sort })}`;
}

/** The listings that match the filters. */
export function useListings(search: MarketplaceSearch) {
  return usePages<Listing>(["marketplace"], marketplacePath(search));
}

/** One of them. */
export function useListing(id: string) {
  return useQuery({ queryKey: ["marketplace", id], queryFn: () => fetchJson<Listing>(`${PATH}/${id}`) });
}
