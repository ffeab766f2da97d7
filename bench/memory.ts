/**
 * Whether the memory of the service grows with the number of runs: it makes many one-step runs, 64 at once, and prints
 * the resident memory after every 2,500 of them. Run it by itself: `node bench/memory.ts [runs, 20000 by default]`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { residentMib } from "./lib/cpu.ts";
import { openStage } from "./lib/stage.ts";
import { measureTasks } from "./tasks.ts";

const RUNS = Number(process.argv[2] ?? 20_000);
const RUNS_PER_ROUND = 2_500;
const CONCURRENCY = 64;
/** The rows of the service's log would be most of what the pipe carries. */
const stage = await openStage({ LOG_LEVEL: "warn" });
try {
  console.log("| runs | resident, MiB | after a pause |\n| --: | --: | --: |");
  for (let runs = RUNS_PER_ROUND; runs <= RUNS; runs += RUNS_PER_ROUND) {
    const round = await measureTasks(stage, { concurrency: CONCURRENCY, runs: RUNS_PER_ROUND, work: "one call" });
    await sleep(2_000);
    console.log(`| ${runs} | ${round.residentMib.toFixed(0)} | ${residentMib(stage.servicePid).toFixed(0)} |`);
  }
} finally {
  await stage.close();
}
