import { useQuery } from "@tanstack/react-query";
import { getMarketplaceAgent, listMarketplaceAgents } from "#client/gen/operations/marketplace.ts";
import { call } from "../../api/client.ts";
import type { components } from "#client/gen/schema.ts";
import { usePages } from "../../api/use-pages.ts";
import { given } from "../../lib/given.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { MarketplaceSearch } from "./search.ts";

/** An agent that a workspace offers to the others. */
export type Listing = components["schemas"]["Listing"];

/** The path of the listings that match the filters. */
export function marketplacePath(search: MarketplaceSearch): string {
  return `/console/api/marketplace${stringifySearch(marketplaceQuery(search))}`;
}

function marketplaceQuery({ q, tag, sort }: MarketplaceSearch) {
  return given({ q, tag, sort });
}

/** The listings that match the filters. */
export function useListings(search: MarketplaceSearch) {
  return usePages(["marketplace"], [listMarketplaceAgents, marketplaceQuery(search)]);
}

/** One of them. */
export function useListing(id: string) {
  return useQuery({ queryKey: ["marketplace", id], queryFn: () => call(getMarketplaceAgent)({ id }) });
}
