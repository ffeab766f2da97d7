import { setTimeout as sleep } from "node:timers/promises";
import { createKeys, startProcess } from "../support/service.ts";
import type { TestKeys, TestProcess } from "../support/service.ts";
import type { Dice } from "#lib/dice.ts";

const START_AGAIN_MS = 300;

/** How a process of a fleet ended after it was asked to stop. */
export interface Stopped {
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Several processes of the service on one database; one that has ended is restarted, as by a supervisor. Each has its own name, which is also its key for the provider.
 */
export interface Fleet {
  readonly keys: TestKeys;
  /** The processes that are up. */
  all(): readonly TestProcess[];
  /** A process that is up, if there is one. */
  any(dice: Dice): TestProcess | undefined;
  /** The places whose process is up, from 0. */
  up(): readonly number[];
  /** Ends a process with SIGKILL and starts another in its place, so long after. */
  kill(place: number, pauseMs: number): Promise<void>;
  /** Ends a process with SIGTERM and starts another in its place. */
  restart(place: number): Promise<void>;
  /** Stops a process in the middle of whatever it does, for so long. */
  freeze(place: number, ms: number): Promise<void>;
  /** Waits until every place has a process that is up. */
  settled(): Promise<void>;
  /** Ends all in good order. */
  stop(): Promise<void>;
  /** How the processes ended that were asked to stop. */
  readonly stopped: readonly Stopped[];
  /** The names of the processes that ended without being asked to. */
  readonly collapsed: readonly string[];
  /** What all processes have written to their logs, by name. */
  logs(): ReadonlyMap<string, string>;
}

/** Options of {@link startFleet}. */
export interface FleetOptions {
  readonly databaseUrl: string;
  readonly processes: number;
  readonly env: Readonly<Record<string, string>>;
  /** The program of the process that is started next; this version's when absent. */
  readonly program?: () => string | undefined;
}

/** Starts the processes, one after another. */
export async function startFleet({ databaseUrl, processes, env, program }: FleetOptions): Promise<Fleet> {
  const keys = createKeys();
  const places: (TestProcess | undefined)[] = [];
  const everStarted = new Map<string, TestProcess>();
  const stopped: Stopped[] = [];
  const collapsed: string[] = [];
  const busy = new Map<number, Promise<void>>();

  async function start(place: number): Promise<void> {
    for (;;) {
      try {
        const name = `process-${place}.${everStarted.size}`;
        const main = program?.();
        const own = { ...env, OPENAI_API_KEY: name };
        const service = await startProcess({ databaseUrl, keys, env: own, ...(main !== undefined && { main }) });
        places[place] = service;
        everStarted.set(name, service);
        service.process.once("exit", () => void (places[place] === service && collapse(place, name)));
        return;
      } catch {
        // The database may be away at this moment.
        await sleep(START_AGAIN_MS);
      }
    }
  }

  function collapse(place: number, name: string): void {
    collapsed.push(name);
    void takeOut(place, () => start(place));
  }

  /** Does something to the process of a place, which meanwhile is not up. */
  function takeOut(place: number, then: (service: TestProcess) => Promise<void>): Promise<void> {
    const service = places[place];
    if (service === undefined) return Promise.resolve();
    places[place] = undefined;
    const done = then(service).finally(() => busy.delete(place));
    busy.set(place, done);
    return done;
  }

  async function end(service: TestProcess): Promise<void> {
    await service.stop();
    stopped.push({ code: service.process.exitCode, signal: service.process.signalCode });
  }

  const all = () => places.filter((service) => service !== undefined);

  for (let place = 0; place < processes; place++) await start(place);

  return {
    keys,
    stopped,
    collapsed,
    all,
    any: (dice) => {
      const [first, ...others] = all();
      return first === undefined ? undefined : dice.pick([first, ...others]);
    },
    up: () => [...places.keys()].filter((place) => places[place] !== undefined),
    kill: (place, pauseMs) =>
      takeOut(place, async (service) => {
        await service.kill();
        await sleep(pauseMs);
        await start(place);
      }),
    restart: (place) =>
      takeOut(place, async (service) => {
        await end(service);
        await start(place);
      }),
    async freeze(place, ms) {
      // It still counts as up: no process is notified that another one hangs.
      const frozen = places[place]?.process;
      frozen?.kill("SIGSTOP");
      await sleep(ms);
      frozen?.kill("SIGCONT");
    },
    async settled() {
      await Promise.all(busy.values());
    },
    async stop() {
      await Promise.all(busy.values());
      await Promise.all([...places.keys()].map((place) => takeOut(place, end)));
    },
    logs: () => new Map([...everStarted].map(([name, service]) => [name, service.output().stderr])),
  };
}
