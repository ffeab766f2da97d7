import { connect } from "node:net";

/** A request as it goes over the wire. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Sends a request whose Host header the caller chooses, which `fetch` does not allow; returns the whole answer as text. */
export function rawRequest(url: string, { method, path, headers, body }: RawRequest): Promise<string> {
  const { hostname, port } = new URL(url);
  const text = body === undefined ? "" : JSON.stringify(body);
  const lines = Object.entries({ ...headers, "content-length": String(text.length), connection: "close" });
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname);
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.once("error", reject);
    socket.once("end", () => resolve(answer));
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n${text}`);
  });
}
