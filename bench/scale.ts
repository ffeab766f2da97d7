/**
 * From what a run costs to what a machine can do: runs a day on machines of a few sizes, and what is used up first.
 * It calculates and measures nothing: the costs are those of results.md. Prints the table of docs/scale.md.
 */

/**
 * The costs of a small run with two model calls and a tool call, 16 at once; CPU in milliseconds, sizes in bytes. CPU
 * and disk are measured; commits and WAL are taken as twice those of a one-step run, with full-page images.
 */
const RUN = { serviceCpu: 4.43, databaseCpu: 3.86, commits: 2.4, wal: 24_000, disk: 7_700 } as const;
/** The busiest hour has this many times the runs of the mean hour, and may use this share of a resource. */
const PEAK = 4;
const SHARE = 0.6;
const DAY_S = 86_400;
const KEPT_DAYS = 90;
/** How many commits one flush of the WAL carries when many processes commit. */
const COMMITS_PER_FLUSH = 4;

/** A database server and the processes beside it. */
interface Machine {
  readonly name: string;
  readonly cores: number;
  /** Flushes a second, and bytes written a second, that its disk takes. */
  readonly flushes: number;
  readonly bytes: number;
  readonly processes: number;
}

const MACHINES: readonly Machine[] = [
  { name: "all on 2 cores, one process", cores: 1, flushes: 500, bytes: 100e6, processes: 1 },
  { name: "PostgreSQL on 4 cores, 3 processes", cores: 4, flushes: 1_000, bytes: 200e6, processes: 3 },
  { name: "PostgreSQL on 16 cores, 12 processes", cores: 16, flushes: 4_000, bytes: 500e6, processes: 12 },
  { name: "PostgreSQL on 64 cores, 45 processes", cores: 64, flushes: 20_000, bytes: 2e9, processes: 45 },
];

console.log("| Machines | Runs/s at the peak | Runs a day | Used up first | WAL/s at the peak | Kept for 90 days |");
console.log("| --- | ---: | ---: | --- | ---: | ---: |");
for (const machine of MACHINES) console.log(rowOf(machine));

function rowOf(machine: Machine): string {
  const [first, perSecond] = limitOf(machine);
  const perDay = (perSecond / PEAK) * DAY_S;
  const cells = [
    machine.name,
    rounded(perSecond),
    `${rounded(perDay / 1e6)} million`,
    first,
    `${rounded((perSecond * RUN.wal) / 1e6)} MB`,
    `${rounded((perDay * KEPT_DAYS * RUN.disk) / 1e12)} TB`,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The resource that is used up first, and the runs a second until then. */
function limitOf({ cores, flushes, bytes, processes }: Machine): readonly [string, number] {
  const limits = {
    "CPU of the processes": (processes * 1_000 * SHARE) / RUN.serviceCpu,
    "CPU of the database": (cores * 1_000 * SHARE) / RUN.databaseCpu,
    "flushes of the disk": (flushes * SHARE * COMMITS_PER_FLUSH) / RUN.commits,
    "writes to the disk": (bytes * SHARE) / RUN.wal,
  };
  return Object.entries(limits).reduce((least, each) => (each[1] < least[1] ? each : least));
}

/** Two digits: the costs are not known better. */
function rounded(value: number): number {
  return Number(value.toPrecision(2));
}
