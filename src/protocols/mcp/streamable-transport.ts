import { StreamableHTTPClientTransport, isJSONRPCRequest } from "@modelcontextprotocol/client";
import type { AuthProvider, FetchLike } from "@modelcontextprotocol/client";

/** The minimum time between reconnects of a stream, in milliseconds: a server may ask for none. */
const MIN_RECONNECT_MS = 1_000;
/** Our own JSON-RPC error code; see https://www.jsonrpc.org/specification#error_object for the range. */
const CONNECTION_LOST = -32000;

/**
 * The SDK's transport for streamable HTTP. A request fails immediately if its response stream ends early; the SDK would
 * wait until its time limit.
 */
export class StreamableTransport extends StreamableHTTPClientTransport {
  constructor(
    url: URL,
    options: {
      readonly fetch: FetchLike;
      readonly headers: Readonly<Record<string, string>>;
      readonly authProvider: AuthProvider;
    },
  ) {
    super(url, {
      fetch: options.fetch,
      authProvider: options.authProvider,
      onInsufficientScope: "throw",
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
    // After the response this has no effect: nothing waits for this id.
    const onRequestStreamEnd = () => this.onmessage?.({ jsonrpc: "2.0", id: message.id, error });
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}
