import { createCall } from "./call.ts";
import type { Connection } from "./operation.ts";
import { createTransport } from "./transport.ts";
import type { ClientOptions } from "./transport.ts";

/** Operations by name: functions that make a client's methods. */
type Operations = Readonly<Record<string, (connection: Connection) => unknown>>;

/** A client with a method for each of these operations. */
export type ClientOf<Given extends Operations> = { readonly [Name in keyof Given]: ReturnType<Given[Name]> };

/**
 * Creates a client with the given operations only, so that bundlers leave out all others:
 * `createClientOf(options, { createTask, streamTask })`.
 */
export function createClientOf<Given extends Operations>(options: ClientOptions, operations: Given): ClientOf<Given>;
export function createClientOf(options: ClientOptions, operations: Operations) {
  const transport = createTransport(options);
  const connection = { call: createCall(transport), transport, options };
  return Object.fromEntries(Object.entries(operations).map(([name, method]) => [name, method(connection)]));
}
