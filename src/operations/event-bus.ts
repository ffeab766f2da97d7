import type { LoggedEvent } from "#db/queries/task-events.ts";

/** What a follower is told: new events, or only that there are some in the log. */
export type Arrival = readonly LoggedEvent[] | "look";

/**
 * Tells the followers of a task's log, within this process, that it has grown. Events of
 * runs in this process arrive themselves; for those of other processes followers are told to look.
 */
export interface EventBus {
  /** Calls `handler` at each arrival, until the returned function is called. */
  subscribe(taskId: string, handler: (arrival: Arrival) => void): () => void;
  publish(taskId: string, arrival: Arrival): void;
  /** Tells every follower to look: notifications may have been missed. */
  publishToAll(arrival: Arrival): void;
}

/** Makes a bus. */
export function createEventBus(): EventBus {
  const followers = new Map<string, Set<(arrival: Arrival) => void>>();
  return {
    subscribe(taskId, handler) {
      const handlers = followers.get(taskId) ?? new Set();
      followers.set(taskId, handlers.add(handler));
      return () => {
        handlers.delete(handler);
        if (handlers.size === 0 && followers.get(taskId) === handlers) followers.delete(taskId);
      };
    },
    publish(taskId, arrival) {
      for (const handler of followers.get(taskId) ?? []) handler(arrival);
    },
    publishToAll(arrival) {
      for (const handlers of followers.values()) for (const handler of handlers) handler(arrival);
    },
  };
}
