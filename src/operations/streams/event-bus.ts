import { createBatcher } from "#lib/async/batcher.ts";
import { encodeAnnouncements, decodeAnnouncements, packLines } from "./announcements.ts";
import type { Announcement } from "./announcements.ts";
import type { Follower, EventBus, LogNotification } from "../ports.ts";

/** Announcements to other processes are batched for this long, in milliseconds. */
const BATCH_WINDOW_MS = 20;
const MAX_BATCH = 10_000;
/** How long an announced follower of another process counts, in milliseconds. */
const FOLLOWER_TTL_MS = 20_000;
/** After its own write to a log, a process needs no notifications of it for this long, in milliseconds. */
const OWN_LOG_TTL_MS = 5_000;

/** A log and the number of the first event that a reader lacks. */
export interface ReadPosition {
  readonly logId: string;
  readonly seq: number;
}

/**
 * The bus's connections to other processes and the database. {@link EventBus.pollForMissed} finds lost notifications.
 */
export interface BusLinks {
  /** Sends payloads to processes, addressed by name. */
  readonly send: (notices: readonly { readonly processName: string; readonly payload: string }[]) => Promise<void>;
  /** Announces to all processes the logs that this one follows; each payload is a list of ids. */
  readonly announceFollowers: (payloads: readonly string[]) => void;
  /** Finds those of these logs that have the awaited event, or will never have it. */
  readonly findGrown: (awaited: readonly ReadPosition[]) => Promise<readonly string[]>;
}

/** Creates a process's bus. */
export function createEventBus(links: BusLinks, now: () => number = performance.now.bind(performance)): EventBus {
  const followers = new Map<string, Set<Follower>>();
  const elsewhere = createRemoteFollowers(now);
  /** The time of this process's last write to a log, and whether it is the one that writes next. */
  const written = new Map<string, { readonly at: number; readonly continues: boolean }>();
  let newlyFollowed = new Set<string>();

  const send = createBatcher({
    intervalMs: BATCH_WINDOW_MS,
    maxBatch: MAX_BATCH,
    write: async (outbox: readonly Outgoing[]) => {
      await links.send(payloadsOf(outbox));
      return outbox.map(() => true);
    },
  });

  function notify(logId: string, arrival: LogNotification): void {
    for (const follower of followers.get(logId) ?? []) follower.notify(arrival);
  }

  function announce(logIds: Iterable<string>): void {
    const foreign = [...logIds].filter((logId) => followers.has(logId) && !isOwn(logId));
    if (foreign.length > 0) links.announceFollowers(packLines(foreign));
  }

  function isOwn(logId: string): boolean {
    const last = written.get(logId);
    return last?.continues === true && now() - last.at <= OWN_LOG_TTL_MS;
  }

  /** Delayed: most followed runs belong to this process, and start within that time. */
  function announceSoon(logId: string): void {
    newlyFollowed.add(logId);
    if (newlyFollowed.size > 1) return;
    setTimeout(() => {
      const logIds = newlyFollowed;
      newlyFollowed = new Set();
      announce(logIds);
    }, BATCH_WINDOW_MS).unref();
  }

  return {
    subscribe(logId, follower) {
      const all = followers.get(logId) ?? new Set();
      if (all.size === 0) announceSoon(logId);
      followers.set(logId, all.add(follower));
      return () => {
        all.delete(follower);
        if (all.size === 0 && followers.get(logId) === all) followers.delete(logId);
      };
    },
    publish(logId, arrival, next = "here") {
      if (arrival !== "grown") written.set(logId, { at: now(), continues: next === "here" });
      if (next === "anywhere") announceSoon(logId);
      notify(logId, arrival);
      for (const processName of elsewhere.processesOf(logId)) void send({ processName, logId, arrival });
    },
    receive(payload) {
      for (const { logId, arrival } of decodeAnnouncements(payload)) notify(logId, arrival);
    },
    logHasGrown: (logId) => notify(logId, "grown"),
    isFollowed: (logId) => followers.has(logId) || elsewhere.has(logId),
    pollAll() {
      for (const logId of followers.keys()) notify(logId, "grown");
    },
    async pollForMissed() {
      const awaited = [...followers].flatMap(([logId, all]) => awaitedOf(logId, all));
      if (awaited.length === 0) return;
      for (const logId of await links.findGrown(awaited)) notify(logId, "grown");
    },
    followedElsewhere(processName, logIds) {
      for (const logId of logIds) {
        const isNew = elsewhere.add(logId, processName);
        // That process may have read the log before this write, and announced itself after it.
        if (isNew && written.has(logId)) void send({ processName, logId, arrival: "grown" });
      }
    },
    announceFollowers() {
      elsewhere.evictExpired();
      for (const [logId, { at }] of written) if (at + FOLLOWER_TTL_MS < now()) written.delete(logId);
      announce(followers.keys());
    },
  };
}

/** An announcement to another process. */
interface Outgoing extends Announcement {
  readonly processName: string;
}

function payloadsOf(outbox: readonly Outgoing[]) {
  return [...Map.groupBy(outbox, ({ processName }) => processName)].flatMap(([processName, announcements]) =>
    encodeAnnouncements(announcements).map((payload) => ({ processName, payload })),
  );
}

/** The events that a log's followers wait for. */
function awaitedOf(logId: string, followers: ReadonlySet<Follower>): readonly ReadPosition[] {
  return [...followers].flatMap((follower) => {
    const seq = follower.waitsFor();
    return seq === undefined ? [] : [{ logId, seq }];
  });
}

/** The other processes that follow a log, each until its last announcement expires. */
function createRemoteFollowers(now: () => number) {
  const expiries = new Map<string, Map<string, number>>();
  return {
    processesOf: (logId: string): Iterable<string> => expiries.get(logId)?.keys() ?? [],
    has: (logId: string): boolean => expiries.has(logId),
    /** Returns whether the process did not follow the log before. */
    add(logId: string, processName: string): boolean {
      const processes = expiries.get(logId) ?? new Map<string, number>();
      const isNew = !processes.has(processName);
      expiries.set(logId, processes.set(processName, now() + FOLLOWER_TTL_MS));
      return isNew;
    },
    evictExpired(): void {
      for (const [logId, processes] of expiries) {
        for (const [processName, until] of processes) if (until < now()) processes.delete(processName);
        if (processes.size === 0) expiries.delete(logId);
      }
    },
  };
}
