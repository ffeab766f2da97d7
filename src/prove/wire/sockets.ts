import { once } from "node:events";
import type { Server, Socket } from "node:net";

/** Listens on a free port of loopback and returns it. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

/** Ends two sockets together. */
export function join(one: Socket, other: Socket): void {
  for (const socket of [one, other]) {
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      one.destroy();
      other.destroy();
    });
  }
}
