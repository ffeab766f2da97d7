/** The vendors that call a route when somebody answers, by type of destination. */
export const CALLING_VENDORS = ["slack", "telegram", "discord"] as const;

/** One of {@link CALLING_VENDORS}. */
export type CallingVendor = (typeof CALLING_VENDORS)[number];

/** The path at which a vendor calls a route. */
export function channelPath(routeId: string, vendor: CallingVendor): string {
  return `/channels/${routeId}/${vendor}`;
}
