import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { beat, elect, leave, readExecutors, register, takeOver } from "#db/queries/queue/executors.ts";
import type {
  Beat,
  BeatingExecutor,
  Deaths,
  Executor,
  JudgedExecutor,
  KeysInUse,
  TakenOver,
} from "#db/queries/queue/executors.ts";
import type { Observe } from "#domain/observation.ts";
import { createPoller } from "#lib/async/poller.ts";
import { newId } from "#lib/ids.ts";
import { codeOf } from "#lib/error-code.ts";
import { createBeatJudge } from "./beat-judge.ts";
import type { Lease } from "./lease.ts";
import { MACHINE } from "./machine.ts";

/** Without a death, jobs without a living owner are rare: the keeper checks for them once in this many beats. */
const ORPHAN_CHECK_BEATS = 5;

/** A living process has beaten again after this many beats. */
const CHECKED_BEATS = 3;

/** Timers fire a little early or late: half of the usual beat less, so that a whole number of beats is the lease. */
const JUDGED_SHARE = 0.9;

/** The interval between beats, and the time without one after which a process is presumed dead, in milliseconds. */
export interface LeaseTimes {
  readonly beatMs: number;
  readonly leaseMs: number;
}

/** This process as a member of those that run jobs. */
export interface Membership {
  /** The process under its current id; it gets a new id after it was presumed dead. */
  executorId(): string;
  /** Whether this process is the keeper. */
  isKeeper(): boolean;
  /** Whether this process knows that no other one runs jobs: it was the only one at its last beat. */
  isAlone(): boolean;
  /** Recovers jobs of dead processes of this host, registers, and starts to beat. */
  start(): Promise<void>;
  /** Requeues the jobs of a quarantine process that has ended. @param isBlamed see {@link Deaths} */
  recover(executorId: string, isBlamed: boolean): Promise<void>;
  /** Beats once; called by the timer. */
  beat(): Promise<void>;
  /** Unregisters the process; its jobs must be released before. */
  stop(): Promise<void>;
}

/** Dependencies of {@link createMembership}. */
export interface MembershipOptions extends LeaseTimes {
  readonly db: Database;
  readonly lease: Lease;
  readonly log: Logger;
  readonly observe: Observe;
  /** The host's name; process ids can be checked only on the same host. */
  readonly host?: string;
  /** For a quarantine process: its id, and its parent's. It watches over no other process. */
  readonly quarantine?: { readonly executorId: string; readonly parentId: string } | undefined;
  /** The keys of this process, as they are at the time. */
  readonly keys: KeysInUse;
  /** Called when others have presumed this process dead: its jobs are lost. */
  readonly onPresumedDead: () => void;
  /** Called when jobs of dead processes are queued again. */
  readonly onTakenOver: () => void;
  /** Called after each beat of the keeper. */
  readonly onKeeperBeat: () => Promise<void>;
}

/** What a beat says of the other processes, and which of them are presumed dead. */
type Watch = Omit<Beat, "isAlive"> & { readonly dead: readonly JudgedExecutor[] };

