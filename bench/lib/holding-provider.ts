import { once } from "node:events";
import { createServer } from "node:http";

/** A call that the provider got and does not answer. */
export interface HeldCall {
  /** The key with which it was made. */
  readonly key: string;
  /** Its body, as text. */
  readonly body: string;
  /** When it had come, by `performance.now()`. */
  readonly at: number;
}

/** A provider that never responds. It runs in this process, so that one clock times both ends. */
export interface HoldingProvider {
  readonly baseUrl: string;
  /** Every call so far. */
  readonly calls: readonly HeldCall[];
  close(): void;
}

/** Starts the provider on loopback. */
export async function startHoldingProvider(): Promise<HoldingProvider> {
  const calls: HeldCall[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const key = request.headers.authorization?.replace("Bearer ", "") ?? "";
      calls.push({ key, body, at: performance.now() });
    });
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.flushHeaders();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The provider has no port.");
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    calls,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
