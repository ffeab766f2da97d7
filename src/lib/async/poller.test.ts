import { expect, test } from "vitest";
import { createPoller } from "./poller.ts";

test("a run that fails is reported, and the next one follows", async () => {
  const errors: unknown[] = [];
  const third = Promise.withResolvers<void>();
  let runs = 0;
  const poller = createPoller({
    intervalMs: 1,
    run: async () => {
      runs += 1;
      if (runs === 3) third.resolve();
      else throw new Error(`run ${runs}`);
    },
    onError: (error) => errors.push(error),
  });
  poller.start();
  await third.promise;
  await poller.stop();
  expect(errors.map(String)).toEqual(["Error: run 1", "Error: run 2"]);
});

test("a stop tells the run in progress, waits for it, and starts no other", async () => {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const seen: boolean[] = [];
  const poller = createPoller({
    intervalMs: 1,
    async run(isStopped) {
      begun.resolve();
      await release.promise;
      seen.push(isStopped());
    },
    onError: () => expect.unreachable(),
  });
  poller.start();
  await begun.promise;
  const stopped = poller.stop();
  release.resolve();
  await stopped;
  expect(seen).toEqual([true]);
});
