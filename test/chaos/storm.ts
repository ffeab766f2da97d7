import { auditCalls } from "./audit-calls.ts";
import { auditStates, recordStates } from "./audit-states.ts";
import { auditStreams } from "./audit-streams.ts";
import { createDice } from "#lib/dice.ts";
import type { InjectedFault } from "./faults.ts";
import { startFleet } from "./fleet.ts";
import type { Fleet } from "./fleet.ts";
import { doJob } from "./job.ts";
import type { DoneJob } from "./job.ts";
import { openOwnDatabase } from "./own-database.ts";
import type { Scene } from "./scene.ts";
import { startFaultyProvider } from "./provider.ts";
import type { FaultyProvider } from "./provider.ts";
import { createWorkforce } from "./workforce.ts";

/** How long the work may continue after the last fault; what has not ended then is stuck. */
const CALM_MS = 60_000;

/** What kind of a storm it is. */
export interface Weather {
  /** Decides everything that is left to chance. */
  readonly seed: number;
  readonly processes: number;
  /** The number of concurrent jobs. */
  readonly clients: number;
  /** The shares of faulty provider answers and of cancelled jobs. */
  readonly troubles: number;
  readonly cancels: number;
  /** Injects faults into the processes and the database, and returns them; new work arrives until then. */
  readonly goWrong: (scene: Scene) => Promise<readonly InjectedFault[]>;
}

/** What came of a storm. */
export interface StormReport {
  readonly jobs: readonly DoneJob[];
  readonly calls: FaultyProvider["calls"];
  readonly mishaps: readonly InjectedFault[];
  readonly stopped: Fleet["stopped"];
  /** What should not have been, as sentences. */
  readonly found: readonly string[];
  readonly logs: ReadonlyMap<string, string>;
}

/** Puts real processes under load while faults are injected, waits until the work is done, and audits the result. */
export async function runStorm(weather: Weather): Promise<StormReport> {
  const dice = createDice(`seed ${weather.seed}`);
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const database = await openOwnDatabase();
    undo.push(database.close);
    const provider = await startFaultyProvider(dice.of("provider"), weather.troubles);
    undo.push(provider.close);
    // Without faults at the provider, a slow call must not time out: the machine is slow.
    const [timeout, grace] = weather.troubles > 0 ? ["3", "5"] : ["300", "60"];
    const env = { OPENAI_BASE_URL: provider.baseUrl, MODEL_TIMEOUT: timeout, SHUTDOWN_GRACE: grace };
    const fleet = await startFleet({ databaseUrl: database.url, processes: weather.processes, env });
    undo.push(fleet.stop);
    await recordStates(database.url);
    const service = fleet.any(dice);
    if (service === undefined) throw new Error("No process is up.");
    const giveUp = new AbortController();
    const workforce = await createWorkforce(service);
    const scene = { dice, database, provider, fleet, workforce, givenUp: giveUp.signal };
    return await runRound(scene, weather, giveUp);
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

async function runRound(scene: Scene, weather: Weather, giveUp: AbortController): Promise<StormReport> {
  const { fleet, provider, database } = scene;
  const jobs: DoneJob[] = [];
  const found: string[] = [];
  let number = 0;
  let isOver = false;
  async function work(): Promise<void> {
    while (!isOver) {
      number += 1;
      const mine = number;
      await doJob(scene, mine, weather.cancels).then(
        (job) => jobs.push(job),
        (error: unknown) => found.push(`job ${mine}: ${String(error)}`),
      );
    }
  }
  const working = Promise.all(Array.from({ length: weather.clients }, work));
  const mishaps = await weather.goWrong(scene);
  isOver = true;
  await fleet.settled();
  const calm = setTimeout(() => giveUp.abort(new Error("It has not ended a minute after the storm.")), CALM_MS);
  await working;
  clearTimeout(calm);

  const service = fleet.any(scene.dice);
  found.push(...(await auditStates(database.url, jobs)), ...(await auditCalls(database.url, provider.calls)));
  if (service !== undefined) found.push(...(await auditStreams(service, jobs)));
  await fleet.stop();
  found.push(...fleet.collapsed.map((name) => `${name} ended by itself:\n${fleet.logs().get(name)?.slice(-2_000)}`));
  return { jobs, calls: provider.calls, mishaps, stopped: fleet.stopped, found, logs: fleet.logs() };
}
