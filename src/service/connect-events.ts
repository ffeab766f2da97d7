import { APPLICATION_NAME } from "#db/pool.ts";
import type { Listener } from "#db/listener.ts";
import type { Engine } from "#engine/engine.ts";
import type { SessionRing } from "#operations/accounts/session-ring.ts";
import type { ClientCalls } from "#operations/conversations/client-calls.ts";
import type { LiveHub } from "#operations/streams/live-hub.ts";
import type { RateLimits } from "#operations/access/rate-limits.ts";
import type { TemporaryLogLevel } from "./log-level.ts";
import type { KeyRing, EventBus } from "#operations/ports.ts";

/** How often a process announces which logs it follows, and polls for missed events, in milliseconds. */
const FOLLOWERS_INTERVAL_MS = 5_000;

/** Receivers of other processes' notifications. */
export interface EventTargets {
  readonly listener: Listener;
  readonly events: EventBus;
  readonly keys: KeyRing;
  readonly sessions: SessionRing;
  readonly engine: Engine;
  readonly limits: RateLimits;
  readonly clientCalls: ClientCalls;
  readonly live: LiveHub;
  /** Reads the data keys again. */
  readonly refreshSecrets: () => void;
  readonly logLevel: TemporaryLogLevel;
}

/** Passes the notifications of other processes to their receivers; returns a function to stop. */
export function connectEvents(targets: EventTargets): () => void {
  const { listener, events, keys, sessions, engine, limits, clientCalls, live, refreshSecrets, logLevel } = targets;
  listener.on("muster_wake", (payload) => {
    const [lane = "", kind = "", sender] = payload.split(" ");
    if (sender !== APPLICATION_NAME) engine.wake(lane, kind);
  });
  listener.on("muster_deliveries", (payload) => {
    const [creator, ...lanes] = payload.split(" ");
    if (creator === APPLICATION_NAME) for (const lane of lanes) engine.queue.wake(lane, "delivery");
  });
  listener.on("muster_due", (due) => engine.noteDue(Number(due)));
  listener.on("muster_cancel", engine.abort);
  listener.on("muster_remote_calls", engine.cancelRemoteCalls);
  listener.on("muster_client_cancel", fromOthers(clientCalls.cancelNamed));
  listener.on("muster_data_keys", refreshSecrets);
  listener.on("muster_keys", fromOthers(keys.evict));
  listener.on("muster_sessions", fromOthers(sessions.evict));
  listener.on("muster_plans", fromOthers(limits.releasePermits));
  listener.on("muster_provider_keys", fromOthers(engine.invalidateProviderKeys));
  listener.on("muster_budgets", fromOthers(engine.invalidateBudgets));
  listener.on("muster_gates", fromOthers(engine.shareGate));
  listener.on("muster_breakers", fromOthers(engine.openBreaker));
  listener.on("muster_events", fromOthers(events.logHasGrown));
  listener.on("muster_follow", (payload) => {
    const [sender = "", ...logIds] = payload.split("\n");
    if (sender !== APPLICATION_NAME) events.followedElsewhere(sender, logIds);
  });
  listener.on("muster_log_level", () => void logLevel.refresh());
  listener.on("muster_changes", live.receive);
  listener.onDirect(events.receive);
  listener.onReconnect(() => recoverMissed(targets));
  const timer = setInterval(() => {
    events.announceFollowers();
    live.announceAgain();
    void events.pollForMissed();
  }, FOLLOWERS_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Handles only notifications of other processes: this one handled its own when it sent them. */
function fromOthers(handle: (subject: string) => void): (payload: string) => void {
  return (payload) => {
    const [subject = "", ...rest] = payload.split(" ");
    if (rest.at(-1) !== APPLICATION_NAME) handle(subject);
  };
}

/** Brings everything up to date that a missed notification would have changed. */
function recoverMissed({ events, keys, sessions, engine, limits, live, refreshSecrets, logLevel }: EventTargets): void {
  keys.invalidateAll();
  sessions.invalidateAll();
  limits.invalidateAll();
  engine.abortEnded();
  engine.noteDue(0);
  events.pollAll();
  events.announceFollowers();
  live.announceAgain();
  live.resyncAll();
  refreshSecrets();
  void logLevel.refresh();
}
