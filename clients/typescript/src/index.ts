import { createCall } from "./call.ts";
import { createOperations } from "./operations.gen.ts";
import type { Operations } from "./operations.gen.ts";
import type { components } from "./schema.gen.ts";
import { createStreams } from "./streams.ts";
import type { Streams } from "./streams.ts";
import { createTransport } from "./transport.ts";
import type { ClientOptions } from "./transport.ts";

/** Every operation of the API by its operationId, and the streams of runs. */
export type MusterClient = Operations & Streams;

/** Creates a client for a service and a key. */
export function createClient(options: ClientOptions): MusterClient {
  const transport = createTransport(options);
  return { ...createOperations(createCall(transport)), ...createStreams(transport, options) };
}

/** The records and bodies of the API by name, as in `Schemas["Agent"]`. */
export type Schemas = components["schemas"];

export { MusterError } from "./muster-error.ts";
export type { FieldIssue } from "./muster-error.ts";
export type { Page } from "./page.ts";
export type { StreamEvent, StreamOptions, StreamedEvent } from "./streams.ts";
export type { CallOptions, ClientOptions } from "./transport.ts";
