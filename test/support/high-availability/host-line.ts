import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

/** The way to a port of a host, which can be cut off without a word. */
export interface HostLine {
  /** The port on loopback under which the host's port is reached. */
  readonly port: number;
  /** From now on nothing arrives at either end, and no end learns of it. */
  cut(): void;
  isCut(): boolean;
  /** Ends the connections of before; new ones arrive again. */
  mend(): void;
  close(): void;
}

/** Opens a way to a port of loopback, at a given port. */
export async function openHostLine(target: number, port: number): Promise<HostLine> {
  const ends = new Set<Socket>();
  let isCut = false;
  const keep = (end: Socket) => {
    ends.add(end.on("error", () => undefined));
    end.once("close", () => ends.delete(end));
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) return void near.pause();
    const onward = connect(target, "127.0.0.1");
    keep(onward);
    near.pipe(onward).pipe(near);
    near.once("close", () => isCut || onward.destroy());
    onward.once("close", () => isCut || near.destroy());
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const endAll = () => {
    for (const end of ends) end.destroy();
  };
  return {
    port,
    isCut: () => isCut,
    cut() {
      isCut = true;
      for (const end of ends) end.unpipe().pause();
    },
    mend() {
      isCut = false;
      endAll();
    },
    close() {
      endAll();
      server.close();
    },
  };
}
