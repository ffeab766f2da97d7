import type { Socket } from "node:net";
import type { z } from "zod";
import type { DestinationForm } from "#domain/destinations/destination-form.ts";
import type { Payload } from "#domain/destinations/payload.ts";
import type { ChannelPlace } from "#domain/people/channel-message.ts";
import type { OpenMessage, PostedMessage, QuestionMessage } from "#domain/people/question-message.ts";

/** A vendor's HTTP API; the instance can set its base URL. */
export interface VendorApi {
  /** The setting that replaces the base URL, for example `TELEGRAM_API_BASE`. */
  readonly setting: string;
  /** The vendor's base URL; absent when each route has its own URL, whose origin the setting replaces. */
  readonly base?: string;
}

/** An HTTP request of a delivery; POST by default. */
export interface DeliveryRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a JSON body. */
  readonly json?: unknown;
  /** Sent unchanged, in place of `json`. */
  readonly body?: string | Uint8Array;
  /** A status other than 2xx that counts as success. */
  readonly alsoOk?: number;
}

/** The response to a request: 2xx, or the status in `alsoOk`. */
export interface DeliveryResponse {
  readonly status: number;
  /** The first 64 KiB of the body. */
  readonly text: string;
}

/** The services available to a delivery. Every request and response is logged without secrets. */
export interface DeliveryContext {
  /** The same for every attempt of a delivery; an idempotency key for vendors. */
  readonly deliveryId: string;
  /** The title of created records: `[Service] My task`. */
  readonly serviceName: string;
  /** When this attempt started. */
  readonly now: Date;
  /** The position of the delivery in the run's trace, for receivers of the workspace's own. */
  readonly traceparent: string | undefined;
  /** The Trello card that created the task; null for other tasks. */
  readonly mappedCardId: string | null;
  /** Calls the vendor's API. @param path begins with a slash. @throws DeliveryError */
  callApi(path: string, request: DeliveryRequest): Promise<DeliveryResponse>;
  /** Calls a URL from the route's configuration, through the SSRF guard. @throws DeliveryError */
  callUrl(url: string, request: DeliveryRequest): Promise<DeliveryResponse>;
  /**
   * Connects to a host from the route's configuration, through the same guard. The socket closes when the attempt ends.
   */
  connect(host: string, port: number): Promise<Socket>;
  /** Whether a mail server is one of the operator's, which needs neither TLS nor a user. */
  isMailRelay(host: string, port: number): boolean;
  /** Logs data sent and received on such a connection. */
  record(request: string, response: string): void;
  /** An access token of the workspace's Google account. @throws DeliveryError when none is connected */
  googleAccessToken(): Promise<string>;
}

/** Instructions for setting up a destination. */
export interface DestinationGuide<Config extends z.ZodObject> {
  /** Where to get the values of the configuration, in Markdown. */
  readonly setup: string;
  /** A complete example configuration; none of its values are valid credentials. */
  readonly example: z.input<Config>;
}

/** How a destination asks people. */
export interface PeopleChannel<Config> {
  /** What to do at the vendor, in Markdown; `{url}` is the URL at which the vendor calls the route. */
  readonly setup: string;
  /** Whether presses of buttons come back; otherwise people answer by the link alone. Absent: they never do. */
  takesPresses?(config: Config): boolean;
  /** Posts a question; returns its ids if it can be edited. @throws DeliveryError */
  ask(context: DeliveryContext, config: Config, message: OpenMessage): Promise<PostedMessage | null>;
  /** Replaces a posted question. Absent where a message cannot be edited. @throws DeliveryError */
  edit?(
    context: DeliveryContext,
    config: Config,
    changed: { readonly posted: PostedMessage; readonly message: QuestionMessage },
  ): Promise<void>;
}

/** A file that an agent sends to a channel. */
export interface SentToChannel {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** A message that an agent answers. */
export interface AnsweredMessage {
  readonly place: ChannelPlace;
  /** The vendor's ids of it, with a colon between them. */
  readonly key: string;
}

/** How people talk to an agent in a channel of a destination. */
export interface TalkChannel<Config extends z.ZodObject = z.ZodObject> {
  /** What to do at the vendor, in Markdown; `{url}` is the URL at which the vendor calls the route. */
  readonly setup: string;
  /** The configuration of a route of kind agent: fields of the destination's own, of which others are required. */
  readonly config: Config;
  /** The largest file that can be sent, in bytes. */
  readonly maxFileBytes: number;
  /** How long to wait between two edits in a channel, in milliseconds. */
  gapMs(channel: string): number;
  /** Splits a text into messages. */
  split(text: string): readonly string[];
  /** Posts a message. @throws DeliveryError */
  say(
    context: DeliveryContext,
    config: z.output<Config>,
    message: { readonly place: ChannelPlace; readonly text: string },
  ): Promise<PostedMessage>;
  /** Replaces the text of a message. @throws DeliveryError */
  change(
    context: DeliveryContext,
    config: z.output<Config>,
    message: { readonly posted: PostedMessage; readonly text: string },
  ): Promise<void>;
  /** Finds what an earlier attempt of this delivery has posted. Absent where the vendor has no such look-up. */
  find?(context: DeliveryContext, config: z.output<Config>, below: AnsweredMessage): Promise<PostedMessage | undefined>;
  /** Sends a file. @throws DeliveryError */
  send(
    context: DeliveryContext,
    config: z.output<Config>,
    message: { readonly place: ChannelPlace; readonly file: SentToChannel },
  ): Promise<void>;
}

/** A destination type: one file in this folder, with the destination as its default export. */
export interface Destination<Config extends z.ZodObject = z.ZodObject, Content = Payload> extends DestinationForm {
  readonly config: Config;
  /** The introduction of its documentation page; absent when no route can have this type. */
  readonly guide?: DestinationGuide<Config>;
  /** Absent without a vendor. */
  readonly vendor?: VendorApi;
  /** Absent for a destination that cannot ask people. */
  readonly people?: PeopleChannel<z.output<Config>>;
  /** Absent for a destination in which nobody can talk to an agent. */
  readonly talk?: TalkChannel;
  /**
   * Delivers a payload once. It never retries, logs or reads the database; repeating it after a failure must have as
   * few side effects as the vendor allows. @throws DeliveryError, or any error of the context's methods
   */
  deliver(context: DeliveryContext, config: z.output<Config>, payload: Content): Promise<void>;
}

/** Defines a destination; the generated registry imports it from its file. */
export function defineDestination<Config extends z.ZodObject, Content = Payload>(
  destination: Omit<Destination<Config, Content>, "account" | "peopleSetup" | "agentSetup" | "agentConfig"> & {
    readonly account?: Destination["account"];
  },
): Destination<Config, Content> {
  return {
    account: null,
    peopleSetup: destination.people?.setup ?? null,
    agentSetup: destination.talk?.setup ?? null,
    agentConfig: destination.talk?.config ?? null,
    ...destination,
  };
}

/** Defines how people talk to an agent in a destination. */
export function defineTalk<Config extends z.ZodObject>(talk: TalkChannel<Config>): TalkChannel<Config> {
  return talk;
}
