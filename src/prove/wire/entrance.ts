import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { join, listenOnLoopback } from "./sockets.ts";

/** A process of the service, as the entrance sees it. */
export interface Host {
  readonly port: number;
}

/** A single address in front of all processes, as a load balancer has. */
export interface Entrance<H extends Host> {
  readonly url: string;
  /** Waits until a POST has reached a process that has not answered. @returns it; undefined after `ms` without one */
  nextPost(ms: number): Promise<H | undefined>;
  /** Breaks all connections of clients. @returns how many there were */
  cut(): number;
  close(): Promise<void>;
}

const POST = "POST ";

/**
 * Opens the entrance. Each connection leads to the process that `pick` returns at that moment; without one it is
 * closed.
 */
export async function openEntrance<H extends Host>(pick: () => H | undefined): Promise<Entrance<H>> {
  const clients = new Set<Socket>();
  const waiting = new Set<(host: H) => void>();
  const server = createServer((client) => {
    const host = pick();
    if (host === undefined) return void client.destroy();
    const upstream = connect(host.port, "127.0.0.1");
    clients.add(client);
    client.once("close", () => clients.delete(client));
    join(client, upstream);
    client.on("data", (chunk: Buffer) => {
      upstream.write(chunk);
      if (!chunk.toString("latin1", 0, POST.length).startsWith(POST)) return;
      for (const tell of waiting) tell(host);
    });
    upstream.pipe(client);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async nextPost(ms) {
      const next = Promise.withResolvers<H>();
      waiting.add(next.resolve);
      const host = await Promise.race([next.promise, sleep(ms, undefined)]);
      waiting.delete(next.resolve);
      return host;
    },
    cut() {
      const count = clients.size;
      for (const client of clients) client.destroy();
      return count;
    },
    async close() {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
