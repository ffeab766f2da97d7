import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import { buffer } from "node:stream/consumers";

/** A proxy on loopback in front of a service. */
export interface ReverseProxy {
  readonly url: string;
  /** What it was asked for. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

/** Starts one. @param buffers whether it passes on whole responses only */
export async function startReverseProxy(
  target: string,
  { buffers }: { readonly buffers: boolean },
): Promise<ReverseProxy> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    paths.push(path);
    const onward = forward(
      new URL(path, target),
      { method: request.method, headers: request.headers },
      async (reply) => {
        const whole = buffers ? await buffer(reply) : undefined;
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        if (whole === undefined) reply.pipe(response);
        else response.end(whole);
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server on loopback has a port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    paths,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
