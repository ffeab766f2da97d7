/**
 * Durable runs against a provider that answers at once: latency, throughput, CPU and memory; of one step, and (run by
 * itself with the argument `tools`) of two model calls with a tool between them.
 * A run is over for the client when its row says so.
 */
import { residentMib, treeCpuMs } from "./lib/cpu.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";
import { watchEnds } from "./lib/watch-ends.ts";

/** What one round measured. */
export interface TaskRound {
  readonly concurrency: number;
  readonly runs: number;
  readonly perSecond: number;
  /** From the POST to the end in the database, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** From the POST to the provider's receipt of the call, in milliseconds. */
  readonly startP50: number;
  readonly startP99: number;
  /** The same as a share of the time until the POST's own answer, p50. */
  readonly startShare: number;
  readonly serviceCpuMs: number;
  readonly databaseCpuMs: number;
  readonly residentMib: number;
}

/** What a run does: the agent's tools, and the instruction for the provider. */
const WORK = {
  "one call": { tools: [], instruction: "1x0" },
  "two calls and a tool": { tools: ["current_time"], instruction: "1x0 with-tool" },
} as const;

/** What to measure. */
export interface TaskLoad {
  readonly concurrency: number;
  readonly runs: number;
  readonly work: keyof typeof WORK;
}

/** Runs `runs` tasks, `concurrency` at a time. */
export async function measureTasks(stage: Stage, { concurrency, runs, work }: TaskLoad): Promise<TaskRound> {
  const { tools, instruction } = WORK[work];
  const agent = await stage.call("POST", "/functions/v1/api-agents", {
    name: "Bench",
    model: "gpt-4o",
    system_prompt: "Bench.",
    tools,
  });
  const ended = await watchEnds(stage.databaseUrl, { ...ENDED, of: agent.id }, concurrency === 1 ? 1 : 5);
  const startedAt = new Map<string, number>();
  const posts: { readonly name: string; readonly posted: number; readonly answered: number }[] = [];
  stage.onProviderCall(({ id, receivedAt }) => {
    // Only its first call is the beginning.
    if (!startedAt.has(id)) startedAt.set(id, receivedAt);
  });
  const cpu = () => ({ service: treeCpuMs(stage.servicePid), database: treeCpuMs(stage.postgresPid) - ended.cpuMs() });
  const before = cpu();
  const begun = now();
  const latencies: number[] = [];
  let next = 0;
  const round = Math.random().toString(36).slice(2, 8);
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < runs) {
        const name = `${round}${next++}`;
        const posted = now();
        const task = await stage.call("POST", "/functions/v1/api-tasks", {
          title: "Bench",
          description: `bench-${name} ${instruction}`,
          assigned_agent_id: agent.id,
        });
        posts.push({ name, posted, answered: now() });
        await ended.wait(task.id);
        latencies.push(now() - posted);
      }
    }),
  );
  const seconds = (now() - begun) / 1_000;
  const after = cpu();
  await ended.close();
  const starts = posts.map(({ name, posted }) => (startedAt.get(name) ?? Number.NaN) - posted);
  const shares = posts.map(({ posted, answered }, index) => (starts[index] ?? Number.NaN) / (answered - posted));
  return {
    concurrency,
    runs,
    perSecond: runs / seconds,
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    startP50: percentile(starts, 50),
    startP99: percentile(starts, 99),
    startShare: percentile(shares, 50),
    serviceCpuMs: (after.service - before.service) / runs,
    databaseCpuMs: (after.database - before.database) / runs,
    residentMib: residentMib(stage.servicePid),
  };
}

const ENDED = {
  name: "ended",
  text: `select id, completed_at::text from tasks
    where assigned_agent_id = $1 and completed_at > $2::timestamptz - interval '1 s' order by completed_at limit 2000`,
};

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Writes a round as a row of a table. */
export function taskRow(round: TaskRound): string {
  const cells = [
    round.concurrency,
    round.runs,
    round.perSecond.toFixed(0),
    `${round.p50.toFixed(1)} / ${round.p99.toFixed(1)}`,
    `${round.startP50.toFixed(1)} / ${round.startP99.toFixed(1)}`,
    round.startShare.toFixed(2),
    round.serviceCpuMs.toFixed(2),
    round.databaseCpuMs.toFixed(2),
    round.residentMib.toFixed(0),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The head of a table of such rows. */
export const TASK_TABLE = `| at once | runs | runs/s | end p50 / p99 ms | start p50 / p99 ms | start ÷ answer | service CPU | database CPU | RSS MiB |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|`;

if (import.meta.filename === process.argv[1]) {
  const work = process.argv[2] === "tools" ? "two calls and a tool" : "one call";
  const stage = await openStage();
  try {
    await measureTasks(stage, { concurrency: 8, runs: 200, work });
    console.log(TASK_TABLE);
    for (const [concurrency, runs] of [
      [1, 300],
      [16, 2_000],
      [64, 3_000],
    ] as const) {
      console.log(taskRow(await measureTasks(stage, { concurrency, runs, work })));
    }
  } finally {
    await stage.close();
  }
}
