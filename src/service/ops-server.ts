import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { Config } from "#config/config.ts";
import { explainListenError } from "./listen.ts";
import type { Metrics } from "./metrics.ts";

/** The operators' server, on its own port. */
export interface OpsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` on OPS_PORT at OPS_HOST; undefined without OPS_PORT. There is no authentication: anyone who can
 * reach the port can read it.
 * @throws ListenError when the port is in use, or the host or port cannot be used
 */
export async function openOpsServer(config: Config, metrics: Metrics): Promise<OpsServer | undefined> {
  const { OPS_PORT: wanted, OPS_HOST: host } = config;
  if (wanted === undefined) return undefined;
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics")
      return respond(response, 404, "Not found. See /metrics.\n");
    metrics.collect().then(
      ({ text, contentType }) => respond(response, 200, text, contentType),
      // While the database is unavailable, its metrics are missing.
      (error: unknown) => respond(response, 503, `${error instanceof Error ? error.message : String(error)}\n`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainListenError(error, host, wanted, "OPS_")));
    server.listen(wanted, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : wanted,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(response: ServerResponse, status: number, body: string, contentType = "text/plain"): void {
  response.writeHead(status, { "Content-Type": contentType }).end(body);
}
