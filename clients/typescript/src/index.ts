import { createClientOf } from "./create-client.ts";
import type { ClientOf } from "./create-client.ts";
import * as operations from "./operations.ts";
import type { components } from "./gen/schema.ts";
import type { ClientOptions } from "./transport.ts";

/** Every operation of the API by its operationId, and the streams of runs. */
export type MusterClient = ClientOf<typeof operations>;

/** Creates a client for a service and a key. */
export function createClient(options: ClientOptions): MusterClient {
  return createClientOf(options, operations);
}

/** The records and bodies of the API by name, as in `Schemas["Agent"]`. */
export type Schemas = components["schemas"];

export { createClientOf } from "./create-client.ts";
export type { ClientOf } from "./create-client.ts";
export { MusterError } from "./muster-error.ts";
export type { FieldIssue } from "./muster-error.ts";
export type { Page } from "./page.ts";
export type { StreamEvent, StreamOptions, StreamedEvent } from "./streams.ts";
export type { CallOptions, ClientOptions } from "./transport.ts";
