import { oneOf, textOf } from "../../lib/search.ts";

/** The tabs of the screen; without one the routes are shown. */
export const DESTINATION_TABS = ["deliveries", "webhooks"] as const;
/** The state of a delivery. */
export const DELIVERY_STATUSES = ["pending", "success", "failed"] as const;
/** How far back deliveries are listed. */
export const DELIVERY_PERIODS = ["1h", "24h", "7d"] as const;

/** The lists and dialogs of the screen, as the URL has them. */
export interface DestinationsSearch extends DeliverySearch {
  readonly tab?: (typeof DESTINATION_TABS)[number] | undefined;
  /** A part of the name of a route, or of the URL of a subscription. */
  readonly q?: string | undefined;
  /** The form that is open: of a new one, or of the one with this id. */
  readonly edit?: string | undefined;
}

/** Which deliveries are listed, and the one that is open. */
export interface DeliverySearch {
  readonly status?: (typeof DELIVERY_STATUSES)[number] | undefined;
  readonly since?: (typeof DELIVERY_PERIODS)[number] | undefined;
  readonly delivery?: string | undefined;
}

/** Reads the parameters of the screen; unknown ones are dropped. */
export function readDestinationsSearch(search: Record<string, unknown>): DestinationsSearch {
  const tab = oneOf(search["tab"], DESTINATION_TABS);
  const status = oneOf(search["status"], DELIVERY_STATUSES);
  const since = oneOf(search["since"], DELIVERY_PERIODS);
  const [q, delivery, edit] = [textOf(search["q"]), textOf(search["delivery"]), textOf(search["edit"])];
  return {
    ...(tab !== undefined && { tab }),
    ...(q !== undefined && { q }),
    ...(status !== undefined && { status }),
    ...(since !== undefined && { since }),
    ...(delivery !== undefined && { delivery }),
    ...(edit !== undefined && { edit }),
  };
}
