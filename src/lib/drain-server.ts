import type { ServerType } from "@hono/node-server";
import { atMost } from "./at-most.ts";

const LOOK_MS = 20;

/**
 * Takes no further connections, lets the requests that have begun get their answers within `graceMs`, and closes
 * what is left. Streams that never end have to be ended by the caller.
 */
export async function drainServer(server: ServerType, graceMs: number): Promise<void> {
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // A connection whose answer goes out now would wait for its client's next request.
  const idle = setInterval(() => "closeIdleConnections" in server && server.closeIdleConnections(), LOOK_MS);
  await atMost(graceMs, answered);
  clearInterval(idle);
  if ("closeAllConnections" in server) server.closeAllConnections();
}
