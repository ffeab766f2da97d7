import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { GatheringSocket } from "./gathering-socket.ts";

test("what is written in one turn arrives in one piece", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const socket = new GatheringSocket();
  socket.connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  const [[peer]] = await Promise.all([once(server, "connection"), once(socket, "connect")]);
  for (const text of ["begin;", "select 1;", "commit"]) socket.write(text);
  expect(socket.writableLength).toBe("begin;select 1;commit".length);
  const [received] = await once(peer, "data");
  expect(String(received)).toBe("begin;select 1;commit");
  socket.destroy();
  server.close();
});
