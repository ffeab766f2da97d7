import { momentNow } from "../../lib/moment.ts";
import type { Moment } from "../../lib/moment.ts";
import { readLiveStream } from "../../api/live-stream.ts";
import type { Change, LiveStreamHandlers, Positions, RunEvent } from "../../api/live-stream.ts";

/** What the page does with the stream of its workspace. */
export interface ConnectionHandlers {
  readonly onChanges: (changes: readonly Change[]) => void;
  /** Changes may have been missed: what is shown is fetched again. */
  readonly onResync: () => void;
  /** There is a stream again, which missed no change; a request may have failed meanwhile. */
  readonly onBack: () => void;
  readonly onBuild: (build: string | undefined) => void;
  /** There has been no stream for a while, or there is one again. */
  readonly onLost: (isLost: boolean) => void;
}

/** The one stream of a tab. */
export interface Connection {
  /** Connects, and again after each break. */
  open(): void;
  /** Disconnects; followed runs go on after their last event when it is opened again. */
  close(): void;
  /** Gives out the events of a run's log after a number, each once and in order; returns what ends that. */
  follow(run: string, after: number, onEvent: (event: RunEvent) => void): () => void;
}

interface Follower {
  readonly run: string;
  readonly onEvent: (event: RunEvent) => void;
  seq: number;
}

/** A shorter break is not worth a word. */
const LOST_MS = 5_000;
/** The service looks back further than it is asked to, by more than this: what a request may take to arrive. */
const MAX_HELLO_MS = 4_000;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 4_000;

/**
 * Creates the stream of a tab. The set of followed runs is fixed when it connects: when the set changes, the next
 * stream is opened before the last one is closed, so that no change is missed.
 * @param upToDateAt since when the service keeps the changes for it; undefined when it keeps none
 */
export function createConnection(handlers: ConnectionHandlers, upToDateAt: Moment | undefined): Connection {
  const followers = new Set<Follower>();
  let isOn = false;
  let streams: readonly AbortController[] = [];
  let isOpen = false;
  let heardAt = upToDateAt;
  let scheduled: ReturnType<typeof setTimeout> | undefined;
  let lost: ReturnType<typeof setTimeout> | undefined;

  /** Several changes of the set that happen together, as from one page to the next, make one connection. */
  function reconnect(): void {
    if (isOn) scheduled ??= setTimeout(connect);
  }

  function connect(): void {
    scheduled = undefined;
    const controller = new AbortController();
    streams = [...streams, controller];
    void keepOpen(new Set(followers), controller);
  }

  async function keepOpen(mine: Set<Follower>, controller: AbortController): Promise<void> {
    const { signal } = controller;
    let retryMs = FIRST_RETRY_MS;
    let sentAt = momentNow();
    const stream: LiveStreamHandlers = {
      onChanges: handlers.onChanges,
      onResync: handlers.onResync,
      onHeard: () => (heardAt = momentNow()),
      onHello({ build, isComplete }) {
        retryMs = FIRST_RETRY_MS;
        // A later one, which follows what this one does not, may still be connecting.
        const place = streams.indexOf(controller);
        for (const earlier of streams.slice(0, place)) earlier.abort();
        streams = streams.slice(place);
        // Before this there was a time without a stream.
        if (!isOpen && isComplete && msSince(sentAt) < MAX_HELLO_MS) handlers.onBack();
        else if (!isOpen) handlers.onResync();
        setOpen(true);
        handlers.onBuild(build);
      },
      onEvent: (event) => deliver(mine, event),
    };
    while (!signal.aborted) {
      sentAt = momentNow();
      const start = { positions: positionsOf(mine), sinceMs: heardAt && msSince(heardAt) };
      const { isNotFound, retryAfterMs } = await readLiveStream(start, stream, signal);
      if (signal.aborted) return;
      if (streams.length === 1) setOpen(false);
      // A run that was deleted can't be followed; the page learns it when it fetches the run again.
      if (isNotFound) mine.clear();
      await pause(Math.max(retryAfterMs, retryMs * (0.75 + Math.random() / 2)), signal);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  }

  function deliver(mine: ReadonlySet<Follower>, event: RunEvent): void {
    for (const follower of mine) {
      if (follower.run !== event.run || event.seq <= follower.seq || !followers.has(follower)) continue;
      follower.seq = event.seq;
      follower.onEvent(event);
    }
  }

  function setOpen(next: boolean): void {
    isOpen = next;
    if (!next) {
      lost ??= setTimeout(() => handlers.onLost(true), LOST_MS);
      return;
    }
    clearTimeout(lost);
    lost = undefined;
    handlers.onLost(false);
  }

  return {
    open() {
      isOn = true;
      setOpen(false);
      reconnect();
    },
    close() {
      isOn = false;
      isOpen = false;
      clearTimeout(scheduled);
      clearTimeout(lost);
      scheduled = undefined;
      lost = undefined;
      handlers.onLost(false);
      for (const controller of streams) controller.abort();
      streams = [];
    },
    follow(run, after, onEvent) {
      const follower: Follower = { run, onEvent, seq: after };
      followers.add(follower);
      reconnect();
      return () => {
        followers.delete(follower);
        reconnect();
      };
    },
  };
}

/** Where a run has several followers, the stream begins where the first of them is. */
function positionsOf(followers: ReadonlySet<Follower>): Positions {
  const positions = new Map<string, number>();
  for (const { run, seq } of followers) positions.set(run, Math.min(seq, positions.get(run) ?? seq));
  return positions;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** How long ago a moment was, in milliseconds; rather too long than too short. */
function msSince({ steady, wall }: Moment): number {
  return Math.ceil(Math.max(performance.now() - steady, Date.now() - wall));
}
