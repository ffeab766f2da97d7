import { setTimeout as sleep } from "node:timers/promises";
import { oneOf } from "#lib/dice.ts";
import type { Dice } from "#lib/dice.ts";
import type { Fleet } from "./fleet.ts";
import type { ScratchDatabase } from "./scratch-database.ts";
import type { ServiceProcess } from "./service-process.ts";
import type { CountedToolCall, ModelCall, ReceivedDelivery, Vendor } from "./vendor/vendor.ts";
import type { Moment } from "./wire/database-line.ts";
import type { Entrance } from "./wire/entrance.ts";

/** How long a fault waits for its moment. */
const PATIENCE_MS = 2_000;
/** Longer than the lease: the process is presumed dead. */
const FREEZE_MS = 6_000;
const DELAY_MS = 1_500;
const PAUSE_MS = [20, 200] as const;
/** A fault strikes only while so many processes work. */
const ENOUGH = 2;

/** What faults are done to. */
export interface FaultScene {
  readonly fleet: Fleet;
  readonly vendor: Vendor;
  readonly entrance: Entrance<ServiceProcess>;
  readonly database: ScratchDatabase;
}

/** A fault that has struck. */
export interface Fault {
  readonly kind: string;
  /** The statement at which it struck, if it was one. */
  readonly statement?: string;
}

type Struck = Omit<Fault, "kind">;

/** Tries a fault; undefined when its moment did not come. */
type Strike = (scene: FaultScene, dice: Dice) => Promise<Struck | undefined>;

/** All faults, each as often as it comes before all come again. */
const FAULTS: Readonly<Record<string, { readonly strike: Strike; readonly share: number }>> = {
  "kill -9 before a write": { strike: (scene, dice) => killAtWrite(scene, dice, "before"), share: 4 },
  "kill -9 after a commit": { strike: (scene, dice) => killAtWrite(scene, dice, "after"), share: 4 },
  "kill -9 in a model call": { strike: killInModelCall, share: 2 },
  "kill -9 in a tool call": { strike: killInToolCall, share: 2 },
  "kill -9 in a delivery": { strike: killInDelivery, share: 2 },
  "kill -9 in a request": { strike: killInRequest, share: 2 },
  "kill -9 of all": { strike: killAll, share: 1 },
  freeze: { strike: freeze, share: 1 },
  "cut streams": { strike: cutStreams, share: 6 },
  "lost answer of the database": { strike: loseAnswer, share: 6 },
  "late answers of the database": { strike: delayAnswers, share: 4 },
};
const DECK = Object.entries(FAULTS).flatMap(([kind, { share }]) => Array.from({ length: share }, () => kind));

/** Lets one fault after another strike, and reports each, until `isEnough`. */
export async function injectFaults(
  scene: FaultScene,
  dice: Dice,
  { isEnough, onFault }: { readonly isEnough: () => boolean; readonly onFault: (fault: Fault) => void },
): Promise<void> {
  let deck: string[] = [];
  while (!isEnough()) {
    await scene.fleet.settled(ENOUGH);
    if (deck.length === 0) deck = shuffled(DECK, dice);
    const kind = deck.pop() ?? "";
    const struck = await FAULTS[kind]?.strike(scene, dice);
    if (struck !== undefined) onFault({ kind, ...struck });
    await sleep(dice.whole(...PAUSE_MS));
  }
}

async function killAtWrite(scene: FaultScene, dice: Dice, moment: Moment): Promise<Struck | undefined> {
  return atWrite(scene, dice, { moment, act: (service) => service.kill() });
}

/** The write is committed, and the connection breaks before the process hears of it. */
async function loseAnswer(scene: FaultScene, dice: Dice): Promise<Struck | undefined> {
  return atWrite(scene, dice, { moment: "after", act: () => undefined });
}

/** Waits half of the time for one certain write, so that rare ones have their turn, and then for any. */
async function atWrite(
  { fleet }: FaultScene,
  dice: Dice,
  { moment, act }: { readonly moment: Moment; readonly act: (service: ServiceProcess) => void },
): Promise<Struck | undefined> {
  const service = oneOf(fleet.up(), dice);
  if (service === undefined) return undefined;
  const strike = () => act(service);
  const wanted = oneOf([...fleet.writes].toSorted(), dice);
  const statement =
    (await service.line.ambush({ moment, strike, statement: wanted }, PATIENCE_MS / 2)) ??
    (await service.line.ambush({ moment, strike }, PATIENCE_MS / 2));
  return statement === undefined ? undefined : { statement };
}

async function delayAnswers({ fleet }: FaultScene, dice: Dice): Promise<Struck | undefined> {
  const service = oneOf(fleet.up(), dice);
  void service?.line.delayAnswers(DELAY_MS);
  return service && {};
}

async function killInModelCall({ vendor, fleet }: FaultScene): Promise<Struck | undefined> {
  const kill = async ({ by }: ModelCall) => {
    const service = fleet.up().find(({ name }) => name === by);
    if (service !== undefined) await fleet.kill(service);
  };
  return (await vendor.middle.model.next(kill, PATIENCE_MS)) ? {} : undefined;
}

const OWNER_OF_TASK = `
  select e.pid from tasks t join jobs j on j.subject_id = t.id join executors e on e.id = j.executor_id where t.title = $1`;

async function killInToolCall(scene: FaultScene): Promise<Struck | undefined> {
  const kill = ({ title }: CountedToolCall) => killOwner(scene, OWNER_OF_TASK, title);
  return (await scene.vendor.middle.tool.next(kill, PATIENCE_MS)) ? {} : undefined;
}

const OWNER_OF_DELIVERY = `
  select e.pid from jobs j join executors e on e.id = j.executor_id where j.subject_id = $1`;

async function killInDelivery(scene: FaultScene): Promise<Struck | undefined> {
  const kill = ({ id }: ReceivedDelivery) => killOwner(scene, OWNER_OF_DELIVERY, id);
  return (await scene.vendor.middle.delivery.next(kill, PATIENCE_MS)) ? {} : undefined;
}

/** Kills the process whose id a query returns, if it is one of the fleet. */
async function killOwner({ database, fleet }: FaultScene, query: string, subject: string): Promise<void> {
  const [owner] = await database.query<{ pid: number }>(query, [subject]);
  const service = fleet.up().find(({ pid }) => pid === owner?.pid);
  if (service !== undefined) await fleet.kill(service);
}

async function killInRequest({ entrance, fleet }: FaultScene): Promise<Struck | undefined> {
  const service = await entrance.nextPost(PATIENCE_MS);
  if (service === undefined || !fleet.up().includes(service)) return undefined;
  await fleet.kill(service);
  return {};
}

async function killAll({ fleet }: FaultScene): Promise<Struck> {
  await Promise.all(fleet.up().map((service) => fleet.kill(service)));
  return {};
}

/** It still counts as up: no process is told that another one hangs. */
async function freeze({ fleet }: FaultScene, dice: Dice): Promise<Struck | undefined> {
  const service = oneOf(fleet.up(), dice);
  void service?.freeze(FREEZE_MS);
  return service && {};
}

async function cutStreams({ entrance }: FaultScene): Promise<Struck | undefined> {
  return entrance.cut() > 0 ? {} : undefined;
}

function shuffled<T>(list: readonly T[], dice: Dice): T[] {
  return list
    .map((each) => ({ each, place: dice.between(0, 1) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ each }) => each);
}
