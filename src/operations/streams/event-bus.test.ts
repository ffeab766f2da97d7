import { expect, test } from "vitest";
import { createEventBus } from "./event-bus.ts";

const EVENT = { seq: 1, text: "{}", final: false };

/** A bus whose notifications of other processes can be awaited. */
function createBus() {
  const sent = Promise.withResolvers<readonly { readonly processName: string; readonly payload: string }[]>();
  const bus = createEventBus({
    send: async (notices) => sent.resolve(notices),
    announceFollowers: () => undefined,
    findGrown: async () => [],
  });
  return { bus, sent: sent.promise };
}

test.each(["here", "anywhere"] as const)(
  "a process that follows a log after a write to it is notified, whichever process writes: %s",
  async (next) => {
    const { bus, sent } = createBus();
    bus.publish("log", [EVENT], next);
    bus.followedElsewhere("other", ["log"]);
    expect(await sent).toEqual([{ processName: "other", payload: "log" }]);
  },
);
