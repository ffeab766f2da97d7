import type { LoggedEvent } from "#db/queries/task-events.ts";

/** What a follower is told: new events, or only that there are some in the log. */
export type Arrival = readonly LoggedEvent[] | "look";

/** How long the followers of another process count after it was last heard of them, in milliseconds. */
const REMEMBER_MS = 20_000;

/** How a process tells the others; each gives task ids. */
export interface Announcer {
  /** That it has followers of these tasks. */
  readonly followers: (taskIds: readonly string[]) => void;
  /** That the logs of these tasks have grown. */
  readonly events: (taskIds: readonly string[]) => void;
}

/**
 * Tells the followers of a task's log that it has grown. Followers in this process get the
 * events themselves; those in other processes are told to look, and only when there are any:
 * each process announces whom it has.
 */
export interface EventBus {
  /** Calls `handler` at each arrival, until the returned function is called. */
  subscribe(taskId: string, handler: (arrival: Arrival) => void): () => void;
  /** Tells all followers of a task, here and elsewhere. */
  publish(taskId: string, arrival: Arrival): void;
  /** Tells the followers in this process that another one wrote. */
  look(taskId: string): void;
  /** Tells every follower in this process to look: notifications may have been missed. */
  lookAtAll(): void;
  /** Notes that another process has followers of a task, and has them look at once. */
  followedElsewhere(taskId: string): void;
  /** Announces the followers of this process again; call it every few seconds. */
  announceFollowers(): void;
}

/** Makes a process's bus. */
export function createEventBus(announce: Announcer, now: () => number = Date.now): EventBus {
  const followers = new Map<string, Set<(arrival: Arrival) => void>>();
  const elsewhere = new Map<string, number>();

  function tell(taskId: string, arrival: Arrival): void {
    for (const handler of followers.get(taskId) ?? []) handler(arrival);
  }

  return {
    subscribe(taskId, handler) {
      const handlers = followers.get(taskId) ?? new Set();
      if (handlers.size === 0) announce.followers([taskId]);
      followers.set(taskId, handlers.add(handler));
      return () => {
        handlers.delete(handler);
        if (handlers.size === 0 && followers.get(taskId) === handlers) followers.delete(taskId);
      };
    },
    publish(taskId, arrival) {
      tell(taskId, arrival);
      if (elsewhere.has(taskId)) announce.events([taskId]);
    },
    look: (taskId) => tell(taskId, "look"),
    lookAtAll() {
      for (const taskId of followers.keys()) tell(taskId, "look");
    },
    followedElsewhere(taskId) {
      if (!elsewhere.has(taskId)) announce.events([taskId]);
      elsewhere.set(taskId, now() + REMEMBER_MS);
    },
    announceFollowers() {
      for (const [taskId, until] of elsewhere) if (until < now()) elsewhere.delete(taskId);
      if (followers.size > 0) announce.followers([...followers.keys()]);
    },
  };
}
