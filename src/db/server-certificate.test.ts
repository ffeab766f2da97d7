import { once } from "node:events";
import { createServer } from "node:net";
import type { Socket } from "node:net";
import { TLSSocket, createSecureContext } from "node:tls";
import { generate } from "selfsigned";
import { expect, onTestFinished, test } from "vitest";
import { certificateEnd } from "./server-certificate.ts";

const SSL_REQUEST = "0000000804d2162f";
const TIMEOUT_MS = 10_000;

test("the end of a server's certificate is read as a PostgreSQL client reads it", async () => {
  const end = new Date(Date.now() + 86_400_000);
  end.setMilliseconds(0);
  const { cert, private: key } = await generate([{ name: "commonName", value: "db" }], { notAfterDate: end });
  const url = await listening((socket, request) => {
    expect(request.toString("hex")).toBe(SSL_REQUEST);
    socket.write("S");
    new TLSSocket(socket, { isServer: true, secureContext: createSecureContext({ cert, key }) }).on(
      "error",
      () => undefined,
    );
  });
  expect(await read(url)).toEqual(end);
});

test("a server without TLS and a socket of this machine have no certificate", async () => {
  expect(await read(await listening((socket) => void socket.write("N")))).toBeUndefined();
  expect(await read("postgresql://u@localhost/muster?host=/var/run/postgresql")).toBeUndefined();
});

test("a server that does not answer fails the reading", async () => {
  const url = await listening(() => undefined);
  await expect(certificateEnd(url, AbortSignal.timeout(50))).rejects.toThrow("aborted");
});

const read = (url: string) => certificateEnd(url, AbortSignal.timeout(TIMEOUT_MS));

/** A server that answers the first message of each connection; returns its URL. */
async function listening(answer: (socket: Socket, request: Buffer) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", (request) => answer(socket, request));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  return `postgresql://u@127.0.0.1:${typeof address === "object" ? address?.port : ""}/muster`;
}
