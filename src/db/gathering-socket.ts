import { Socket } from "node:net";

/**
 * A socket that sends what is written within one turn of the event loop in one piece. A pipelined
 * transaction then costs one system call, and wakes the server once, instead of once per statement.
 */
export class GatheringSocket extends Socket {
  constructor() {
    super();
    // `connect` has put Socket's own `write` over the one below.
    this.once("connect", () => Reflect.deleteProperty(this, "write"));
  }

  override write(chunk: string | Uint8Array, ...rest: unknown[]): boolean {
    if (this.writableCorked === 0) {
      this.cork();
      process.nextTick(() => this.uncork());
    }
    return Boolean(Reflect.apply(super.write, this, [chunk, ...rest]));
  }
}
