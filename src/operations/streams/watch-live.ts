import { setTimeout as sleep } from "node:timers/promises";
import { requireWholeWorkspace } from "#domain/access/principal.ts";
import { notFound } from "#domain/errors.ts";
import { readStreamHead } from "#db/queries/streams/task-events.ts";
import { followEvents } from "./follow-events.ts";
import type { Change, LiveHub, LiveNotification } from "./live-hub.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";
import type { Workspace } from "../workspace.ts";

/** Changes are batched for this long, in milliseconds: at most ten batches per second. */
const WINDOW_MS = 100;
/** Maximum number of waiting changes for a slow viewer; above it, the viewer must fetch everything again. */
const MAX_WAITING = 1_000;

/** Events of a followed run. */
export interface FollowedEvents {
  readonly run: string;
  readonly events: readonly LoggedEvent[];
}

/** A batch for a page: changes, merged by id; events of a followed run; or that changes may have been missed. */
export type LiveBatch =
  | { readonly changes: readonly Change[] }
  | { readonly followed: FollowedEvents }
  | { readonly resync: true };

/** The runs that a page follows, each with the number of the last event that it has. */
export type Following = ReadonlyMap<string, number>;

/** What a page watches. */
export interface LiveRequest {
  readonly following: Following;
  /** How long ago the page began to read the workspace, which was announced then, in milliseconds. */
  readonly sinceMs: number | undefined;
  readonly signal: AbortSignal;
}

/** A page's stream. */
export interface LiveStream {
  /** Whether it has every change since the time that the page named. */
  readonly isComplete: boolean;
  readonly batches: AsyncGenerator<LiveBatch>;
}

/**
 * Watches a workspace for one page, until the signal is aborted. The memory for a slow page is bounded.
 * @throws AppError `forbidden` for a key that is limited to agents and teams; `not_found` when the workspace lacks the log of a run to follow.
 */
export async function watchLive(
  workspace: Workspace & { readonly live: LiveHub },
  { following, sinceMs, signal }: LiveRequest,
): Promise<LiveStream> {
  requireWholeWorkspace(workspace.who);
  for (const id of following.keys()) {
    if ((await readStreamHead(workspace, id)) === undefined) throw notFound("Run");
  }
  const inbox = createInbox(signal);
  const { isComplete, stop } = await workspace.live.watch({
    workspaceId: workspace.who.workspaceId,
    notify: inbox.notify,
    sinceMs,
  });
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  for (const [run, after] of following) {
    void follow(workspace, { run, after, inbox, signal }).catch(inbox.fail);
  }
  return { isComplete, batches: inbox.batches() };
}

interface Inbox {
  readonly notify: (notification: LiveNotification) => void;
  /** Sends events to the page; resolves when the page has accepted them. */
  readonly offer: (followed: FollowedEvents) => Promise<void>;
  /** Resolves at the next change of this id. */
  readonly changeOf: (id: string) => Promise<void>;
  /** Ends the batches with an error: the page reconnects and continues after its last event. */
  readonly fail: (error: unknown) => void;
  batches(): AsyncGenerator<LiveBatch>;
}

function createInbox(signal: AbortSignal): Inbox {
  const changes = new Map<string, Change>();
  const offers: { readonly followed: FollowedEvents; readonly taken: () => void }[] = [];
  const awaited = new Map<string, () => void>();
  let missed = false;
  let failure: { readonly error: unknown } | undefined;
  let wake: () => void = () => undefined;
  signal.addEventListener("abort", () => wake());

  const isEmpty = () => changes.size === 0 && offers.length === 0 && !missed && failure === undefined;

  return {
    notify(notification) {
      if (notification === "resync" || changes.size >= MAX_WAITING) {
        missed = true;
        changes.clear();
      } else changes.set(`${notification.kind} ${notification.id}`, notification);
      for (const [id, resolve] of awaited) if (notification === "resync" || notification.id === id) resolve();
      wake();
    },
    offer: (followed) =>
      new Promise((taken) => {
        offers.push({ followed, taken });
        wake();
      }),
    changeOf: (id) => new Promise((resolve) => awaited.set(id, resolve)),
    fail(error) {
      failure = { error };
      wake();
    },
    async *batches() {
      let sentAt = -Infinity;
      while (!signal.aborted) {
        if (isEmpty()) await new Promise<void>((resolve) => (wake = resolve));
        if (failure !== undefined) throw failure.error;
        for (const { followed, taken } of offers.splice(0)) {
          yield { followed };
          taken();
        }
        const wait = sentAt + WINDOW_MS - performance.now();
        if (changes.size === 0 && !missed) continue;
        if (wait > 0) {
          await Promise.race([sleep(wait), new Promise<void>((resolve) => (wake = resolve))]);
          if (performance.now() < sentAt + WINDOW_MS) continue;
        }
        sentAt = performance.now();
        if (missed) yield { resync: true };
        missed = false;
        const batch = [...changes.values()];
        changes.clear();
        if (batch.length > 0) yield { changes: batch };
      }
    },
  };
}

/** Sends the events of a run, attempt after attempt, until the run is deleted. */
async function follow(
  workspace: Workspace,
  at: { readonly run: string; readonly after: number; readonly inbox: Inbox; readonly signal: AbortSignal },
): Promise<void> {
  const { run, inbox, signal } = at;
  let { after } = at;
  while (!signal.aborted) {
    const next = inbox.changeOf(run);
    const head = await readStreamHead(workspace, run);
    if (head === undefined) return;
    const before = after;
    for await (const events of followEvents(workspace, {
      tenant: workspace.who,
      logId: run,
      attempt: head.attempt,
      after,
      signal,
    })) {
      if (events.length > 0) await inbox.offer({ run, events });
      after = events.at(-1)?.seq ?? after;
    }
    // The log has ended, until the next attempt.
    if (after === before) await next;
  }
}
