import { once } from "node:events";
import { createServer } from "node:net";
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { GatheringSocket } from "./gathering-socket.ts";

test("writes of one event-loop turn are sent together at its end, in order", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on a port.");
  const accepted: Promise<Socket[]> = once(server, "connection");
  const socket = new GatheringSocket();
  socket.connect(address.port, "127.0.0.1");
  await once(socket, "connect");
  const [received] = await accepted;
  if (received === undefined) throw new Error("The server has accepted the connection.");
  const all = text(received);
  for (const part of ["one", "two"]) {
    socket.cork();
    socket.write(part);
    socket.uncork();
    await Promise.resolve();
  }
  socket.write("three");
  expect(socket.writableLength).toBe("onetwothree".length);
  await turn();
  socket.end("four");
  expect(await all).toBe("onetwothreefour");
  server.close();
});
