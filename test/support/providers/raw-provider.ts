import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { json } from "node:stream/consumers";

/** A request as it really was on the wire. */
export interface RawRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

/** A fake provider that answers with exactly the bytes that a test writes. */
export interface RawProvider {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly requests: readonly RawRequest[];
  /** Resolves when the client has gone away from a response that was not ended. */
  readonly hungUp: Promise<void>;
  /** Breaks every open connection, as a crashed provider does. */
  cutConnections(): void;
  close(): Promise<void>;
}

/** Starts a fake provider on loopback; `answer` writes each response. */
export async function startRawProvider(
  answer: (response: ServerResponse) => void | Promise<void>,
): Promise<RawProvider> {
  const requests: RawRequest[] = [];
  const hungUp = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    requests.push({
      path: request.url ?? "",
      headers: request.headers,
      body: await json(request),
    });
    response.once("close", () => {
      if (!response.writableEnded) {
        hungUp.resolve();
      }
    });
    await answer(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: urlOf(server.address()),
    requests,
    hungUp: hungUp.promise,
    cutConnections: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** An event as text, or with its very bytes, as in a stream of frames. */
export type RawEvent = string | Uint8Array;

/** Writes the head of an event stream and these events, each on its own flush; leaves the response open. */
export function writeEvents(
  response: ServerResponse,
  events: readonly RawEvent[],
  contentType: string = "text/event-stream",
): void {
  response.writeHead(200, { "content-type": contentType });
  for (const event of events) response.write(wireOf(event));
}

/** An event as it is on the wire. */
export function wireOf(event: RawEvent): RawEvent {
  return typeof event === "string" ? `${event}\n\n` : event;
}

function urlOf(address: ReturnType<ReturnType<typeof createServer>["address"]>): string {
  if (address === null || typeof address === "string") {
    throw new Error("The fake provider has no port.");
  }
  return `http://127.0.0.1:${address.port}`;
}
