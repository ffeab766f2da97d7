import type { LoggedEvent } from "#db/queries/task-events.ts";

/** What a follower is told: new events, or only that there are some in the log. */
export type Arrival = readonly LoggedEvent[] | "look";

/** How long the followers of another process count after it was last heard of them, in milliseconds. */
const REMEMBER_MS = 20_000;

/** One reader of a task's log, as the bus knows it. */
export interface Follower {
  /** Called at each arrival. */
  readonly tell: (arrival: Arrival) => void;
  /** The number of the event for which it waits; undefined while it is busy with earlier ones. */
  readonly waitsFor: () => number | undefined;
}

/** A log and the number from which on its events are missing to somebody. */
export interface Awaited {
  readonly taskId: string;
  readonly seq: number;
}

/** What a bus reaches beyond its process; tasks are given by their ids. */
export interface BusLinks {
  /** That it has followers of these tasks. */
  readonly followers: (taskIds: readonly string[]) => void;
  /** That the logs of these tasks have grown. */
  readonly events: (taskIds: readonly string[]) => void;
  /** Finds those of these logs that have such an event, or will never have one. */
  readonly findGrown: (awaited: readonly Awaited[]) => Promise<readonly string[]>;
}

/**
 * Tells the followers of a task's log that it has grown. Followers in this process get the
 * events themselves; those in other processes are told to look, and only when there are any:
 * each process announces whom it has.
 */
export interface EventBus {
  /** Tells a follower of each arrival, until the returned function is called. */
  subscribe(taskId: string, follower: Follower): () => void;
  /** Tells all followers of a task, here and elsewhere. */
  publish(taskId: string, arrival: Arrival): void;
  /** Tells the followers in this process that another one wrote. */
  look(taskId: string): void;
  /** Tells every follower in this process to look: notifications may have been missed. */
  lookAtAll(): void;
  /** Looks into the logs of all who wait, and tells those who have missed something; call it every few seconds. */
  lookForMissed(): Promise<void>;
  /** Notes that another process has followers of a task, and has them look at once. */
  followedElsewhere(taskId: string): void;
  /** Announces the followers of this process again; call it every few seconds. */
  announceFollowers(): void;
}

/** Makes a process's bus. */
export function createEventBus(links: BusLinks, now: () => number = Date.now): EventBus {
  const followers = new Map<string, Set<Follower>>();
  const elsewhere = new Map<string, number>();

  function tell(taskId: string, arrival: Arrival): void {
    for (const follower of followers.get(taskId) ?? []) follower.tell(arrival);
  }

  return {
    subscribe(taskId, follower) {
      const all = followers.get(taskId) ?? new Set();
      if (all.size === 0) links.followers([taskId]);
      followers.set(taskId, all.add(follower));
      return () => {
        all.delete(follower);
        if (all.size === 0 && followers.get(taskId) === all) followers.delete(taskId);
      };
    },
    publish(taskId, arrival) {
      tell(taskId, arrival);
      if (elsewhere.has(taskId)) links.events([taskId]);
    },
    look: (taskId) => tell(taskId, "look"),
    lookAtAll() {
      for (const taskId of followers.keys()) tell(taskId, "look");
    },
    async lookForMissed() {
      const awaited = [...followers].flatMap(([taskId, all]) =>
        [...all].flatMap((follower) => {
          const seq = follower.waitsFor();
          return seq === undefined ? [] : [{ taskId, seq }];
        }),
      );
      if (awaited.length === 0) return;
      for (const taskId of await links.findGrown(awaited)) tell(taskId, "look");
    },
    followedElsewhere(taskId) {
      if (!elsewhere.has(taskId)) links.events([taskId]);
      elsewhere.set(taskId, now() + REMEMBER_MS);
    },
    announceFollowers() {
      for (const [taskId, until] of elsewhere) if (until < now()) elsewhere.delete(taskId);
      if (followers.size > 0) links.followers([...followers.keys()]);
    },
  };
}
