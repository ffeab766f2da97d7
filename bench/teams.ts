/**
 * Runs of teams against a provider that answers at once: what they cost, beside the tasks of single agents that
 * would make the same model calls, measured in the same round.
 */
import { treeCpuMs } from "./lib/cpu.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";
import { watchEnds } from "./lib/watch-ends.ts";
import { measureTasks } from "./tasks.ts";

/** A kind of team, and how often it is run. */
interface TeamCase {
  readonly name: string;
  /** Model calls of one run, and how many of them are made at once. */
  readonly calls: number;
  readonly sideBySide: number;
  readonly concurrency: number;
  readonly runs: number;
  readonly agents: number;
  team(agentIds: readonly string[]): object;
  /** A further instruction for the provider. */
  instruction?(agentIds: readonly string[]): string;
}

/** What one round measured. CPU times are milliseconds of one run, and of as many tasks as it makes model calls. */
export interface TeamRound extends Pick<TeamCase, "name" | "calls" | "concurrency" | "runs"> {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly serviceCpuMs: number;
  readonly databaseCpuMs: number;
  readonly tasksServiceCpuMs: number;
  readonly tasksDatabaseCpuMs: number;
}

const BRANCHES = 20;
const DELEGATIONS = 10;

const pipeline = {
  name: "pipeline of 3 steps",
  calls: 3,
  sideBySide: 1,
  agents: 3,
  team: (ids: readonly string[]) => ({ mode: "pipeline", config: { steps: ids.map((id) => ({ agent_id: id })) } }),
};

/** The cases of results.md. */
export const TEAM_CASES: readonly TeamCase[] = [
  { ...pipeline, concurrency: 1, runs: 150 },
  { ...pipeline, concurrency: 16, runs: 1_000 },
  {
    name: `fan-out of ${BRANCHES} branches`,
    calls: BRANCHES,
    sideBySide: BRANCHES,
    concurrency: 1,
    runs: 100,
    agents: BRANCHES,
    team: (ids) => ({ mode: "pipeline", config: { steps: [{ type: "fan_out", parallel_agents: ids }] } }),
  },
  {
    name: `orchestrator with ${DELEGATIONS} delegations`,
    calls: DELEGATIONS + 2,
    sideBySide: DELEGATIONS,
    concurrency: 1,
    runs: 100,
    agents: 2,
    team: ([brain, ...workers]) => ({
      mode: "orchestrator",
      config: { brain_agent_id: brain, worker_agent_ids: workers },
    }),
    instruction: ([, worker]) => ` delegates ${DELEGATIONS} to ${worker}`,
  },
];

/** Runs a team of a case so often, and then the tasks. */
export async function measureTeams(stage: Stage, test: TeamCase): Promise<TeamRound> {
  const { name, calls, concurrency, runs } = test;
  const agents = await createAgents(stage, test.agents);
  const team = await stage.call("POST", "/functions/v1/api-teams", { name: "Bench", ...test.team(agents) });
  const ended = await watchEnds(stage.databaseUrl, { ...ENDED, of: team.id }, concurrency === 1 ? 1 : 5);
  const cpu = () => ({ service: treeCpuMs(stage.servicePid), database: treeCpuMs(stage.postgresPid) - ended.cpuMs() });
  const before = cpu();
  const begun = performance.now();
  const latencies: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < runs) {
        const input = `bench-${name.replaceAll(/\W/g, "")}${next++} 1x0${test.instruction?.(agents) ?? ""}`;
        const posted = performance.now();
        const run = await stage.call("POST", "/functions/v1/api-runs", { team_id: team.id, input_task: input });
        await ended.wait(run.id);
        latencies.push(performance.now() - posted);
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1_000;
  const after = cpu();
  await ended.close();
  const tasks = await measureTasks(stage, {
    concurrency: concurrency * test.sideBySide,
    runs: Math.min(runs * calls, 2_000),
    work: "one call",
  });
  return {
    name,
    calls,
    concurrency,
    runs,
    perSecond: runs / seconds,
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    serviceCpuMs: (after.service - before.service) / runs,
    databaseCpuMs: (after.database - before.database) / runs,
    tasksServiceCpuMs: tasks.serviceCpuMs * calls,
    tasksDatabaseCpuMs: tasks.databaseCpuMs * calls,
  };
}

async function createAgents(stage: Stage, count: number): Promise<string[]> {
  const agent = { name: "Bench", model: "gpt-4o", system_prompt: "Bench." };
  const made = Array.from({ length: count }, () => stage.call("POST", "/functions/v1/api-agents", agent));
  return (await Promise.all(made)).map(({ id }) => id);
}

const ENDED = {
  name: "team-runs-ended",
  text: `select id, completed_at::text from team_runs
    where team_id = $1 and completed_at > $2::timestamptz - interval '200 ms' order by completed_at limit 2000`,
};

/** The head of the table of rounds. */
export const TEAM_HEAD =
  "| team | at once | runs | runs/s | p50 / p99 ms | CPU: service | as tasks | database | as tasks | both |\n" +
  "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

/** Writes a round as a row of a table; the last cell says how much of the tasks' CPU the team takes. */
export function teamRow(round: TeamRound): string {
  const { serviceCpuMs, databaseCpuMs, tasksServiceCpuMs, tasksDatabaseCpuMs } = round;
  const share = (serviceCpuMs + databaseCpuMs) / (tasksServiceCpuMs + tasksDatabaseCpuMs);
  const cells = [
    round.name,
    round.concurrency,
    round.runs,
    round.perSecond.toFixed(1),
    `${round.p50.toFixed(1)} / ${round.p99.toFixed(1)}`,
    ...[serviceCpuMs, tasksServiceCpuMs, databaseCpuMs, tasksDatabaseCpuMs].map((ms) => ms.toFixed(2)),
    `${(share * 100).toFixed(0)} %`,
  ];
  return `| ${cells.join(" | ")} |`;
}

if (import.meta.filename === process.argv[1]) {
  const stage = await openStage();
  try {
    await measureTasks(stage, { concurrency: 8, runs: 200, work: "one call" });
    console.log(TEAM_HEAD);
    for (const test of TEAM_CASES) console.log(teamRow(await measureTeams(stage, test)));
  } finally {
    await stage.close();
  }
}
