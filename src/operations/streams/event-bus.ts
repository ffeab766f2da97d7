import { createBatcher } from "#lib/async/batcher.ts";
import { encodeAnnouncements, decodeAnnouncements, packLines } from "./announcements.ts";
import type { Announcement, Arrival } from "./announcements.ts";

/** Announcements to other processes are gathered for this long, in milliseconds. */
const BATCH_WINDOW_MS = 20;
const MAX_BATCH = 10_000;
/** How long the followers of another process count after they were last announced, in milliseconds. */
const FOLLOWER_TTL_MS = 20_000;
/** A log that this process has written to within this time needs no news from others, in milliseconds. */
const OWN_LOG_TTL_MS = 5_000;

/** One reader of a task's log, as the bus knows it. */
export interface Follower {
  /** Called at each arrival. */
  readonly tell: (arrival: Arrival) => void;
  /** The number of the event for which it waits; undefined while it is busy with earlier ones. */
  readonly waitsFor: () => number | undefined;
}

/** A log and the number of the first event of it that a reader lacks. */
export interface Awaited {
  readonly taskId: string;
  readonly seq: number;
}

/** How a bus reaches other processes, and the database. What gets lost is found by {@link EventBus.pollForMissed}. */
export interface BusLinks {
  /** Sends payloads to processes, each known by its name. */
  readonly send: (notices: readonly { readonly processName: string; readonly payload: string }[]) => Promise<void>;
  /** Tells all processes which logs this one has followers of; each payload is a list of ids. */
  readonly announceFollowers: (payloads: readonly string[]) => void;
  /** Finds those of these logs that have such an event, or will never have one. */
  readonly findGrown: (awaited: readonly Awaited[]) => Promise<readonly string[]>;
}

/**
 * Tells the followers of a task's log that it has grown, with the events themselves. Followers in other processes get
 * them by notifications, which are gathered, and sent only to processes that have announced followers of that log.
 */
export interface EventBus {
  /** Tells a follower of each arrival, until the returned function is called. */
  subscribe(taskId: string, follower: Follower): () => void;
  /**
   * Tells all followers of a task, here and elsewhere.
   * @param next which process writes next: `here` as long as the execution continues, `anywhere` after a question or an
   *   answer, when followers of this process are announced to the others at once
   */
  publish(taskId: string, arrival: Arrival, next?: "here" | "anywhere"): void;
  /** Passes on what another process has sent to this one. */
  receive(payload: string): void;
  /** Tells the followers in this process that another one wrote. */
  look(taskId: string): void;
  /** Tells every follower in this process to look: notifications may have been missed. */
  pollAll(): void;
  /** Looks into the logs of all who wait, and tells those who have missed something; call it every few seconds. */
  pollForMissed(): Promise<void>;
  /** Notes that another process has followers of these tasks, and has them look where this one has just written. */
  followedElsewhere(processName: string, taskIds: readonly string[]): void;
  /** Announces the followers of this process again; call it every few seconds. */
  announceFollowers(): void;
}

/** Makes a process's bus. */
export function createEventBus(links: BusLinks, now: () => number = performance.now.bind(performance)): EventBus {
  const followers = new Map<string, Set<Follower>>();
  /** The processes that follow a log, and until when. */
  const elsewhere = new Map<string, Map<string, number>>();
  /** When this process has last written to a log. */
  const written = new Map<string, number>();
  let newlyFollowed = new Set<string>();

  const send = createBatcher({ intervalMs: BATCH_WINDOW_MS, maxBatch: MAX_BATCH, write: sendAll });

  async function sendAll(outbox: readonly Outgoing[]): Promise<readonly true[]> {
    const perProcess = Map.groupBy(outbox, ({ processName }) => processName);
    await links.send(
      [...perProcess].flatMap(([processName, announcements]) =>
        encodeAnnouncements(announcements).map((payload) => ({ processName, payload })),
      ),
    );
    return outbox.map(() => true);
  }

  function tell(taskId: string, arrival: Arrival): void {
    for (const follower of followers.get(taskId) ?? []) follower.tell(arrival);
  }

  function announce(taskIds: Iterable<string>): void {
    const foreign = [...taskIds].filter(
      (taskId) => followers.has(taskId) && now() - (written.get(taskId) ?? -Infinity) > OWN_LOG_TTL_MS,
    );
    if (foreign.length > 0) links.announceFollowers(packLines(foreign));
  }

  /** Not immediately: most runs that are followed are this process's own, and begin within that time. */
  function announceSoon(taskId: string): void {
    newlyFollowed.add(taskId);
    if (newlyFollowed.size > 1) return;
    setTimeout(() => {
      const taskIds = newlyFollowed;
      newlyFollowed = new Set();
      announce(taskIds);
    }, BATCH_WINDOW_MS).unref();
  }

  return {
    subscribe(taskId, follower) {
      const all = followers.get(taskId) ?? new Set();
      if (all.size === 0) announceSoon(taskId);
      followers.set(taskId, all.add(follower));
      return () => {
        all.delete(follower);
        if (all.size === 0 && followers.get(taskId) === all) followers.delete(taskId);
      };
    },
    publish(taskId, arrival, next = "here") {
      if (next === "anywhere") {
        written.delete(taskId);
        announceSoon(taskId);
      } else if (arrival !== "look") written.set(taskId, now());
      tell(taskId, arrival);
      for (const processName of elsewhere.get(taskId)?.keys() ?? []) void send({ processName, taskId, arrival });
    },
    receive(payload) {
      for (const { taskId, arrival } of decodeAnnouncements(payload)) tell(taskId, arrival);
    },
    look: (taskId) => tell(taskId, "look"),
    pollAll() {
      for (const taskId of followers.keys()) tell(taskId, "look");
    },
    async pollForMissed() {
      const awaited = [...followers].flatMap(([taskId, all]) =>
        [...all].flatMap((follower) => {
          const seq = follower.waitsFor();
          return seq === undefined ? [] : [{ taskId, seq }];
        }),
      );
      if (awaited.length === 0) return;
      for (const taskId of await links.findGrown(awaited)) tell(taskId, "look");
    },
    followedElsewhere(processName, taskIds) {
      for (const taskId of taskIds) {
        const processes = elsewhere.get(taskId) ?? new Map<string, number>();
        // It may have read the log before this process wrote, and be announced after.
        if (!processes.has(processName) && written.has(taskId)) void send({ processName, taskId, arrival: "look" });
        elsewhere.set(taskId, processes.set(processName, now() + FOLLOWER_TTL_MS));
      }
    },
    announceFollowers() {
      for (const [taskId, processes] of elsewhere) {
        for (const [processName, until] of processes) if (until < now()) processes.delete(processName);
        if (processes.size === 0) elsewhere.delete(taskId);
      }
      for (const [taskId, at] of written) if (at + FOLLOWER_TTL_MS < now()) written.delete(taskId);
      announce(followers.keys());
    },
  };
}

/** An announcement on its way to another process. */
interface Outgoing extends Announcement {
  readonly processName: string;
}
