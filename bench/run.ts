/** Runs every benchmark on one machine, one after another, and prints the tables of results.md. */
import { budgetRow, measureBudgets } from "./budgets.ts";
import { measureIdle } from "./idle.ts";
import { runKnowledge } from "./knowledge.ts";
import { openStage } from "./lib/stage.ts";
import { LISTS_TABLE, measureLists } from "./lists.ts";
import { measureRecovery, recoveryRows } from "./recovery.ts";
import { measureSchedules } from "./schedules.ts";
import type { CpuMinute } from "./schedules.ts";
import { measureStreams } from "./streams.ts";
import type { Delays } from "./streams.ts";
import { TASK_TABLE, measureTasks, taskRow } from "./tasks.ts";
import type { TaskLoad } from "./tasks.ts";
import { TEAM_CASES, TEAM_HEAD, measureTeams, teamRow } from "./teams.ts";

const stage = await openStage();
try {
  const idle = await measureIdle(stage);
  console.log(`Idle: service ${idle.service.toFixed(1)} %, database ${idle.database.toFixed(1)} % of a core\n`);

  await measureTasks(stage, { concurrency: 16, runs: 2_000, work: "one call" });
  await printTasks("one call", [
    [1, 500],
    [16, 10_000],
    [64, 3_000],
  ]);
  await printTasks("two calls and a tool", [
    [1, 300],
    [16, 2_000],
    [64, 2_000],
  ]);

  console.log("\nA run without and with a budget (and the difference), ms:");
  console.log("| at once | service CPU | database CPU | end p50 |");
  console.log("|--:|--:|--:|--:|");
  for (const [concurrency, runs] of [
    [1, 200],
    [16, 1_000],
  ] as const) {
    console.log(budgetRow(await measureBudgets(stage, concurrency, runs)));
  }

  console.log(`\n${TEAM_HEAD}`);
  for (const test of TEAM_CASES) console.log(teamRow(await measureTeams(stage, test)));
  console.log();

  console.log(LISTS_TABLE);
  for (const atOnce of [1, 10]) console.log(await measureLists(stage, atOnce));
  console.log();

  await measureStreams(stage, 5);
  const { starting, underWay, direct } = await measureStreams(stage, 20);
  const delays = ({ p50, p99 }: Delays) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`;
  console.log(`20 streams, ms from provider to reader, p50 / p99: ${delays(underWay)}, ${delays(starting)} while they`);
  console.log(`start; a reader of the provider itself: ${delays(direct)}\n`);

  const schedules = await measureSchedules(stage);
  const minute = ({ service, database }: CpuMinute) => `${service.toFixed(0)} / ${database.toFixed(0)}`;
  console.log(`CPU of a minute, service / database, ms: idle ${minute(schedules.idle)}, with 1,000 schedules at rest`);
  console.log(`${minute(schedules.quiet)}, when all fire ${minute(schedules.firing)}, with 1,000 tasks posted instead`);
  console.log(
    `${minute(schedules.posted)}; tasks are made p50 / p99 ${schedules.lateP50} / ${schedules.lateP99} ms late`,
  );
} finally {
  await stage.close();
}
console.log(recoveryRows(await measureRecovery()));

async function printTasks(work: TaskLoad["work"], rounds: readonly (readonly [number, number])[]): Promise<void> {
  console.log(`Runs of ${work}:\n\n${TASK_TABLE}`);
  for (const [concurrency, runs] of rounds) {
    console.log(taskRow(await measureTasks(stage, { concurrency, runs, work })));
  }
  console.log();
}

await runKnowledge();
