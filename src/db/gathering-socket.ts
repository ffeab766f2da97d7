import { Socket } from "node:net";

/**
 * A socket that sends with one system call what is written in one turn of the event loop, from the first cork on. The
 * driver corks each statement by itself: without this, every statement of a pipeline would be a system call here, and
 * would wake the server's process again. Over TLS it changes nothing, because the encrypted stream is corked instead.
 */
export class GatheringSocket extends Socket {
  #isCorked = false;

  override cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    super.cork();
    // After all promises that are settled by now: their callbacks write the next statements of the transaction.
    process.nextTick(() => {
      this.#isCorked = false;
      super.uncork();
    });
  }

  /** Does nothing: all that was corked in a turn is sent at its end. */
  override uncork(): void {}
}
