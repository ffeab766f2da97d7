/**
 * What a budget costs a model call: rounds of one-step runs without a budget and with one that never runs out, in
 * turns, so that both meet the same machine.
 */
import { Client } from "pg";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";
import { measureTasks } from "./tasks.ts";

const NEVER_RUNS_OUT = { scope: "workspace", max_usd: 900_000, max_tokens: 1_000_000_000_000 };
const PAIRS = 4;

/** Milliseconds of a run with one call, on average over the rounds. */
interface Cost {
  readonly serviceCpu: number;
  readonly databaseCpu: number;
  /** From the POST to the end, of the median run. */
  readonly latency: number;
}

/** What a run costs without and with a budget of the workspace. */
export interface BudgetRounds {
  readonly concurrency: number;
  readonly without: Cost;
  readonly within: Cost;
}

/** Measures rounds of `runs` runs, `concurrency` at a time, by turns without and with a budget. */
export async function measureBudgets(stage: Stage, concurrency: number, runs: number): Promise<BudgetRounds> {
  const database = new Client({ connectionString: stage.databaseUrl });
  await database.connect();
  const without: Cost[] = [];
  const within: Cost[] = [];
  try {
    for (let pair = 0; pair < PAIRS; pair++) {
      without.push(await costOf(stage, concurrency, runs));
      await stage.call("POST", "/console/api/budgets", NEVER_RUNS_OUT);
      within.push(await costOf(stage, concurrency, runs));
      await database.query("delete from budgets");
    }
  } finally {
    await database.end();
  }
  return { concurrency, without: mean(without), within: mean(within) };
}

/** Writes rounds as a row of a table: without, with, and the difference. */
export function budgetRow({ concurrency, without, within }: BudgetRounds): string {
  const cell = (of: keyof Cost) =>
    `${without[of].toFixed(2)} / ${within[of].toFixed(2)} (${(within[of] - without[of]).toFixed(2)})`;
  return `| ${concurrency} | ${cell("serviceCpu")} | ${cell("databaseCpu")} | ${cell("latency")} |`;
}

async function costOf(stage: Stage, concurrency: number, runs: number): Promise<Cost> {
  const { serviceCpuMs, databaseCpuMs, p50 } = await measureTasks(stage, { concurrency, runs, work: "one call" });
  return { serviceCpu: serviceCpuMs, databaseCpu: databaseCpuMs, latency: p50 };
}

function mean(costs: readonly Cost[]): Cost {
  const of = (field: keyof Cost) => costs.reduce((sum, cost) => sum + cost[field], 0) / costs.length;
  return { serviceCpu: of("serviceCpu"), databaseCpu: of("databaseCpu"), latency: of("latency") };
}

if (import.meta.filename === process.argv[1]) {
  const stage = await openStage();
  try {
    await measureTasks(stage, { concurrency: 8, runs: 200, work: "one call" });
    console.log(budgetRow(await measureBudgets(stage, 1, 100)));
    console.log(budgetRow(await measureBudgets(stage, 16, 500)));
  } finally {
    await stage.close();
  }
}
