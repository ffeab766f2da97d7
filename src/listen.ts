import { hostname } from "node:os";
import { serve } from "@hono/node-server";
import { trackConnections } from "#lib/http/drain-server.ts";
import type { Config } from "#config/config.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";

/**
 * How long an idle connection stays open, in milliseconds: longer than load balancers and clients keep theirs;
 * otherwise they would send a request over a connection that is being closed.
 */
const KEEP_ALIVE_MS = 75_000;

/** The maximum size of a request's line and headers: URLs of searches are long, and Node's default is 16 KiB. */
const MAX_HEADER_BYTES = 65_536;

/** The service's port is already in use. */
export class PortInUseError extends Error {
  constructor(host: string, port: number, setting: "PORT" | "OPS_PORT") {
    super(`${host}:${port} is already in use. Set ${setting} to a free port.`);
    this.name = "PortInUseError";
  }
}

/**
 * Serves an application on the configured port, or on a free one if that is 0; returns the port, and a function to shut
 * down.
 * @throws PortInUseError when the port is in use
 */
export function listenOn(
  fetch: Parameters<typeof serve>[0]["fetch"],
  config: Config,
): Promise<{ readonly port: number; readonly drain: (graceMs: number) => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const serverOptions = { keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: MAX_HEADER_BYTES };
    const at = { port: config.PORT, hostname: config.HOST, serverOptions };
    const server = serve({ fetch, ...at }, ({ port }) => resolve({ port, drain }));
    const drain = trackConnections(server);
    server.once("error", (error) =>
      reject(isTaken(error) ? new PortInUseError(config.HOST, config.PORT, "PORT") : error),
    );
  });
}

function isTaken(error: Error): boolean {
  return "code" in error && error.code === "EADDRINUSE";
}

/** The URL of a service that listens on a port: its public URL, if it has one. */
export function serviceUrl(config: Config, port: number): string {
  return publicUrl(config) ?? `http://${publicHost(config.HOST)}:${port}`;
}

/** The service's public URL, without a trailing slash; undefined when it is not set. */
export function publicUrl({ PUBLIC_URL }: Config): string | undefined {
  return PUBLIC_URL && trimEndOf(PUBLIC_URL, "/");
}

function publicHost(host: string): string {
  return host === "0.0.0.0" || host === "::" ? hostname() : host.includes(":") ? `[${host}]` : host;
}