/** Creates the membership of a process. */
export function createMembership(options: MembershipOptions): Membership {
  const { db, lease, log, beatMs, leaseMs } = options;
  const { executorId: firstId = newId(), parentId = null } = options.quarantine ?? {};
  let self: Executor = { id: firstId, host: options.host ?? hostname(), pid: process.pid, machine: MACHINE, parentId };
  let keeper = false;
  let alone = false;
  let nameCheck: NodeJS.Timeout | undefined;
  let watching: Promise<void> | undefined;
  let keeperBeatBefore: number | null = null;
  /** Beats until the keeper's next check for jobs without a living owner. */
  let beatsToCheck = 0;
  const judge = createBeatJudge<JudgedExecutor>(leaseMs * JUDGED_SHARE);

  async function join(): Promise<void> {
    const beganAt = performance.now();
    await register(db.beats, self, options.keys);
    lease.renew(beganAt);
  }

  /** Returns what the beat says of the other processes; undefined when this process has nothing to do about them. */
  async function sendBeat(): Promise<Watch | undefined> {
    const beganAt = performance.now();
    const seen = await beat(db.beats, self.id, options.keys);
    alone = seen.isAlive && seen.others?.length === 0;
    if (!seen.isAlive) {
      log.warn("other processes presumed this one dead; its jobs run elsewhere");
      options.observe({ type: "lease_lost" });
      options.onPresumedDead();
      keeper = false;
      self = { ...self, id: newId() };
      await join();
      return undefined;
    }
    lease.renew(beganAt);
    if (parentId !== null) return undefined;
    keeper = seen.others !== null;
    return { ...seen, dead: seen.others === null ? [] : judgeOf(seen.others) };
  }

  async function watch({ others, dead, ...seen }: Watch): Promise<void> {
    return others === null ? watchKeeper(seen) : watchOver(dead);
  }

  async function watchKeeper({ epoch, keeperId, keeperBeat }: Omit<Watch, "others" | "dead">): Promise<void> {
    const isUnknown = keeperId === null || keeperBeat === null;
    const known = isUnknown ? undefined : { id: keeperId, beat: keeperBeat, parentId: null };
    // A silent keeper detects no deaths, so processes that die with it are watched before the next election.
    const isSilent = keeperBeat !== null && keeperBeat === keeperBeatBefore;
    keeperBeatBefore = keeperBeat;
    const watched = isSilent ? await readOthers() : known === undefined ? [] : [known];
    const dead = judgeOf(watched);
    if (known !== undefined && !dead.some(({ id }) => id === keeperId)) return;
    keeper = await elect(db.ownership, self.id, epoch);
    if (keeper) await reap(options, { dead });
  }

  /** A quarantine process is its parent's to judge while that lives. */
  function judgeOf(others: readonly JudgedExecutor[]): readonly JudgedExecutor[] {
    const living = new Set([self.id, ...others.map(({ id }) => id)]);
    return judge.observe(others).filter((other) => other.parentId === null || !living.has(other.parentId));
  }

  async function watchOver(dead: readonly JudgedExecutor[]): Promise<void> {
    beatsToCheck -= 1;
    if (dead.length > 0 || beatsToCheck <= 0) {
      await reap(options, { dead });
      // A job that was locked at the takeover, or claimed at that moment, is found by the next check.
      beatsToCheck = dead.length > 0 ? 1 : ORPHAN_CHECK_BEATS;
    }
    await options.onKeeperBeat();
  }

  /** A process of the same host name, on another machine, that has beaten since. */
  async function warnOfNamesakes(strangers: readonly BeatingExecutor[]): Promise<void> {
    const now = await readExecutors(db.ownership).catch(() => []);
    for (const { id, host, pid, beat: before } of strangers) {
      if (!now.some((other) => other.id === id && other.beat > before)) continue;
      log.warn({ host, pid }, "another machine or container has this host name; give each a name of its own");
    }
  }

  async function readOthers(): Promise<BeatingExecutor[]> {
    return (await readExecutors(db.ownership)).filter(({ id }) => id !== self.id);
  }

  async function beatOnce(): Promise<void> {
    const seen = await sendBeat();
    if (seen !== undefined) await watch(seen);
  }

  /** The watch may wait for locks; the beats go on meanwhile. */
  async function beatNext(): Promise<void> {
    const seen = await sendBeat();
    if (seen === undefined) return;
    watching ??= watch(seen)
      .catch((error: unknown) => log.warn({ err: error }, "could not watch over other processes"))
      .finally(() => (watching = undefined));
  }

  const beats = createPoller({
    intervalMs: beatMs,
    run: beatNext,
    onError: (error) => log.warn({ err: error }, "heartbeat failed"),
  });

  return {
    executorId: () => self.id,
    isKeeper: () => keeper,
    isAlone: () => alone,
    beat: beatOnce,
    async start() {
      const known = await readExecutors(db.ownership);
      await join();
      if (parentId === null) await reap(options, { dead: known.filter((other) => isDeadOnHost(other, self)) });
      await beatOnce();
      beats.start();
      const strangers = known.filter(({ host, machine }) => host === self.host && machine !== self.machine);
      if (strangers.length > 0) nameCheck = setTimeout(() => void warnOfNamesakes(strangers), beatMs * CHECKED_BEATS);
    },
    async recover(executorId, isBlamed) {
      const dead = (await readExecutors(db.ownership)).filter(({ id }) => id === executorId);
      await reap(options, { dead, isBlamed });
    },
    async stop() {
      clearTimeout(nameCheck);
      await beats.stop();
      await watching;
      await leave(db.beats, self.id);
    },
  };
}

/** Recovers the jobs of dead processes, and jobs without a living owner. */
async function reap({ db, log, observe, onTakenOver }: MembershipOptions, deaths: Deaths) {
  const taken: TakenOver[] = [];
  const rest = { dead: [] };
  for (let batch = await takeOver(db.ownership, deaths); batch.length > 0; batch = await takeOver(db.ownership, rest))
    taken.push(...batch);
  if (taken.length === 0) return;
  const executors = [...new Set(taken.map(({ executorId }) => executorId))];
  log.warn({ executors, jobs: taken.length }, "recovering the jobs of dead processes");
  for (const [kind, jobs] of Map.groupBy(taken, (job) => job.kind)) {
    observe({ type: "jobs_taken_over", kind, jobs: jobs.length });
  }
  onTakenOver();
}

/** An earlier process with the same process id is dead as well. */
function isDeadOnHost(other: Executor, self: Executor): boolean {
  if (other.host !== self.host || other.machine !== self.machine || other.id === self.id) return false;
  if (other.pid === self.pid) return true;
  try {
    process.kill(other.pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) !== "EPERM";
  }
}
