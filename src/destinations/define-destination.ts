import type { Socket } from "node:net";
import type { z } from "zod";
import type { DestinationForm } from "#domain/destinations/destination-form.ts";
import type { Payload } from "#domain/destinations/payload.ts";

/** The HTTP API of a vendor, whose base URL is a setting of the instance. */
export interface VendorApi {
  /** The setting that replaces the base URL, such as `TELEGRAM_API_BASE`. */
  readonly setting: string;
  /** The vendor's own base URL; absent where each route brings its URL, of which the setting replaces the origin. */
  readonly base?: string;
}

/** An HTTP request of a delivery; POST unless told. */
export interface DeliveryRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a JSON body. */
  readonly json?: unknown;
  /** Sent as it is, in place of `json`. */
  readonly body?: string | Uint8Array;
  /** A status besides 2xx that counts as success. */
  readonly alsoOk?: number;
}

/** The reply to a request: 2xx, or what `alsoOk` allows. */
export interface DeliveryResponse {
  readonly status: number;
  /** The body, up to 64 KiB of it. */
  readonly text: string;
}

/** What a delivery may use. Every request and reply is recorded for the log, secrets removed. */
export interface DeliveryContext {
  /** The same on every attempt of a delivery: what a vendor takes as an idempotency key. */
  readonly deliveryId: string;
  /** The name in what is created elsewhere: `[Service] My task`. */
  readonly serviceName: string;
  /** When this attempt started. */
  readonly now: Date;
  /** The Trello card that the task came from; null for all others. */
  readonly mappedCardId: string | null;
  /** Calls the vendor's API. @param path begins with a slash. @throws DeliveryError. */
  callApi(path: string, request: DeliveryRequest): Promise<DeliveryResponse>;
  /** Calls a URL of the route's configuration, within the limits on outgoing URLs. @throws DeliveryError. */
  callUrl(url: string, request: DeliveryRequest): Promise<DeliveryResponse>;
  /** Connects to a host of the route's configuration, within the same limits. The attempt's end closes the socket. */
  connect(host: string, port: number): Promise<Socket>;
  /** Records what was sent and received on such a connection. */
  record(request: string, response: string): void;
  /** An access token of the workspace's Google account. @throws DeliveryError when none is connected. */
  googleAccessToken(): Promise<string>;
}

/** How to set a destination up. */
export interface DestinationGuide<Config extends z.ZodObject> {
  /** Where people get what they fill in, in Markdown. */
  readonly setup: string;
  /** A complete configuration as people give it; no value of it works anywhere. */
  readonly example: z.input<Config>;
}

/** A kind of receiver: one file in this folder with this as its default export. */
export interface Destination<Config extends z.ZodObject = z.ZodObject, Content = Payload> extends DestinationForm {
  readonly config: Config;
  /** What its page in the documentation says; absent where no route is of this type. */
  readonly guide?: DestinationGuide<Config>;
  /** Absent where there is no vendor. */
  readonly vendor?: VendorApi;
  /**
   * Delivers a payload once. It never retries, logs or reads the database; repeating it after a failure must do as
   * little harm as the vendor allows. @throws DeliveryError, or whatever the context's methods throw.
   */
  deliver(context: DeliveryContext, config: z.output<Config>, payload: Content): Promise<void>;
}

/** Declares a destination; the generated registry finds it by its file. */
export function defineDestination<Config extends z.ZodObject, Content = Payload>(
  destination: Omit<Destination<Config, Content>, "account"> & { readonly account?: Destination["account"] },
): Destination<Config, Content> {
  return { account: null, ...destination };
}
