import { expect } from "vitest";
import { describeStorm, timelineOf, troublesIn } from "../chaos/describe-storm.ts";
import { injectFaults } from "../chaos/faults.ts";
import { runStorm } from "../chaos/storm.ts";
import { verifies } from "../support/verifies.ts";

const SECONDS = Number(process.env["CHAOS_SECONDS"] ?? 60);
const SEED = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000);

verifies(
  [
    "engine.chaos.nothing-lost",
    "engine.chaos.paid-once",
    "engine.chaos.streams",
    "engine.chaos.ends-stay",
    "engine.chaos.processes-stay-up",
  ],
  `in ${SECONDS} s of kills, freezes, restarts and outages no work or event is lost, doubled or stuck`,
  async () => {
    console.info(`chaos: seed ${SEED}; the same again with CHAOS_SEED=${SEED}`);
    const report = await runStorm({
      seed: SEED,
      processes: 3,
      clients: 12,
      troubles: 0.15,
      cancels: 0.15,
      goWrong: (scene) => injectFaults(scene, SECONDS),
    });
    console.info(`chaos: ${describeStorm(report)}`);
    expect(report.found, [`seed ${SEED}`, ...timelineOf(report), ...troublesIn(report)].join("\n")).toEqual([]);
    expect(report.jobs.length).toBeGreaterThan(0);
    expect(report.mishaps.length).toBeGreaterThan(0);
  },
  SECONDS * 1_000 + 240_000,
);
