import type { LookupFunction } from "node:net";
import type { MailRelays } from "#domain/destinations/mail-relay.ts";
import type { Payload } from "#domain/destinations/payload.ts";
import type { Reach } from "#lib/safe-fetch/check-url.ts";
import type { SafeRequest } from "#lib/safe-fetch/safe-request.ts";

/** The services for deliveries of this process. */
export interface DeliverySettings {
  /** Sends to URLs given by routes. */
  readonly send: SafeRequest;
  /** Resolves hosts given by routes. */
  readonly lookup: LookupFunction;
  /** The rule for those URLs and hosts. */
  readonly reach: Reach;
  /** Mail servers to which that rule does not apply. */
  readonly mailRelays: MailRelays;
  /** Sends to base URLs set by the operator, without restrictions. */
  readonly sendAnywhere: SafeRequest;
  /** Base URLs that replace the vendors' own, by setting name. */
  readonly vendorBases: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The time limit of an attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a delivery waits for a receiver's rate limit before a rejection counts, in milliseconds. */
  readonly maxLimitedMs: number;
}

/** One attempt of a delivery. */
export interface DeliveryAttempt<Content = Payload> {
  readonly deliveryId: string;
  /** See `DeliveryContext.traceparent`. */
  readonly traceparent?: string | undefined;
  /** The route's stored configuration, decrypted. */
  readonly config: unknown;
  readonly payload: Content;
  readonly mappedCardId: string | null;
  /** See `DeliveryContext.googleAccessToken`. */
  googleAccessToken(): Promise<string>;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
}
