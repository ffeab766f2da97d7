import type { Dialect } from "#protocols/a2a/dialect.ts";
import type { ViewOptions } from "#protocols/a2a/view.ts";
import type { BearerCaller } from "../bearer-caller.ts";
import type { HttpContext, HttpWorkspace } from "../context.ts";

/** What a result of a stream is sent in: a response of JSON-RPC, or nothing. */
export type Envelope = (result: object) => object;

/** A call of a method by an authenticated caller. */
export interface Call {
  readonly workspace: HttpWorkspace;
  readonly c: HttpContext;
  readonly caller: BearerCaller;
  readonly dialect: Dialect;
  /** Returns a result of a stream in the binding's envelope. */
  readonly envelope: Envelope;
  /** The agent of the endpoint; undefined at the instance's. */
  readonly agentId: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  /** The service's own URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly fileUrl: ViewOptions["fileUrl"];
}
