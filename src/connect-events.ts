import { APPLICATION_NAME } from "#db/database.ts";
import type { Listener } from "#db/listener.ts";
import type { Engine } from "#engine/engine.ts";
import type { KeyRing } from "#operations/authenticate.ts";
import type { EventBus } from "#operations/event-bus.ts";

/** Whom the notifications of other processes reach. */
export interface EventTargets {
  readonly listener: Listener;
  readonly events: EventBus;
  readonly keys: KeyRing;
  readonly engine: Engine;
}

/** Passes what processes on the same database tell each other to those who have to know. */
export function connectEvents({ listener, events, keys, engine }: EventTargets): void {
  listener.on("muster_wake", (workspaceId) => engine.wake(workspaceId));
  listener.on("muster_cancel", (taskId) => engine.abort(taskId));
  listener.on("muster_keys", (keyHash) => keys.forget(keyHash));
  listener.on("muster_events", (payload) => {
    const [taskId = "", , writer] = payload.split(" ");
    // What this process wrote it has told its followers itself.
    if (writer !== APPLICATION_NAME) events.publish(taskId, "look");
  });
  listener.onReconnect(() => {
    keys.forgetAll();
    events.publishToAll("look");
  });
}
