import type { Socket } from "node:net";
import type { ServerType } from "@hono/node-server";
import { atMost } from "../async/at-most.ts";

const POLL_INTERVAL_MS = 20;

/**
 * Tracks a server's connections from the start; the returned function shuts it down: stops accepting connections, waits
 * up to `graceMs` for responses in progress, and closes the rest. The caller must end endless streams.
 */
export function trackConnections(server: ServerType): (graceMs: number) => Promise<void> {
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });

  // A connection whose response was sent would wait for its client's next request, and a preconnected one for its
  // first; Node does not count the latter as idle.
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
