import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** A request that the server got. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Resolves when the caller has gone away before the answer was complete. */
  readonly gone: Promise<void>;
}

/** A server on loopback in the role of one on the internet. */
export interface FakeServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

/** Starts a server that answers each request with a handler; it may leave an answer open. */
export async function startFakeServer(
  answer: (request: SeenRequest, response: ServerResponse) => void,
): Promise<FakeServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const gone = Promise.withResolvers<void>();
    response.once("close", () => {
      if (!response.writableEnded) gone.resolve();
    });
    const one = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: await text(request),
      gone: gone.promise,
    };
    seen.push(one);
    answer(one, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server on loopback has a port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Ends an answer with JSON. */
export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
