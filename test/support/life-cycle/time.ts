import { vi } from "vitest";
import type { Model, World } from "./world.ts";

const BEAT_MS = 1_000;
/** A process that has not observed beats for this long must observe a complete lease again. */
const WATCH_GAP_MS = 2_500;

/** Lets every process beat concurrently, except frozen ones. */
export async function beatAll(model: Model, { processes }: World): Promise<void> {
  const awake = processes.filter(({ frozen }) => !frozen);
  const at = performance.now();
  const watchers = awake.filter(({ beatAt }) => at - beatAt < WATCH_GAP_MS);
  const keeper = awake.find(({ membership }) => membership.isKeeper()) ?? null;
  // A keeper that ends just before it notices a death leaves the whole time to the next one.
  const isKeeperLost = keeper === null && model.keeper !== null;
  if (watchers.length === 0 || isKeeperLost) model.watchedSince = at;
  model.keeper = keeper;
  // The beats are sent concurrently, so their order is random.
  await Promise.all(
    awake.map(async (process) => {
      await process.membership.beat();
      process.silentMs = at - process.beatAt;
      process.beatAt = at;
    }),
  );
}

/** Lets seconds pass, in each of which those that are not frozen beat. */
export async function advance(
  model: Model,
  world: World,
  seconds: number,
  audit: (world: World, model: Model) => Promise<void>,
): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    vi.advanceTimersByTime(BEAT_MS);
    await beatAll(model, world);
    await audit(world, model);
  }
}
