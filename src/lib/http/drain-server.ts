import type { Socket } from "node:net";
import type { ServerType } from "@hono/node-server";
import { atMost } from "../async/at-most.ts";

const POLL_INTERVAL_MS = 20;

/**
 * Watches a server's connections from its beginning; the returned function ends it: takes no further connections, lets
 * the requests that have begun get their answers within `graceMs`, and closes what is left. Streams that never end
 * have to be ended by the caller.
 */
export function drainOf(server: ServerType): (graceMs: number) => Promise<void> {
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });

  // One whose answer went out would wait for its client's next request; one that a browser or a client keeps in
  // reserve, for the first: that is not idle in Node's eyes.
  function closeIdle(): void {
    if ("closeIdleConnections" in server) server.closeIdleConnections();
    for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
  }

  return async (graceMs) => {
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    closeIdle();
    const looking = setInterval(closeIdle, POLL_INTERVAL_MS);
    await atMost(graceMs, answered);
    clearInterval(looking);
    if ("closeAllConnections" in server) server.closeAllConnections();
  };
}
