import type { IncomingMessage } from "node:http";
import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../context.ts";

const ERROR = 400;
/** More of a rejected body is not received, in bytes. */
const MAX_BYTES = 128 * 1_048_576;

/**
 * Receives the rest of a rejected request before its response is sent, such as an upload that is too large or has a
 * wrong key. The connection is closed soon after a response, and most clients send all of a body before they read:
 * they would see a reset connection instead of the reason.
 */
export function receiveRest(): MiddlewareHandler<HttpEnv> {
  return async function receiveRest(c, next) {
    await next();
    const { incoming } = c.env;
    // What has begun to read a body holds its stream.
    if (c.res.status < ERROR || incoming.complete || incoming.readableDidRead) return;
    await discard(incoming);
  };
}

/** Discards a body until its end, its limit, or the end of the connection. Node limits the time of a request. */
function discard(incoming: Pick<IncomingMessage, "on" | "once">): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) resolve();
    });
    for (const event of ["end", "error", "close"]) incoming.once(event, () => resolve());
  });
}
