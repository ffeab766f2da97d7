import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { describeStorm } from "../chaos/describe-storm.ts";
import type { InjectedFault } from "../chaos/faults.ts";
import type { Scene } from "../chaos/scene.ts";
import { runStorm } from "../chaos/storm.ts";
import { verifies } from "../support/verifies.ts";

const PROCESSES = 2;
const ROUNDS = 2;
const BETWEEN_MS = 1_000;

verifies(
  ["operations.shutdown.rolling-restart", "operations.shutdown.hands-over", "engine.resume.paid-once"],
  "two processes restarted in turn under load lose no work and repeat no call and no event",
  async () => {
    const report = await runStorm({
      seed: 1,
      processes: PROCESSES,
      clients: 10,
      troubles: 0,
      cancels: 0,
      goWrong: restartInTurn,
    });
    console.info(`rolling restart: ${describeStorm(report)}`);
    expect(report.found).toEqual([]);
    expect(report.jobs.length).toBeGreaterThan(PROCESSES * ROUNDS);
    expect(report.calls).toHaveLength(new Set(report.calls.map(({ turn }) => turn)).size);
    expect(report.stopped).toEqual(report.stopped.map(() => ({ code: 0, signal: null })));
  },
  180_000,
);

async function restartInTurn({ fleet }: Scene): Promise<readonly InjectedFault[]> {
  const mishaps: InjectedFault[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (let place = 0; place < PROCESSES; place++) {
      await sleep(BETWEEN_MS);
      mishaps.push({ name: "restart", at: Date.now() });
      await fleet.restart(place);
    }
  }
  return mishaps;
}
