/**
 * Lets real processes run into trouble for as long as you like, in rounds of which each can be made again by its seed:
 * `npm run chaos -- [minutes] [seed]`, by default an hour and a seed of the moment.
 */
import { injectFaults } from "../test/chaos/faults.ts";
import { describeStorm, timelineOf, troublesIn } from "../test/chaos/describe-storm.ts";
import { runStorm } from "../test/chaos/storm.ts";

const ROUND_SECONDS = 60;
const [minutes = 60, firstSeed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
if (!(minutes > 0) || !Number.isInteger(firstSeed)) {
  console.error("npm run chaos -- [minutes] [seed]: minutes above 0, and a seed that is a whole number.");
  process.exit(2);
}

const end = performance.now() + minutes * 60_000;
let failed = 0;
for (let seed = firstSeed; performance.now() < end; seed++) {
  const seconds = Math.min(ROUND_SECONDS, Math.max(1, (end - performance.now()) / 1_000));
  const report = await runStorm({
    seed,
    processes: 3,
    clients: 16,
    troubles: 0.15,
    cancels: 0.15,
    goWrong: (scene) => injectFaults(scene, seconds),
  });
  console.log(`seed ${seed}: ${describeStorm(report)}`);
  for (const sentence of report.found) console.error(`  ${sentence}`);
  if (report.found.length === 0) continue;
  failed += 1;
  for (const line of [...timelineOf(report), ...troublesIn(report)]) console.error(`  ${line}`);
}
console.log(failed === 0 ? "Nothing was lost, doubled or stuck." : `${failed} rounds found something.`);
process.exitCode = failed === 0 ? 0 : 1;
