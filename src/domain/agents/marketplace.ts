/** The sort orders of the marketplace: newest first, or most installed first. */
export const MARKETPLACE_SORTS = ["newest", "installs"] as const;

/** One of {@link MARKETPLACE_SORTS}. */
export type MarketplaceSort = (typeof MARKETPLACE_SORTS)[number];
