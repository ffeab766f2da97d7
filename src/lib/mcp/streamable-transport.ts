import { StreamableHTTPClientTransport, isJSONRPCRequest } from "@modelcontextprotocol/client";
import type { FetchLike } from "@modelcontextprotocol/client";

/** Least time between two attempts to open a stream again, in milliseconds: a server may ask for none. */
const MIN_RECONNECT_MS = 1_000;
/** Our own code of JSON-RPC errors; see https://www.jsonrpc.org/specification#error_object for the range. */
const CONNECTION_LOST = -32000;

/**
 * The SDK's transport for streamable HTTP. A request whose response stream ends before its response fails at once:
 * the SDK would let it wait until its time is up.
 */
export class StreamableTransport extends StreamableHTTPClientTransport {
  constructor(url: URL, options: { readonly fetch: FetchLike; readonly headers: Readonly<Record<string, string>> }) {
    super(url, {
      fetch: options.fetch,
      requestInit: { headers: { ...options.headers } },
      reconnectionScheduler(reconnect, delay) {
        const timer = setTimeout(reconnect, Math.max(delay, MIN_RECONNECT_MS));
        return () => clearTimeout(timer);
      },
    });
  }

  override async send(...[message, options]: Parameters<StreamableHTTPClientTransport["send"]>): Promise<void> {
    const isPlain = !Array.isArray(message) && isJSONRPCRequest(message) && options?.onRequestStreamEnd === undefined;
    if (!isPlain) return super.send(message, options);
    const error = { code: CONNECTION_LOST, message: "the connection was lost before the response" };
    // After the response has come it means nothing: nothing waits for this id any more.
    const onRequestStreamEnd = () => this.onmessage?.({ jsonrpc: "2.0", id: message.id, error });
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}
