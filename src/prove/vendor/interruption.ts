import { setTimeout as sleep } from "node:timers/promises";

/** The middle of all calls of a kind, where a fault can wait for the next one. */
export interface Interruption<Call> {
  /** Acts in the middle of the next call, which waits for it. @returns whether one came within `ms` */
  next(act: (call: Call) => Promise<void>, ms: number): Promise<boolean>;
  /** To be called in the middle of each call. */
  pass(call: Call): Promise<void>;
}

/** Creates the middle of the calls of a kind. */
export function createInterruption<Call>(): Interruption<Call> {
  let waiting: ((call: Call) => Promise<void>) | undefined;
  return {
    async next(act, ms) {
      const struck = Promise.withResolvers<boolean>();
      waiting = async (call) => {
        await act(call);
        struck.resolve(true);
      };
      const isStruck = await Promise.race([struck.promise, sleep(ms, false)]);
      waiting = undefined;
      return isStruck;
    },
    async pass(call) {
      const act = waiting;
      waiting = undefined;
      await act?.(call);
    },
  };
}
