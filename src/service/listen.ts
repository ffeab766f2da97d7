import { hostname } from "node:os";
import { serve } from "@hono/node-server";
import { trackConnections } from "#lib/http/drain-server.ts";
import type { Config } from "#config/config.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";
import { codeOf } from "#lib/error-code.ts";

/**
 * How long an idle connection stays open, in milliseconds: longer than load balancers and clients keep theirs;
 * otherwise they would send a request over a connection that is being closed.
 */
const KEEP_ALIVE_MS = 75_000;

/** The maximum size of a request's line and headers: URLs of searches are long, and Node's default is 16 KiB. */
const MAX_HEADER_BYTES = 65_536;

/** The service cannot listen on its host and port; the message names the setting to correct. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/**
 * Converts the system's error of listening on a host and port to one for the operator; returns other errors unchanged.
 * @param prefix of the settings' names: `OPS_` for the port of the metrics
 */
export function explainListenError(error: Error, host: string, port: number, prefix: "" | "OPS_" = ""): Error {
  const explain = LISTEN_ERRORS[codeOf(error)];
  return explain === undefined ? error : new ListenError(explain(host, port, prefix), { cause: error });
}

const LISTEN_ERRORS: Readonly<Record<string, (host: string, port: number, prefix: string) => string>> = {
  EADDRINUSE: (host, port, prefix) => `${host}:${port} is already in use. Set ${prefix}PORT to a free port.`,
  EADDRNOTAVAIL: noSuchHost,
  ENOTFOUND: noSuchHost,
  EAI_AGAIN: noSuchHost,
  EACCES: (_, port, prefix) =>
    `This user may not listen on port ${port}. Set ${prefix}PORT to one above 1023, such as 4400, or put a proxy in front.`,
};

function noSuchHost(host: string, _: number, prefix: string): string {
  return `${prefix}HOST: this machine has no address ${host}. Set it to 127.0.0.1 (this machine only), 0.0.0.0 (all networks) or one of its addresses.`;
}

/**
 * Serves an application on the configured port, or on a free one if that is 0; returns the port, and a function to shut
 * down.
 * @throws ListenError when the port is in use, or the host or port cannot be used
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
    server.once("error", (error) => reject(explainListenError(error, config.HOST, config.PORT)));
  });
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
