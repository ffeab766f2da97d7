import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "#lib/dice.ts";
import { knock } from "./doors.ts";
import { floodOrder } from "./orders.ts";
import type { Scene } from "./scene.ts";
import { sendUntilAnswered } from "./send-until-answered.ts";

const LONGEST_ABSENCE_MS = 1_500;
/** Long enough to be presumed dead. */
const FREEZE_MS = 6_000;
/** Longer than the lease. */
const LOCKED_MS = 7_000;
const LOCKED = ["jobs", "tasks", "executors", "task_streams"] as const;
/** The floods of one fault; their numbers are those of no job. */
const FLOODS = 2;
const FIRST_FLOOD = 1_000_000;
/** The number of processes that are up before the next fault. */
const ENOUGH = 2;
const POLL_INTERVAL_MS = 20;
const BETWEEN_FAULTS_MS = [500, 3_500] as const;

/** A fault of the service's processes or its database; its consequences may last longer. */
type Fault = (scene: Scene, dice: Dice) => void | Promise<void>;

const FAULTS: Readonly<Record<string, Fault>> = {
  kill: (scene, dice) => killOne(scene, dice),
  "kill in a hurry": ({ fleet }, dice) => void onOne(fleet.up(), dice, (place) => fleet.kill(place, 0)),
  "kill all": ({ fleet }, dice) => {
    for (const place of fleet.up()) void fleet.kill(place, dice.whole(0, LONGEST_ABSENCE_MS));
  },
  restart: ({ fleet }, dice) => void onOne(fleet.up(), dice, fleet.restart),
  freeze: ({ fleet }, dice) => void onOne(fleet.up(), dice, (place) => fleet.freeze(place, FREEZE_MS)),
  "restart the database": ({ database }) => database.restart("SIGINT"),
  "crash the database": ({ database }) => database.restart("SIGQUIT"),
  "cut all connections": ({ database }) => database.cutConnections(),
  "lock a table": ({ database }, dice) => void database.holdLock(`lock table ${dice.pick(LOCKED)}`, LOCKED_MS),
  "lock rows": ({ database }, dice) => void database.holdLock(`select from ${dice.pick(LOCKED)} for update`, LOCKED_MS),
  flood: (scene, dice) => flood(scene, dice),
};
/** How often each comes before all come again. */
const DECK = [...Object.keys(FAULTS), "kill", "kill", "kill", "restart"];

/** A fault that was injected. */
export interface InjectedFault {
  readonly name: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
}

/** Injects one fault after another for some seconds. */
export async function injectFaults(scene: Scene, seconds: number): Promise<readonly InjectedFault[]> {
  const dice = scene.dice.of("faults");
  const end = performance.now() + seconds * 1_000;
  const mishaps: InjectedFault[] = [];
  let deck: string[] = [];
  for (;;) {
    await sleep(dice.whole(...BETWEEN_FAULTS_MS));
    // On a busy machine a process starts slowly; one that is killed immediately again has done nothing.
    while (scene.fleet.up().length < ENOUGH && performance.now() < end) await sleep(POLL_INTERVAL_MS);
    if (performance.now() > end) return mishaps;
    if (deck.length === 0) deck = shuffled(DECK, dice);
    const name = deck.pop() ?? "";
    mishaps.push({ name, at: Date.now() });
    await FAULTS[name]?.(scene, dice);
  }
}

function killOne({ fleet }: Scene, dice: Dice): void {
  void onOne(fleet.up(), dice, (place) => fleet.kill(place, dice.whole(0, LONGEST_ABSENCE_MS)));
}

/** Orders floods. Nobody reads them, but the audit finds those that have not ended. */
async function flood(scene: Scene, dice: Dice): Promise<void> {
  for (let n = 0; n < FLOODS; n++) {
    const order = floodOrder(scene.workforce, dice.whole(FIRST_FLOOD, FIRST_FLOOD * 1_000));
    await sendUntilAnswered(scene, dice, (service) => knock(service, order));
  }
}

function onOne(places: readonly number[], dice: Dice, act: (place: number) => Promise<void>): Promise<void> {
  const [first, ...others] = places;
  return first === undefined ? Promise.resolve() : act(dice.pick([first, ...others]));
}

function shuffled(names: readonly string[], dice: Dice): string[] {
  return names
    .map((name) => ({ name, place: dice.between(0, 1) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ name }) => name);
}
