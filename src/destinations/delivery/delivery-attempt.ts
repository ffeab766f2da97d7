import type { LookupFunction } from "node:net";
import type { Payload } from "#domain/destinations/payload.ts";
import type { Reach } from "#lib/safe-fetch/check-url.ts";
import type { SafeRequest } from "#lib/safe-fetch/safe-request.ts";

/** What deliveries of this process work with. */
export interface DeliverySettings {
  /** Sends to URLs that routes name. */
  readonly send: SafeRequest;
  /** Resolves hosts that routes name. */
  readonly lookup: LookupFunction;
  /** How far those URLs and hosts may lead. */
  readonly reach: Reach;
  /** Sends to base URLs that the operator has set, wherever they are. */
  readonly sendAnywhere: SafeRequest;
  /** Base URLs in place of the vendors' own, by their settings' names. */
  readonly vendorBases: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** How long an attempt may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** One try of a delivery. */
export interface DeliveryAttempt<Content = Payload> {
  readonly deliveryId: string;
  /** The route's configuration as it is stored, decrypted. */
  readonly config: unknown;
  readonly payload: Content;
  readonly mappedCardId: string | null;
  /** See `DeliveryContext.googleAccessToken`. */
  googleAccessToken(): Promise<string>;
  /** Fires when the process stops. */
  readonly signal: AbortSignal;
}
