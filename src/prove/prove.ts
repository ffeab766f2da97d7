import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "#client/index.ts";
import { createDice, oneOf } from "#lib/dice.ts";
import type { Dice } from "#lib/dice.ts";
import { VERSION } from "#domain/version.ts";
import { audit } from "./audit.ts";
import type { Claim } from "./audit.ts";
import { injectFaults } from "./faults.ts";
import type { Fault, FaultScene } from "./faults.ts";
import { startFleet } from "./fleet.ts";
import { doJob, readStream } from "./jobs.ts";
import type { Job, JobScene } from "./jobs.ts";
import { resumeTimes } from "./resume-times.ts";
import type { ResumeTimes } from "./resume-times.ts";
import { openScratchDatabase } from "./scratch-database.ts";
import type { ScratchDatabase } from "./scratch-database.ts";
import { proofSettings } from "./settings.ts";
import { startVendor } from "./vendor/vendor.ts";
import { openEntrance } from "./wire/entrance.ts";
import { createProofWorkspace } from "./workspace.ts";

/** How long the work may go on after the last fault; what is not over then is lost. */
const CALM_MS = 120_000;
const POLL_MS = 200;
const MS = 1_000;
const MS_PER_MINUTE = 60_000;

/** What is proved, and for how long. */
export interface ProofOptions {
  /** Decides everything that is left to chance. */
  readonly seed: number;
  /** The proof ends with the first of these. */
  readonly faults: number;
  readonly minutes: number;
  readonly processes: number;
  /** The number of clients that give work at the same time. */
  readonly clients: number;
  /** A server on which a database is made; absent: one of its own. */
  readonly serverUrl?: string | undefined;
  /** Ends the proof early, and removes what it made. */
  readonly signal: AbortSignal;
  /** Called after each fault. */
  readonly onFault?: (fault: Fault, count: number) => void;
}

/** What a proof has found. */
export interface Proof {
  readonly version: string;
  readonly seed: number;
  readonly seconds: number;
  readonly faults: Readonly<Record<string, number>>;
  /** How many different writes a fault has struck, of those that were seen. */
  readonly writes: { readonly struck: number; readonly seen: number };
  readonly claims: readonly Claim[];
  readonly resume: ResumeTimes;
}

/**
 * Puts this very program under load on a database of its own, lets faults strike its processes and their database, waits
 * until the work is over, and counts what was lost, doubled or paid twice.
 * @throws the reason of the signal
 */
export async function prove(options: ProofOptions): Promise<Proof> {
  const began = performance.now();
  const dice = createDice(`seed ${options.seed}`);
  await using opened = new AsyncDisposableStack();
  const keep = <T extends { close(): Promise<void> }>(part: T): T => opened.adopt(part, (each) => each.close());
  const database = keep(await openScratchDatabase(options.serverUrl));
  const vendor = keep(await startVendor());
  const settings = proofSettings(vendor.url);
  const fleet = keep(await startFleet({ database, size: options.processes, settings: settings.of }));
  const entrance = keep(await openEntrance(() => oneOf(fleet.up(), dice)));
  const muster = createClient({ url: entrance.url, key: settings.key });
  const workspace = await createProofWorkspace(muster, vendor.url);

  const giveUp = new AbortController();
  const scene = { muster, workspace, givenUp: AbortSignal.any([giveUp.signal, options.signal]) };
  const faults: Fault[] = [];
  const jobs = await underLoad({ scene, dice, clients: options.clients, giveUp }, () =>
    letStrike({ fleet, vendor, entrance, database }, { options, dice: dice.of("faults"), faults }),
  );
  options.signal.throwIfAborted();
  await fleet.settled();
  const replays = await Promise.all(jobs.map((job) => replayOf(scene, job)));
  await muster.updateSchedule({ id: workspace.scheduleId }, { is_active: false });
  await untilQuiet(database);
  const claims = await audit({ jobs, replays, vendor, database });
  const collapsed = { name: "processes that ended by themselves", checked: options.processes, broken: fleet.collapsed };
  return {
    version: VERSION,
    seed: options.seed,
    seconds: (performance.now() - began) / MS,
    faults: countByKind(faults),
    writes: { struck: new Set(faults.flatMap(({ statement }) => statement ?? [])).size, seen: fleet.writes.size },
    claims: [...claims, collapsed],
    resume: resumeTimes(vendor),
  };
}

interface Load {
  readonly scene: JobScene;
  readonly dice: Dice;
  readonly clients: number;
  readonly giveUp: AbortController;
}

/** Gives work while `run` goes on, and waits for all of it. */
async function underLoad({ scene, dice, clients, giveUp }: Load, run: () => Promise<void>): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  let number = 0;
  let isOver = false;
  async function work(): Promise<void> {
    while (!isOver) {
      number += 1;
      jobs.push(await doJob(scene, number, dice.of(`job ${number}`)));
    }
  }
  const working = Promise.all(Array.from({ length: clients }, work));
  try {
    await Promise.race([run(), working]);
  } finally {
    isOver = true;
  }
  const calm = setTimeout(() => giveUp.abort(new Error("The work has not ended in time.")), CALM_MS);
  await working;
  clearTimeout(calm);
  return jobs;
}

interface Striking {
  readonly options: ProofOptions;
  readonly dice: Dice;
  /** Gets what has struck. */
  readonly faults: Fault[];
}

async function letStrike(scene: FaultScene, { options, dice, faults }: Striking): Promise<void> {
  const end = performance.now() + options.minutes * MS_PER_MINUTE;
  await injectFaults(scene, dice, {
    isEnough: () => options.signal.aborted || faults.length >= options.faults || performance.now() > end,
    onFault(fault) {
      faults.push(fault);
      options.onFault?.(fault, faults.length);
    },
  });
}

async function replayOf(scene: JobScene, { stream }: Job): Promise<readonly string[]> {
  const ids: string[] = [];
  if (stream !== undefined && !scene.givenUp.aborted) await readStream(scene, stream, ids);
  return ids;
}

/** Waits until nothing is queued or runs any more, deliveries included, for as long as work may take. */
async function untilQuiet(database: ScratchDatabase): Promise<void> {
  const end = performance.now() + CALM_MS;
  while (performance.now() < end) {
    const [row] = await database.query<{ open: number }>("select count(*)::integer as open from jobs");
    if (row?.open === 0) return;
    await sleep(POLL_MS);
  }
}

function countByKind(faults: readonly Fault[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(faults, ({ kind }) => kind);
  return Object.fromEntries([...groups].map(([kind, same]) => [kind, same.length]));
}
