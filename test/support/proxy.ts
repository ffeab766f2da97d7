import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

/** A request that a proxy got. */
export interface ProxiedRequest {
  /** CONNECT for a tunnel. */
  readonly method: string;
  /** The target's host and port. */
  readonly target: string;
}

/** A forward proxy on loopback: tunnels for https, whole URLs for http. */
export interface TestProxy {
  /** Its address. */
  readonly url: string;
  /** The requests that it passed on; a refused one is not among them. */
  readonly passed: readonly ProxiedRequest[];
  close(): Promise<void>;
}

/** Options of {@link startProxy}. */
export interface ProxyOptions {
  /** What the user name and password must be, as `name:password`; by default it wants none. */
  readonly user?: string;
  /** The ports on loopback of the hosts that it resolves; it knows this machine as well, and nothing else. */
  readonly hosts?: Readonly<Record<string, number>>;
}

/** Starts one. */
export async function startProxy({ user, hosts = {} }: ProxyOptions): Promise<TestProxy> {
  const passed: ProxiedRequest[] = [];
  const isAllowed = ({ headers }: IncomingMessage) =>
    user === undefined || headers["proxy-authorization"] === `Basic ${Buffer.from(user).toString("base64")}`;
  const portOf = ({ hostname, port }: URL) =>
    hosts[hostname] ?? (["localhost", "127.0.0.1"].includes(hostname) ? Number(port) : undefined);

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "");
    const port = portOf(url);
    if (!isAllowed(request)) return void response.writeHead(407, { "proxy-authenticate": "Basic" }).end("Who?");
    if (port === undefined) return void response.writeHead(502).end();
    passed.push({ method: request.method ?? "", target: url.host });
    const { "proxy-authorization": _, ...headers } = request.headers;
    const path = url.pathname + url.search;
    const onward = forward({ host: "127.0.0.1", port, path, method: request.method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  }

  function tunnel(request: IncomingMessage, socket: Duplex): void {
    const target = request.url ?? "";
    const port = portOf(new URL(`https://${target}`));
    socket.on("error", () => socket.destroy());
    if (!isAllowed(request)) return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    if (port === undefined) return void socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    passed.push({ method: "CONNECT", target });
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.on("close", () => onward.destroy());
  }

  const server = createServer(answer).on("connect", tunnel).listen(0, "127.0.0.1");
  const tunnels = new Set<Duplex>();
  server.on("connection", (socket) => tunnels.add(socket));
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server on loopback has a port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    passed,
    async close() {
      for (const socket of tunnels) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
